// One reviewer at work: the rubric on screen and what is typed about it.
import { call, type T } from "$ui/backend";
import { TaskSession } from "$ui/features/session/task-session.svelte";
import { linesOf } from "./lines";

export class ReviewingSession extends TaskSession<T.ReviewItemView, T.ReviewDraft> {
  decision: T.ReviewDecision | null = $state(null);
  /** By position of the criterion. */
  comments: Record<number, string> = $state({});
  note = $state("");

  constructor() {
    super((task, draft) => call("save_review_draft", { task, draft }));
  }
  protected ask(task: string | null): Promise<T.ReviewItemReply> {
    return call("review_item", { task });
  }
  protected show(item: T.ReviewItemView | null): void {
    const from = item?.draft ?? item?.mine;
    this.decision = from?.decision ?? null;
    this.note = from?.note ?? "";
    this.comments = {};
    // A comment stays with the words it was made on; one on words that are gone is not shown again.
    for (const said of from?.comments ?? []) {
      const at = linesOf(item).findIndex(
        (c) => c.criterion === said.criterion.criterion && c.modality === said.criterion.modality,
      );
      if (at >= 0) this.comments[at] = said.comment;
    }
  }
  protected typed(): T.ReviewDraft {
    return { decision: this.decision, comments: this.#said(), note: this.note };
  }

  #said(): T.ReviewComment[] {
    return linesOf(this.item).flatMap((criterion, at) => {
      const comment = this.comments[at] ?? "";
      return comment.trim() === "" ? [] : [{ criterion, comment }];
    });
  }
  /** Is there a word on what is to be changed? */
  get says(): boolean {
    return this.note.trim() !== "" || this.#said().length > 0;
  }

  /** States the review. Answers whether it is done. */
  async submit(): Promise<boolean> {
    const { item, decision } = this;
    if (!item || !decision || this.busy) return false;
    const request = { task: item.task, decision, comments: this.#said(), note: this.note };
    return this.state(item, async () => (await call("submit_review", request)).value);
  }
}
