// The list of cases: pages that are fetched as one scrolls, the chosen case by its name rather than its place, and cases
// fetched ahead. When something was written the list is fetched again up to where it was, and the choice stays.
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import type { Sample } from "$ui/features/agreement/units.svelte";
import { caseKey } from "./settling";

export interface Asked {
  filter: T.UnitFilter;
  cell: T.Cell | undefined;
  sample: Sample | undefined;
  openOnly: boolean;
}

const pageSize = 200;
/** The most that the backend gives at once; a sample always fits. */
const most = 1000;

/** The request for a page. A sample is drawn from all cases, so that it does not change as cases are settled. */
export function requestOf(asked: Asked, limit: number, after?: string): T.CasesRequest {
  const request: T.CasesRequest = { filter: asked.filter, limit };
  if (asked.cell) request.cell = asked.cell;
  if (asked.sample) {
    request.sample = asked.sample.each;
    request.seed = asked.sample.seed;
  } else if (asked.openOnly) request.open_only = true;
  if (after !== undefined) request.after = after;
  return request;
}

export class Cases {
  #loaded: T.CaseRow[] = $state.raw([]);
  total = $state(0);
  loading = $state(true);
  error: BackendError | undefined = $state.raw();
  /** The key of the chosen case. */
  chosen: string | undefined = $state();
  #asked: Asked | undefined = $state.raw();
  #next: string | null | undefined;
  #turn = 0;
  #more = false;

  /** The rows shown. In a sample, "open only" is decided here. */
  readonly rows: readonly T.CaseRow[] = $derived.by(() =>
    this.#asked?.sample && this.#asked.openOnly
      ? this.#loaded.filter((row) => !row.settled || caseKey(row) === this.chosen)
      : this.#loaded,
  );
  /** The rows of the whole sample, or what is loaded. */
  readonly all: readonly T.CaseRow[] = $derived(this.#loaded);
  readonly complete: boolean = $derived(this.#loaded.length >= this.total);
  readonly place: number = $derived(this.rows.findIndex((row) => caseKey(row) === this.chosen));
  readonly row: T.CaseRow | undefined = $derived(this.rows[this.place]);
  readonly settled: number = $derived(this.#loaded.filter((row) => row.settled).length);

  /** Fetches the list anew. `keep` = it is the same question, something was written: fetch as much as there was. */
  async load(asked: Asked, keep: boolean): Promise<void> {
    const mine = ++this.#turn;
    const place = this.place;
    this.#asked = asked;
    this.loading = true;
    try {
      const limit = asked.sample ? most : Math.min(most, Math.max(pageSize, keep ? this.#loaded.length : 0));
      const page = await call("disagreement_cases", requestOf(asked, limit));
      if (mine !== this.#turn) return;
      this.#loaded = page.rows;
      this.#next = page.next;
      this.total = Math.max(page.total, page.rows.length);
      this.error = undefined;
      if (this.place < 0) {
        const near = keep && place >= 0 ? Math.min(place, this.rows.length - 1) : -1;
        const open = this.rows.findIndex((row) => !row.settled);
        this.#choose(near >= 0 ? near : Math.max(0, open));
      }
    } catch (thrown) {
      if (mine === this.#turn) this.error = asBackendError(thrown);
    } finally {
      if (mine === this.#turn) this.loading = false;
    }
  }

  /** Fetches the next page. */
  async more(): Promise<void> {
    const asked = this.#asked;
    if (!asked || this.#next === null || this.#next === undefined || this.#more || this.loading) return;
    this.#more = true;
    const mine = this.#turn;
    try {
      const page = await call("disagreement_cases", requestOf(asked, pageSize, this.#next));
      if (mine !== this.#turn) return;
      this.#loaded = [...this.#loaded, ...page.rows];
      this.#next = page.next;
      if (page.rows.length === 0) this.total = this.#loaded.length;
    } catch (thrown) {
      if (mine === this.#turn) this.error = asBackendError(thrown);
    } finally {
      this.#more = false;
    }
  }

  #choose(place: number): void {
    const row = this.rows[place];
    this.chosen = row ? caseKey(row) : undefined;
  }
  choose(place: number): boolean {
    if (!this.rows[place]) return false;
    this.#choose(place);
    return true;
  }
  /** Marks a row as settled before the list comes anew. */
  mark(key: string, settled: T.SettlementView): void {
    this.#loaded = this.#loaded.map((row) => (caseKey(row) === key ? { ...row, settled } : row));
  }
}
