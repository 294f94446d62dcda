// GAMUT's tables from the scores by checklists: who judged, in which way, and models by judges.
import type { T } from "$ui/backend";

/** A judge in one way of asking: what one table is about. */
export interface Judging {
  key: string;
  judge: string;
  by_person: boolean;
  variant: string;
}

const keyOf = (row: Pick<T.GamutRow, "judge" | "by_person" | "variant">): string =>
  JSON.stringify([row.judge, row.by_person, row.variant]);

/** Every judging, the one with the most scored answers first. */
export function judgings(models: readonly T.GamutRow[]): Judging[] {
  const all = new Map<string, Judging & { scored: number }>();
  for (const { judge, by_person, variant, scored } of models) {
    const key = keyOf({ judge, by_person, variant });
    const before = all.get(key) ?? { key, judge, by_person, variant, scored: 0 };
    all.set(key, { ...before, scored: before.scored + scored });
  }
  const order = [...all.values()].sort(
    (a, b) =>
      b.scored - a.scored ||
      Number(a.by_person) - Number(b.by_person) ||
      a.judge.localeCompare(b.judge) ||
      a.variant.localeCompare(b.variant),
  );
  return order.map(({ key, judge, by_person, variant }) => ({ key, judge, by_person, variant }));
}

export const ofJudging = (models: readonly T.GamutRow[], key: string): T.GamutRow[] =>
  models.filter((row) => keyOf(row) === key);

/** A model with its score under each judge of one way of asking. */
export interface ByJudge {
  model: string;
  scores: ReadonlyMap<string, T.GamutRow>;
}

/** Models by judges in one way of asking: the judges in order, and a row for each model. */
export function byJudge(
  models: readonly T.GamutRow[],
  variant: string,
): { judges: string[]; rows: ByJudge[] } {
  const own = models.filter((row) => row.variant === variant);
  const judges = [...new Set(own.map((row) => row.judge))].sort((a, b) => a.localeCompare(b));
  const names = [...new Set(own.map((row) => row.model))].sort((a, b) => a.localeCompare(b));
  const rows = names.map((model) => ({
    model,
    scores: new Map(own.filter((row) => row.model === model).map((row) => [row.judge, row])),
  }));
  return { judges, rows };
}
