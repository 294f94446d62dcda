// The records under a filter, page after page. They are read anew when something was stated; what had been loaded
// stays on screen until then, and the chosen record stays chosen.
import { asBackendError, type BackendError, call, type T } from "$ui/backend";

export interface Filter {
  kind: string;
  person: string;
  prompt: T.PromptRow | undefined;
}

class Records {
  rows: T.HistoryEntry[] = $state.raw([]);
  next: string | undefined = $state();
  loading = $state(false);
  loaded = $state(false);
  error: BackendError | undefined = $state.raw();
  filter: Filter = $state.raw({ kind: "", person: "", prompt: undefined });
  #turn = 0;

  /** From the newest, at least as many as are shown. */
  async reload(): Promise<void> {
    const mine = ++this.#turn;
    const wanted = Math.min(500, Math.max(100, this.rows.length));
    await this.#read(mine, undefined, wanted, []);
  }

  /** The next page. */
  async more(): Promise<void> {
    if (this.loading || this.next === undefined) return;
    await this.#read(++this.#turn, this.next, 100, this.rows);
  }

  async #read(
    mine: number,
    after: string | undefined,
    limit: number,
    before: T.HistoryEntry[],
  ): Promise<void> {
    this.loading = true;
    const { kind, person, prompt } = this.filter;
    try {
      let rows = before;
      let cursor = after;
      do {
        const page = await call("history", {
          limit,
          ...(cursor ? { after: cursor } : {}),
          ...(kind ? { kind } : {}),
          ...(person ? { person } : {}),
          ...(prompt ? { prompt: prompt.id } : {}),
        });
        if (mine !== this.#turn) return;
        rows = [...rows, ...page.rows];
        cursor = page.next ?? undefined;
        // A page may be empty though more follow: what does not fit the filter was left out of it.
      } while (cursor !== undefined && rows.length === before.length);
      this.rows = rows;
      this.next = cursor;
      this.error = undefined;
      this.loaded = true;
    } catch (thrown) {
      if (mine !== this.#turn) return;
      this.error = asBackendError(thrown);
    } finally {
      if (mine === this.#turn) this.loading = false;
    }
  }
}

export const records = (): Records => new Records();
