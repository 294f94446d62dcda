// A queue worked through item by item: the item on screen, what is typed about it, its draft on disk, and the way to the next. A
// slow old answer never replaces a newer one, and what is typed is written before another item shows.
import { asBackendError, type BackendError, type T } from "$ui/backend";
import { drafts, type Drafts, type SavedState } from "$ui/features/judging/drafts";

/** `I`: an item of the queue; `D`: the draft that is kept for it. */
export abstract class TaskSession<I extends { task: string }, D> {
  item: I | null = $state.raw(null);
  progress: T.Progress = $state.raw({ done: 0, total: 0 });
  loading = $state(true);
  busy = $state(false);
  saved: SavedState = $state("saved");
  error: BackendError | undefined = $state.raw();
  #turn = 0;
  readonly #drafts: Drafts<D>;

  /** `write`: keeps a draft on disk. */
  protected constructor(write: (task: string, draft: D) => Promise<unknown>) {
    this.#drafts = drafts<D>(
      async (task, draft) => {
        await write(task, draft);
      },
      (state, error) => {
        this.saved = state;
        if (error) this.error = asBackendError(error);
      },
    );
  }

  /** Fetches a task; none = the first that is open. */
  protected abstract ask(task: string | null): Promise<{ item?: I | null; progress: T.Progress }>;
  /** Begins with an item from its draft, or from what was said of it. */
  protected abstract show(item: I | null): void;
  /** What is typed, to be kept. */
  protected abstract typed(): D;

  /** Shows a task; none = the first that is open. */
  async open(task: string | null): Promise<void> {
    const mine = ++this.#turn;
    this.loading = true;
    try {
      await this.#drafts.flush();
      const reply = await this.ask(task);
      if (mine !== this.#turn) return;
      this.progress = reply.progress;
      this.item = reply.item ?? null;
      this.show(this.item);
      this.error = undefined;
    } catch (thrown) {
      if (mine === this.#turn) this.error = asBackendError(thrown);
    } finally {
      if (mine === this.#turn) this.loading = false;
    }
  }
  /** The window goes away, or the screen does. */
  leave(): Promise<void> {
    return this.#drafts.flush();
  }
  /** Keeps what is typed. */
  keep(): void {
    if (this.item) this.#drafts.put(this.item.task, this.typed());
  }

  /** States it and goes on. Answers whether it is done; what could not be stated stays a draft. */
  protected async state(
    item: I,
    send: () => Promise<{ progress: T.Progress; next_open?: string | null }>,
  ): Promise<boolean> {
    this.busy = true;
    try {
      await this.#drafts.drop(item.task);
      const { progress, next_open: next } = await send();
      this.progress = progress;
      await this.open(next ?? item.task);
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
