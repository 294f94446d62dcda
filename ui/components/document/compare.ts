// What a text has of another, word by word.
import { diffWordsWithSpace } from "diff";

export interface Stretch {
  text: string;
  /** `kept` stands in both, `added` in the second only, `gone` in the first only. */
  is: "kept" | "added" | "gone";
}
export interface Comparison {
  stretches: Stretch[];
  /** Words in both by words of both: 1 for equal texts. */
  alike: number;
}

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Compares two texts; null where they are too long or too unlike to be compared within two seconds. */
export function compare(first: string, second: string, language?: string): Comparison | null {
  const locale = language && language !== "und" ? language : undefined;
  const segmenter = new Intl.Segmenter(locale, { granularity: "word" });
  const parts = diffWordsWithSpace(first, second, { intlSegmenter: segmenter, timeout: 2000 });
  if (!parts) return null;
  const stretches = parts.map((part): Stretch => {
    return { text: part.value, is: part.added ? "added" : part.removed ? "gone" : "kept" };
  });
  const kept = stretches.filter((s) => s.is === "kept").reduce((n, s) => n + words(s.text), 0);
  const all = words(first) + words(second);
  return { stretches, alike: all === 0 ? 1 : (2 * kept) / all };
}
