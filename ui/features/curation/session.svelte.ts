// One curator at work: the item on screen and how it is revised.
import { call, type T } from "$ui/backend";
import { TaskSession } from "$ui/features/session/task-session.svelte";
import { sameItem } from "./items";

export class CurationSession extends TaskSession<T.CurationItemView, T.CurationDraft> {
  decision: T.CurationDecision | null = $state(null);
  /** The item as it is being revised; what is shown. */
  revised: T.CuratedItem | null = $state(null);
  note = $state("");

  constructor() {
    super((task, draft) => call("save_curation_draft", { task, draft }));
  }
  protected ask(task: string | null): Promise<T.CurationItemReply> {
    return call("curation_item", { task });
  }
  protected show(item: T.CurationItemView | null): void {
    const from = item?.draft ?? item?.mine;
    this.decision = from?.decision ?? null;
    this.note = from?.note ?? "";
    this.revised = item ? structuredClone(from?.revision ?? item.item) : null;
  }
  protected typed(): T.CurationDraft {
    return { decision: this.decision, revision: this.#revision(), note: this.note };
  }

  /** Does the item say something else than it did? */
  get isChanged(): boolean {
    return this.item != null && this.revised != null && !sameItem(this.item.item, this.revised);
  }
  #revision(): T.CuratedItem | null {
    return this.isChanged ? $state.snapshot(this.revised) : null;
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
    const request = {
      task: item.task,
      decision,
      revision: decision === "revise" ? this.#revision() : null,
      note: this.note,
    };
    return this.state(item, async () => (await call("submit_curation", request)).value);
  }
}
