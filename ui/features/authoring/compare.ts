/** Two rubrics side by side: what stayed, what was reworded, what went, what is new; modality by modality. */
import type { T } from "$ui/backend";
import { modalities } from "./rubric";

export interface Pair {
  kind: "same" | "changed" | "gone" | "new";
  modality: T.Modality;
  before: T.Criterion | null;
  after: T.Criterion | null;
}

/** The longest run of equal texts in order, as pairs of places. */
function common(before: readonly T.Criterion[], after: readonly T.Criterion[]): [number, number][] {
  const best = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const of = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const row = best[i];
      if (row)
        row[j] =
          before[i]?.criterion === after[j]?.criterion
            ? of(i + 1, j + 1) + 1
            : Math.max(of(i + 1, j), of(i, j + 1));
    }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length;)
    if (before[i]?.criterion === after[j]?.criterion) pairs.push([i++, j++]);
    else if (of(i + 1, j) >= of(i, j + 1)) i++;
    else j++;
  return pairs;
}

/** Between two lines that stayed, those that differ are paired in order. */
export function compare(before: readonly T.Criterion[], after: readonly T.Criterion[]): Pair[] {
  return modalities.flatMap((modality) => {
    const old = before.filter((c) => c.modality === modality);
    const now = after.filter((c) => c.modality === modality);
    const found: Pair[] = [];
    let i = 0;
    let j = 0;
    for (const [toI, toJ] of [...common(old, now), [old.length, now.length] as const]) {
      while (i < toI || j < toJ) {
        const b = i < toI ? (old[i++] ?? null) : null;
        const a = j < toJ ? (now[j++] ?? null) : null;
        found.push({ kind: b && a ? "changed" : b ? "gone" : "new", modality, before: b, after: a });
      }
      const b = old[i++];
      const a = now[j++];
      if (b && a) found.push({ kind: "same", modality, before: b, after: a });
    }
    return found;
  });
}
