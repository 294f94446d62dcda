// One reviewer at work: the rubric on screen, what is typed about it, its draft on disk, and the way to the next.
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import { drafts, type SavedState } from "$ui/features/judging/drafts";
import { linesOf } from "./lines";

export class ReviewingSession {
  item: T.ReviewItemView | null = $state.raw(null);
  progress: T.Progress = $state.raw({ done: 0, total: 0 });
  decision: T.ReviewDecision | null = $state(null);
  /** By position of the criterion. */
  comments: Record<number, string> = $state({});
  note = $state("");
  loading = $state(true);
  busy = $state(false);
  saved: SavedState = $state("saved");
  error: BackendError | undefined = $state.raw();
  #turn = 0;
  #drafts = drafts<T.ReviewDraft>(
    async (task, draft) => {
      await call("save_review_draft", { task, draft });
    },
    (state, error) => {
      this.saved = state;
      if (error) this.error = asBackendError(error);
    },
  );

  /** Shows a task; none = the first that is not reviewed. */
  async open(task: string | null): Promise<void> {
    const mine = ++this.#turn;
    this.loading = true;
    try {
      await this.#drafts.flush();
      const reply = await call("review_item", { task });
      if (mine !== this.#turn) return;
      this.progress = reply.progress;
      this.item = reply.item ?? null;
      const from = this.item?.draft ?? this.item?.mine;
      this.decision = from?.decision ?? null;
      this.note = from?.note ?? "";
      this.comments = {};
      // A comment stays with the words it was made on; one on words that are gone is not shown again.
      for (const said of from?.comments ?? []) {
        const at = linesOf(this.item).findIndex(
          (c) => c.criterion === said.criterion.criterion && c.modality === said.criterion.modality,
        );
        if (at >= 0) this.comments[at] = said.comment;
      }
      this.error = undefined;
    } catch (thrown) {
      if (mine === this.#turn) this.error = asBackendError(thrown);
    } finally {
      if (mine === this.#turn) this.loading = false;
    }
  }

  leave(): Promise<void> {
    return this.#drafts.flush();
  }

  #said(): T.ReviewComment[] {
    return linesOf(this.item).flatMap((criterion, at) => {
      const comment = this.comments[at] ?? "";
      return comment.trim() === "" ? [] : [{ criterion, comment }];
    });
  }
  /** Keeps what is typed. */
  keep(): void {
    const task = this.item?.task;
    if (!task) return;
    this.#drafts.put(task, { decision: this.decision, comments: this.#said(), note: this.note });
  }
  /** Is there a word on what is to be changed? */
  get says(): boolean {
    return this.note.trim() !== "" || this.#said().length > 0;
  }

  /** States the review. Answers whether it is done. */
  async submit(): Promise<boolean> {
    const { item, decision } = this;
    if (!item || !decision || this.busy) return false;
    this.busy = true;
    try {
      await this.#drafts.drop(item.task);
      const request = { task: item.task, decision, comments: this.#said(), note: this.note };
      const { value } = await call("submit_review", request);
      this.progress = value.progress;
      await this.open(value.next_open ?? item.task);
      return true;
    } catch (thrown) {
      this.error = asBackendError(thrown);
      this.keep();
      return false;
    } finally {
      this.busy = false;
    }
  }
}
