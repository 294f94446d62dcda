// What a row of agreement on single checks says.
import type { T } from "$ui/backend";
import { checks as words } from "$ui/text/agreement-checks";

export interface PooledRow {
  label: string;
  numbers: T.Numbers;
  /** π of two raters, Fleiss' κ of more: the same formula. */
  coefficient: T.Coefficient;
}

export const rowOf = (label: string, numbers: T.Numbers): PooledRow => ({
  label,
  numbers,
  coefficient: numbers.raters === 2 ? numbers.scott_pi : numbers.fleiss_kappa,
});

/** Responses of which one side alone says that they meet the check. */
export function apart(row: Pick<T.CheckedRow, "judge_human">): { judge: number; people: number } {
  const counts = row.judge_human?.confusion.counts;
  return { judge: counts?.[0]?.[1] ?? 0, people: counts?.[1]?.[0] ?? 0 };
}

const judged = (judge: T.JudgedCheck): string => {
  if (judge.verdict) return words.verdicts[judge.verdict];
  const said = judge.met ? words.met : words.unmet;
  return typeof judge.score === "number" ? `${said} (${judge.score.toFixed(2)})` : said;
};

/** One response: what the judge says, and each person. */
export const itemLine = (item: T.CheckedItem, judge: string): string =>
  [
    `${judge}: ${item.judge ? judged(item.judge) : words.silent}`,
    ...item.people.map((said) => `${said.person}: ${words.verdicts[said.verdict]}`),
  ].join(" · ");
