// What has become stale. A write's answer names it, and `changes` tells of writes by others (the command line, another
// window). A screen reads `freshness.results` inside its effect and loads again when the number moves; nothing else
// makes a screen reload.
import type { Stale } from "./generated/types";

export const freshness: Record<Stale, number> = $state({
  session: 0,
  overview: 0,
  judge_queue: 0,
  author_queue: 0,
  grading: 0,
  disagreements: 0,
  agreement: 0,
  results: 0,
  history: 0,
});

export function markStale(stale: readonly Stale[]): void {
  for (const part of stale) freshness[part] += 1;
}
