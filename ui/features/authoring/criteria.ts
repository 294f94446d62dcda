// A flat rubric as it is edited: criteria numbered across all modalities, each bound to one. Pure: every function
// answers a new list.
import type { T } from "$ui/backend";

export type Criteria = readonly T.Criterion[];

/** Numbers criteria from 1 in their order. */
export const renumbered = (all: Criteria): T.Criterion[] =>
  all.map((criterion, at) => ({ ...criterion, id: String(at + 1) }));

/** Positions of a modality's criteria. */
export const positionsOf = (all: Criteria, modality: T.Modality): number[] =>
  all.flatMap((criterion, at) => (criterion.modality === modality ? [at] : []));

/**
 * A new criterion of `modality` after position `after` (none: behind the modality's last, else where the modality
 * belongs by the order of the gold list). Answers the list and the new position.
 */
export function inserted(
  all: Criteria,
  modality: T.Modality,
  after: number | undefined,
  gold: readonly T.Modality[],
): { criteria: T.Criterion[]; at: number } {
  const own = positionsOf(all, modality);
  const earlier = gold.slice(0, Math.max(0, gold.indexOf(modality)));
  const behind = after ?? own.at(-1) ?? Math.max(-1, ...earlier.flatMap((m) => positionsOf(all, m)));
  const criteria = [...all];
  criteria.splice(behind + 1, 0, { id: "", criterion: "", modality });
  return { criteria: renumbered(criteria), at: behind + 1 };
}

export const removed = (all: Criteria, at: number): T.Criterion[] =>
  renumbered(all.filter((_, place) => place !== at));

export const withText = (all: Criteria, at: number, criterion: string): T.Criterion[] =>
  all.map((one, place) => (place === at ? { ...one, criterion } : one));

/** Puts the criterion at `from` to position `to`. */
export function placed(all: Criteria, from: number, to: number): { criteria: T.Criterion[]; at: number } {
  const criteria = [...all];
  const [one] = criteria.splice(from, 1);
  if (!one) return { criteria, at: from };
  criteria.splice(to, 0, one);
  return { criteria: renumbered(criteria), at: to };
}

/** Moves a criterion to the place of its neighbour in the same modality, before (-1) or after (1) it. */
export function moved(all: Criteria, at: number, step: -1 | 1): { criteria: T.Criterion[]; at: number } {
  const modality = all[at]?.modality;
  const own = modality ? positionsOf(all, modality) : [];
  const to = own[own.indexOf(at) + step];
  return to === undefined ? { criteria: [...all], at } : placed(all, at, to);
}

/** Gives a criterion another modality; it becomes the last of that modality. */
export function retagged(
  all: Criteria,
  at: number,
  modality: T.Modality,
  gold: readonly T.Modality[],
): { criteria: T.Criterion[]; at: number } {
  const one = all[at];
  if (!one || one.modality === modality) return { criteria: [...all], at };
  const made = inserted(removed(all, at), modality, undefined, gold);
  return { criteria: withText(made.criteria, made.at, one.criterion), at: made.at };
}

/** Puts texts behind the last criterion of a modality, or in the place of the empty one at `at`. */
export function added(
  all: Criteria,
  modality: T.Modality,
  texts: readonly string[],
  at: number,
  gold: readonly T.Modality[],
): { criteria: T.Criterion[]; at: number } {
  let made = { criteria: [...all], at };
  const here = all[at];
  for (const [n, text] of texts.entries()) {
    if (n === 0 && here?.modality === modality && here.criterion.trim() === "") {
      made = { criteria: withText(made.criteria, at, text), at };
      continue;
    }
    const after = n === 0 ? (here?.modality === modality ? at : undefined) : made.at;
    made = inserted(made.criteria, modality, after, gold);
    made.criteria = withText(made.criteria, made.at, text);
  }
  return made;
}

/** What pasted lines become: the first is the criterion itself, the others stand behind it. */
export function pasted(
  all: Criteria,
  at: number,
  texts: readonly string[],
  gold: readonly T.Modality[],
): { criteria: T.Criterion[]; at: number } {
  const one = all[at];
  const [first, ...rest] = texts;
  if (!one || first === undefined) return { criteria: [...all], at };
  return added(withText(all, at, first), one.modality, rest, at, gold);
}
