// A rehearsal as it is judged: verdicts on control answers, each bound to the words of its check.
import type { T } from "$ui/backend";

type Answers = readonly T.RehearsedAnswer[];

/** Changes the answer that is made to fail `fails` (null: the good one); one that says nothing is left out. */
function changed(
  answers: Answers,
  fails: string | null,
  change: (answer: T.RehearsedAnswer) => T.RehearsedAnswer,
): T.RehearsedAnswer[] {
  const is = (one: T.RehearsedAnswer): boolean => (one.fails ?? null) === fails;
  const own = answers.find(is) ?? (fails === null ? {} : { fails });
  const now = change(own);
  const empty = !now.text && (now.verdicts ?? []).length === 0;
  const others = answers.filter((one) => !is(one));
  return empty ? others : [...others, now];
}

/** Gives a verdict; null takes it back. */
export const judged = (
  answers: Answers,
  fails: string | null,
  check: Pick<T.Check, "id" | "text_sha256">,
  verdict: T.CheckVerdict | null,
): T.RehearsedAnswer[] =>
  changed(answers, fails, (answer) => ({
    ...answer,
    verdicts: [
      ...(answer.verdicts ?? []).filter((one) => one.check !== check.id),
      ...(verdict ? [{ check: check.id, text_sha256: check.text_sha256, verdict }] : []),
    ],
  }));

/** Other words for an answer; those of the draft are none of its own. */
export const reworded = (
  answers: Answers,
  control: Pick<T.RehearsalAnswer, "fails" | "draft">,
  text: string,
): T.RehearsedAnswer[] =>
  changed(answers, control.fails ?? null, (answer) => ({
    ...answer,
    text: text.trim() === control.draft.trim() ? "" : text,
  }));

/** How many checks did how. */
export function tally(all: readonly T.Separation[]): Record<T.Separation, number> {
  const counts: Record<T.Separation, number> = { separates: 0, fails_good: 0, passes_bad: 0, untried: 0 };
  for (const one of all) counts[one] += 1;
  return counts;
}
