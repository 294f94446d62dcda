// Two revisions side by side: how many checks are new, gone, changed, and what of each text changed.
import type { T } from "$ui/backend";

export type Counts = Record<T.CheckChange, number> & {
  /** Same words, another tier. */
  moved: number;
  /** Verdicts on so many checks are stale; on so many they stand. */
  stale: number;
  stand: number;
};

export const movedTier = (one: T.ComparedWords): boolean =>
  !!one.before && !!one.after && one.before.tier !== one.after.tier;

export function counts(checks: readonly T.ComparedWords[]): Counts {
  const all: Counts = { new: 0, gone: 0, changed: 0, same: 0, moved: 0, stale: 0, stand: 0 };
  for (const one of checks) {
    all[one.change] += 1;
    if (movedTier(one)) all.moved += 1;
    if (one.stale) all.stale += 1;
    if (one.change === "same") all.stand += 1;
  }
  return all;
}

/** Those that a change of the rubric touched. */
export const touched = (checks: readonly T.ComparedWords[]): T.ComparedWords[] =>
  checks.filter((one) => one.change !== "same" || movedTier(one));
