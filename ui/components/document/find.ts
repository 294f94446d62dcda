// Finding words in text as people mean them: case, the width of letters, line breaks, soft hyphens and a hyphen at a line's
// end make no difference.

/** A text made comparable, and for each of its characters the place in the original. */
export interface Folded {
  text: string;
  /** One more than there are characters: the last is the original's end. */
  places: Uint32Array;
}
/** A stretch of the original text. */
export interface Hit {
  start: number;
  end: number;
}

const dropped = /[\u00ad\u200b-\u200d\u2060\ufeff]/;

/** Makes a text comparable. */
export function fold(original: string): Folded {
  let text = "";
  const places: number[] = [];
  const put = (piece: string, at: number): void => {
    text += piece;
    for (let n = 0; n < piece.length; n++) places.push(at);
  };
  let at = 0;
  let space = false;
  while (at < original.length) {
    const code = original.codePointAt(at) ?? 0;
    const length = code > 0xffff ? 2 : 1;
    const character = original.slice(at, at + length);
    if (character === "-" && /^-\s*\n\s*\p{Ll}/u.test(original.slice(at, at + 40))) {
      // A word cut at the end of a line.
      at += original.slice(at).match(/^-\s*\n\s*/)?.[0].length ?? 1;
      space = false;
      continue;
    }
    if (/\s/.test(character)) {
      if (!space && text !== "") put(" ", at);
      space = true;
    } else if (!dropped.test(character)) {
      put(character.normalize("NFKC").toLowerCase(), at);
      space = false;
    }
    at += length;
  }
  return { text, places: Uint32Array.from([...places, original.length]) };
}

/** Where `query` stands, in places of the original; hits do not overlap. */
export function findIn(folded: Folded, query: string): Hit[] {
  const wanted = fold(query).text.trim();
  if (wanted === "") return [];
  const hits: Hit[] = [];
  for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + wanted.length)) {
    const start = folded.places[at] ?? 0;
    // The last character's own length: up to the place of the next.
    let next = at + wanted.length;
    while (next < folded.text.length && folded.places[next] === folded.places[next - 1]) next += 1;
    hits.push({ start, end: folded.places[next] ?? start });
  }
  return hits;
}

/** The next place among `total`, around the ends. */
export const stepped = (at: number, by: number, total: number): number =>
  total === 0 ? 0 : (((at + by) % total) + total) % total;

/** Text nodes of an element with the place each begins at in their joined text; blocks are parted by a line break. */
export function textOf(element: Element): { text: string; nodes: { node: Text; start: number }[] } {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  let block: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own =
      node.parentElement?.closest("p, li, td, th, h1, h2, h3, h4, h5, h6, pre, div, section") ?? null;
    if (own !== block && text !== "") text += "\n";
    block = own;
    nodes.push({ node: node as Text, start: text.length });
    text += node.nodeValue ?? "";
  }
  return { text, nodes };
}

/** A range over a hit in the joined text of nodes. */
export function rangeOf(nodes: readonly { node: Text; start: number }[], hit: Hit): Range | null {
  const holding = (place: number): { node: Text; offset: number } | null => {
    let low = 0;
    let high = nodes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((nodes[middle]?.start ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const found = nodes[low];
    return found ? { node: found.node, offset: Math.min(place - found.start, found.node.length) } : null;
  };
  const from = holding(hit.start);
  const to = holding(Math.max(hit.start, hit.end - 1));
  if (!from || !to) return null;
  const range = from.node.ownerDocument.createRange();
  range.setStart(from.node, Math.max(0, from.offset));
  range.setEnd(to.node, Math.min(to.node.length, to.offset + 1));
  return range;
}

// Marks are kept beside the page's content (CSS Custom Highlight API), so that no text node is touched. Each view owns
// its ranges; where the browser lacks the interface, hits are counted and stepped but not painted.
const owned = new Map<object, { all: Range[]; chosen: Range | null }>();

/** Paints the hits of one view; an empty list takes them off. */
export function paint(owner: object, all: Range[], chosen: Range | null): void {
  if (all.length === 0 && !chosen) owned.delete(owner);
  else owned.set(owner, { all, chosen });
  if (typeof Highlight === "undefined" || !("highlights" in CSS)) return;
  const every = [...owned.values()];
  CSS.highlights.set("found", new Highlight(...every.flatMap((view) => view.all)));
  CSS.highlights.set("found-here", new Highlight(...every.flatMap((view) => view.chosen ?? [])));
}
