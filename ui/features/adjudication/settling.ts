// A settlement in the making: what it holds, what still blocks it, and what the grades say about other thresholds. Plain
// functions, so that the rules can be tested without a page.
import type { T } from "$ui/backend";
import { figure } from "$ui/text";

/** The causes in the order of the screen; the key of each is its place: 1–9, 0, -. */
export const causes: readonly T.Cause[] = [
  "judge_error",
  "human_error",
  "rubric_too_strict",
  "rubric_gap",
  "subjective",
  "input_fidelity",
  "cross_modality",
  "asset_fault",
  "evaluator_error",
  "capture_failure",
  "wrong_gold",
];
export const causeIds = [
  "disagreements.cause1",
  "disagreements.cause2",
  "disagreements.cause3",
  "disagreements.cause4",
  "disagreements.cause5",
  "disagreements.cause6",
  "disagreements.cause7",
  "disagreements.cause8",
  "disagreements.cause9",
  "disagreements.cause10",
  "disagreements.cause11",
] as const;

export interface Draft {
  verdict: T.Verdict | undefined;
  cause: T.Cause | undefined;
  note: string;
  sendBack: boolean;
}

export type Block = "verdict" | "cause";

/** What is missing, in the order in which one meets it. */
export function blockOf(draft: Draft): Block | undefined {
  if (draft.verdict === undefined) return "verdict";
  if (draft.cause === undefined) return "cause";
  return undefined;
}

/** Where one starts: the settlement in force when there is one, with the kept note if that was changed since. */
export function begin(
  settled: T.SettlementView | null | undefined,
  keptNote: string | null | undefined,
): Draft {
  return {
    verdict: settled?.verdict,
    cause: settled?.cause,
    note: keptNote ?? settled?.note ?? "",
    sendBack: settled?.send_rubric_back ?? false,
  };
}

export const caseKey = (of: { response: string; modality: T.Modality }): string =>
  `${of.response}/${of.modality}`;

export interface Collapse {
  /** Criteria with a score of 1. */
  met: number;
  of: number;
  sentence: string;
}

/** Thresholds are looked at in steps of 0.05, as in the sweep. */
const steps = 20;

/** How the grades collapse at the threshold in use, and where they would turn. */
export function collapse(
  grades: readonly Pick<T.GradeView, "score">[],
  mean: number,
  threshold: number,
): Collapse {
  const met = grades.filter((g) => g.score >= 1).length;
  const all = met === grades.length;
  // The highest threshold that the mean reaches; 1.00 asks for every criterion, not for the mean.
  const reached = all ? steps : Math.min(steps - 1, Math.floor(mean * steps + 1e-9));
  const at = Math.round(threshold * steps);
  const highest = figure(reached / steps);
  const here = figure(threshold);
  if (reached >= at)
    return {
      met,
      of: grades.length,
      sentence: all
        ? "Correct at every threshold."
        : `Collapses to correct at threshold ${here}; would be incorrect above ${highest}.`,
    };
  return {
    met,
    of: grades.length,
    sentence:
      reached === 0
        ? `Collapses to incorrect at threshold ${here}; no lower one would make it correct.`
        : `Collapses to incorrect at threshold ${here}; would be correct at ${highest}${reached > 1 ? " and below" : ""}.`,
  };
}

/** The next case to look at after one is settled: the next open one, from here round to the start; none when all are. */
export function nextOpen(rows: readonly Pick<T.CaseRow, "settled">[], from: number): number | undefined {
  for (let step = 1; step < rows.length; step += 1) {
    const at = (from + step) % rows.length;
    if (!rows[at]?.settled) return at;
  }
  return undefined;
}

/** The time as records write it. */
export function timeNow(): string {
  return new Date().toISOString();
}
