// Spans of text as places: counted in characters (code points), found again by their words where the counting differs.
import type { Hit } from "$ui/components/document/find";

export interface TextPlace {
  kind: "text";
  start: number;
  end: number;
  quote: string;
}
const LONGEST = 2000;

/** Characters in the first `units` UTF-16 units. */
const characters = (text: string, units: number): number => {
  let n = 0;
  for (let at = 0; at < units; n++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return n;
};
/** UTF-16 units of the first `count` characters. */
const units = (text: string, count: number): number => {
  let at = 0;
  for (let n = 0; n < count && at < text.length; n++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
};

/** The place of a stretch (UTF-16 units) of a text, without the space at its ends; null for nothing. */
export function placeOf(text: string, hit: Hit): TextPlace | null {
  const words = text.slice(hit.start, hit.end);
  const trimmed = words.trim();
  if (trimmed === "") return null;
  const start = hit.start + words.indexOf(trimmed);
  let end = start + trimmed.length;
  const from = characters(text, start);
  if (characters(text, end) - from > LONGEST) end = start + units(text.slice(start), LONGEST);
  return { kind: "text", start: from, end: characters(text, end), quote: text.slice(start, end) };
}

/** Where a place is in a text (UTF-16 units): as counted if the words agree, else the nearest same words; null if none. */
export function findPlace(text: string, place: TextPlace): Hit | null {
  const start = units(text, place.start);
  if (text.startsWith(place.quote, start)) return { start, end: start + place.quote.length };
  let best = -1;
  for (let at = text.indexOf(place.quote); at >= 0; at = text.indexOf(place.quote, at + 1))
    if (best < 0 || Math.abs(at - start) < Math.abs(best - start)) best = at;
  if (best >= 0) return { start: best, end: best + place.quote.length };
  // Line breaks and spaces differ between views of one text.
  const loose = place.quote
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = loose[0] ? new RegExp(loose.join("\\s+"), "u").exec(text) : null;
  return found ? { start: found.index, end: found.index + found[0].length } : null;
}

/** The sentences of a text, for choosing by keys; lines where the platform cannot tell sentences. */
export function sentencesOf(text: string, language?: string): Hit[] {
  const hits: Hit[] = [];
  const put = (start: number, piece: string): void => {
    const words = piece.trim();
    if (words === "") return;
    const from = start + piece.indexOf(words);
    hits.push({ start: from, end: from + words.length });
  };
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (typeof Intl.Segmenter === "function") {
      const known = language && language !== "und" ? language : undefined;
      let segmenter: Intl.Segmenter;
      try {
        segmenter = new Intl.Segmenter(known, { granularity: "sentence" });
      } catch {
        segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
      }
      for (const piece of segmenter.segment(line)) put(at + piece.index, piece.segment);
    } else put(at, line);
    at += line.length;
  }
  return hits;
}
