// Finding in a PDF: the text of every page is asked of pdf.js once and kept; hits are counted as pages come, and painted
// on the text layers of the pages that are drawn.
import type { PDFDocumentProxy } from "pdfjs-dist";
import { SvelteMap } from "svelte/reactivity";
import { findIn, fold, stepped, type Folded, type Hit } from "./find";
import { join } from "./pdf-text";

export interface PageHit extends Hit {
  page: number;
}

export class PdfSearch {
  query = $state("");
  at = $state(0);
  searching = $state(false);
  searched = $state(0);
  /** Set when the first hits of a new word are in: the view goes to the nearest. */
  fresh = $state(false);
  /** The chosen hit's page was not drawn when it was chosen. */
  unseen = $state(false);
  #hits = $state.raw<PageHit[]>([]);
  #layers = new SvelteMap<number, readonly HTMLElement[]>();
  #texts: (Promise<Folded> | undefined)[] = [];
  /** Where each piece of a page's text begins. */
  #starts: (readonly number[] | undefined)[] = [];
  #asked = 0;
  #last = "";
  readonly #pdf: () => PDFDocumentProxy | null;

  constructor(pdf: () => PDFDocumentProxy | null) {
    this.#pdf = pdf;
  }

  get total(): number {
    return this.#hits.length;
  }
  get chosen(): PageHit | undefined {
    return this.#hits[this.at];
  }
  /** Ranges of all hits on the pages that are drawn. */
  get ranges(): Range[] {
    return this.#hits.flatMap((hit) => (this.#layers.has(hit.page) ? (this.rangeOf(hit) ?? []) : []));
  }
  get chosenRange(): Range | null {
    return this.chosen ? this.rangeOf(this.chosen) : null;
  }

  /** Steps around; 0 chooses again what is chosen. */
  step(by: number): void {
    this.at = stepped(this.at, by, this.total);
    if (this.chosen && !this.#layers.has(this.chosen.page)) this.unseen = true;
  }

  /** A page's text layer is ready; the answer takes it away again. */
  layer = (page: number, elements: readonly HTMLElement[]): (() => void) => {
    this.#layers.set(page, elements);
    return () => {
      if (this.#layers.get(page) === elements) this.#layers.delete(page);
    };
  };

  /** Forgets a document. */
  forget(): void {
    this.#asked += 1;
    this.#texts = [];
    this.#starts = [];
    this.#last = "";
    this.#hits = [];
    this.#layers.clear();
  }

  /** Looks for a word in every page, from page `from` on and around. */
  run(query: string, from: number): void {
    if (query === this.#last) return;
    this.#last = query;
    const own = ++this.#asked;
    this.#hits = [];
    this.at = 0;
    this.searched = 0;
    this.searching = query.trim() !== "";
    if (this.searching) void this.#look(query, from, own);
  }

  async #look(query: string, from: number, own: number): Promise<void> {
    const pages = this.#pdf()?.numPages ?? 0;
    const found: PageHit[][] = [];
    let told = performance.now();
    let moved = false;
    const tell = (): void => {
      const hits = found.flat();
      // What was chosen stays chosen while hits before it come in.
      const chosen = this.chosen;
      this.#hits = hits;
      if (moved && chosen)
        this.at = Math.max(
          0,
          hits.findIndex((h) => h.page === chosen.page && h.start === chosen.start),
        );
      else if (hits.length > 0) {
        moved = true;
        this.at = Math.max(
          0,
          hits.findIndex((h) => h.page >= from),
        );
        this.fresh = true;
      }
    };
    for (let n = 0; n < pages; n++) {
      const page = (from + n) % pages;
      const text = await this.#textOf(page).catch(() => null);
      if (own !== this.#asked) return;
      if (text) found[page] = findIn(text, query).map((hit) => ({ ...hit, page }));
      this.searched = n + 1;
      if ((!moved && found[page]?.length) || performance.now() - told > 150) {
        tell();
        told = performance.now();
      }
    }
    tell();
    this.searching = false;
  }

  #textOf(page: number): Promise<Folded> {
    const kept = this.#texts[page];
    if (kept) return kept;
    const pdf = this.#pdf();
    const ask = async (): Promise<Folded> => {
      if (!pdf) throw new Error("closed");
      const content = await (await pdf.getPage(page + 1)).getTextContent();
      const { text, starts } = join(content.items.flatMap((item) => ("str" in item ? [item] : [])));
      this.#starts[page] = starts;
      return fold(text);
    };
    const asked = ask();
    this.#texts[page] = asked;
    return asked;
  }

  /** The range of a hit on a drawn page; null where it is not drawn. */
  rangeOf(hit: PageHit): Range | null {
    const elements = this.#layers.get(hit.page);
    const starts = this.#starts[hit.page];
    if (!elements || !starts) return null;
    // The layer has one element for each piece, in order.
    const at = (place: number): { node: Text; offset: number } | null => {
      let piece = starts.findLastIndex((start) => start <= place);
      // A line break belongs to the piece before it; an empty piece has no text.
      while (piece > 0 && !elements[piece]?.firstChild) piece -= 1;
      const node = elements[piece]?.firstChild;
      if (!(node instanceof Text)) return null;
      return { node, offset: Math.min(node.length, Math.max(0, place - (starts[piece] ?? 0))) };
    };
    const from = at(hit.start);
    const to = at(Math.max(hit.start, hit.end - 1));
    if (!from || !to) return null;
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, Math.min(to.node.length, to.offset + 1));
    return range;
  }
}
