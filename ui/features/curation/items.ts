// What two contents have in common, and which lines of the statistics are worth showing.
import type { T } from "$ui/backend";

/** Keys in one order, empty fields left out, so that what is the same reads the same. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined && inner !== "")
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, plain(inner)]),
  );
}
export const sameItem = (a: T.CuratedItem, b: T.CuratedItem): boolean =>
  JSON.stringify(plain(a)) === JSON.stringify(plain(b));

export const itemStates = ["retained", "discarded", "revised", "disputed", "open"] as const;

/** The states that occur, in their order, with how many. */
export const states = (counts: T.StateCounts): [(typeof itemStates)[number], number][] =>
  itemStates.flatMap((state) => (counts[state] > 0 ? [[state, counts[state]]] : []));

const order = new Intl.Collator("en", { numeric: true });
/** Keys as people count them: s2 before s10. */
export const byKey = (a: { key: string }, b: { key: string }): number => order.compare(a.key, b.key);
