// One curator at work: the item on screen, how it is revised, its draft on disk, and the way to the next.
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import { drafts, type SavedState } from "$ui/features/judging/drafts";
import { sameItem } from "./items";

export class CurationSession {
  item: T.CurationItemView | null = $state.raw(null);
  progress: T.Progress = $state.raw({ done: 0, total: 0 });
  decision: T.CurationDecision | null = $state(null);
  /** The item as it is being revised; what is shown. */
  revised: T.CuratedItem | null = $state(null);
  note = $state("");
  loading = $state(true);
  busy = $state(false);
  saved: SavedState = $state("saved");
  error: BackendError | undefined = $state.raw();
  #turn = 0;
  #drafts = drafts<T.CurationDraft>(
    async (task, draft) => {
      await call("save_curation_draft", { task, draft });
    },
    (state, error) => {
      this.saved = state;
      if (error) this.error = asBackendError(error);
    },
  );

  /** Shows a task; none = the first that is open. */
  async open(task: string | null): Promise<void> {
    const mine = ++this.#turn;
    this.loading = true;
    try {
      await this.#drafts.flush();
      const reply = await call("curation_item", { task });
      if (mine !== this.#turn) return;
      this.progress = reply.progress;
      this.item = reply.item ?? null;
      const from = this.item?.draft ?? this.item?.mine;
      this.decision = from?.decision ?? null;
      this.note = from?.note ?? "";
      this.revised = this.item ? structuredClone(from?.revision ?? this.item.item) : null;
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
  /** Does the item say something else than it did? */
  get isChanged(): boolean {
    return this.item != null && this.revised != null && !sameItem(this.item.item, this.revised);
  }
  #revision(): T.CuratedItem | null {
    return this.isChanged ? $state.snapshot(this.revised) : null;
  }
  /** Keeps what is typed. */
  keep(): void {
    const task = this.item?.task;
    if (task)
      this.#drafts.put(task, { decision: this.decision, revision: this.#revision(), note: this.note });
  }
  /** Begins from another content: somebody's revision, or the item as it was. */
  begin(from: T.CuratedItem): void {
    this.revised = structuredClone(from);
    this.decision = this.isChanged ? "revise" : null;
    this.keep();
  }

  /** States it. Answers whether it is done. */
  async submit(): Promise<boolean> {
    const { item, decision } = this;
    if (!item || !decision || this.busy) return false;
    this.busy = true;
    try {
      await this.#drafts.drop(item.task);
      const { value } = await call("submit_curation", {
        task: item.task,
        decision,
        revision: decision === "revise" ? this.#revision() : null,
        note: this.note,
      });
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
