// What belongs to what: a line of the outline and the checks that it makes, both ways.
import type { T } from "$ui/backend";
import {
  headField,
  isHead,
  lineAt,
  linesOf,
  spotKey,
  type Items,
  type ListField,
  type Spot,
} from "./outline";

/** The list that the entries of a rule stand in; none for rules about an item as a whole. */
const listOf: Partial<Record<T.CheckRule, ListField>> = {
  L1: "entries",
  F1: "pool",
  F2: "pool",
  F3: "pool",
  F4: "pool",
  F5: "pool",
  P1: "steps",
  P2: "steps",
  P3: "steps",
  P4: "steps",
  R1: "related",
  R2: "aspects",
  M1: "meta_insights",
};

/** Does the check come from this line? A head has all checks of its item. */
export function comesFrom(check: T.Check, items: Items, spot: Spot): boolean {
  const item = items[spot.item];
  if (item?.id !== check.provenance.item || check.provenance.rule === "A1") return false;
  if (isHead(spot)) return true;
  const id = lineAt(items, spot)?.id;
  return (
    id !== undefined && listOf[check.provenance.rule] === spot.field && check.provenance.entries.includes(id)
  );
}

/** The lines that a check speaks of; the head of its item where it speaks of no line. */
export function sources(check: T.Check, items: Items): Spot[] {
  if (check.provenance.rule === "A1") return [];
  const at = items.findIndex((item) => item.id === check.provenance.item);
  const item = items[at];
  if (!item) return [];
  const field = listOf[check.provenance.rule];
  if (!field) return [{ item: at, field: headField(item), at: 0 }];
  return linesOf(item, field).flatMap((line, n) =>
    check.provenance.entries.includes(line.id) ? [{ item: at, field, at: n }] : [],
  );
}

/** The line that a diagnostic is shown at; none for one about the whole. */
export function placeOf(found: T.RubricDiagnostic, items: Items): Spot | null {
  const item = typeof found.item === "number" ? items[found.item] : undefined;
  if (!item || typeof found.item !== "number") return null;
  if (typeof found.element === "number" && found.element < linesOf(item, found.field as ListField).length)
    return { item: found.item, field: found.field as ListField, at: found.element };
  return { item: found.item, field: headField(item), at: 0 };
}

/** Diagnostics by the line that they are shown at; those on the whole rubric have none. */
export function byLine(
  found: readonly T.RubricDiagnostic[],
  items: Items,
): ReadonlyMap<string, readonly T.RubricDiagnostic[]> {
  const all = new Map<string, T.RubricDiagnostic[]>();
  for (const one of found) {
    const place = placeOf(one, items);
    if (!place) continue;
    const known = all.get(spotKey(place));
    if (known) known.push(one);
    else all.set(spotKey(place), [one]);
  }
  return all;
}
