// Which two are compared: the LLM judge and people, or one person and another. Their names stand in the table, the list and the
// figures.
import type { T } from "$ui/backend";
import { disagreements as words, type CellName } from "$ui/text/disagreements";

export interface Sides {
  /** In the judge's place. */
  first: string;
  second: string;
  /** Are both people? */
  people: boolean;
}

export function sidesOf(filter: T.UnitFilter): Sides {
  const { first, human } = filter;
  if (first) return { first, second: human ?? words.humanName, people: true };
  const named = human && human !== "majority" && human !== "settled";
  return { first: words.judgeName, second: named ? human : words.humanName, people: false };
}

export const cellsOf = ({ first, second }: Sides): Record<CellName, string> => words.cellsOf(first, second);
export const spokenOf = ({ first, second }: Sides): Record<CellName, string> => words.spokenOf(first, second);
export const firstSaid = ({ first }: Sides): Record<CellName, string> => words.firstSaid(first);

/** The filter that compares these two, or the judge with the majority. */
export function comparing(
  filter: T.UnitFilter,
  pair: Pick<T.PairCount, "first" | "second"> | undefined,
): { first: string | undefined; human: string | undefined } {
  if (pair) return { first: pair.first, human: pair.second };
  // A person who was compared with another is still compared with the judge, if it was so before.
  return { first: undefined, human: filter.first ? undefined : (filter.human ?? undefined) };
}

/** The pair that a filter compares, among those there are; else the one with most in common. */
export const pairOf = (filter: T.UnitFilter, pairs: readonly T.PairCount[]): T.PairCount | undefined =>
  pairs.find((pair) => isPair(filter, pair)) ?? pairs[0];

const isPair = (filter: T.UnitFilter, { first, second }: T.PairCount): boolean =>
  (filter.first === first && filter.human === second) || (filter.first === second && filter.human === first);
