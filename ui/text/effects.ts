// Words of "Whose criterion?" in Agreement.
export const effects = {
  title: "Whose criterion?",
  body: "Criteria by the disagreements in which each was the only one that failed: people say correct, and this criterion alone makes the judge say incorrect. Beside it: in how many more units judge and people would agree if it were dropped, reworded so well that it never failed alone against people (the most that rewording can bring), or if its units were judged by another threshold. “Left out” is the same where the other prompts made the choice, so that it cannot fit itself; a criterion of one prompt has none.",
  criterion: "Criterion",
  units: "Units",
  prompts: "Prompts",
  against: "Alone against people",
  with: "Alone with people",
  dropped: "Dropped",
  leftOut: "left out",
  reworded: "Reworded, at best",
  threshold: "Threshold",
  pi: "π, dropped",
  none: "No disagreement hangs on one criterion alone.",
  now: (agree: string, units: string, pi: string) =>
    `Judge and people agree on ${agree} of ${units} units (π ${pi}).`,
  other: (threshold: string, share: string) => `At a mean of ${threshold} it would be ${share} %,`,
  otherLeftOut: (share: string) => `and ${share} % where the other prompts choose the threshold.`,
  more: (n: string) => `Show more (${n})`,
} as const;
