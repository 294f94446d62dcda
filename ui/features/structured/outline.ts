// A meta-rubric as an outline: items, and the entries, options, steps, entities, aspects and insights under them. Pure:
// every act answers new items and the spot where the cursor goes next; ids stay, so that verdicts stay attached.
import type { T } from "$ui/backend";

export type Items = readonly T.MetaRubricItem[];
export type HeadField = "text" | "concept" | "subject";
export type ListField = "entries" | "pool" | "steps" | "related" | "aspects" | "meta_insights";
export type Field = HeadField | ListField;

/** A line of the outline: the head of an item (`at` is 0), or one element of one of its lists. */
export interface Spot {
  item: number;
  field: Field;
  at: number;
}
/** So many lines of a list, items of an outline or checks are on screen at once; more come as the cursor gets near them. */
export const ON_SCREEN = 300;
/** How many of a list are on screen, with the cursor at `at` (-1: elsewhere). */
export const onScreen = (at: number): number => Math.max(ON_SCREEN, at + 50);

/** What an act leaves behind. */
export interface Changed {
  items: T.MetaRubricItem[];
  spot: Spot | null;
}
/** What entries, options, steps, entities, aspects and insights have in common, and what some of them have. */
export interface Line {
  id: string;
  text: string;
  aliases?: string[];
  evidence?: string[];
  required?: boolean;
  tier?: T.Tier | null;
}

export const tiers: readonly T.Tier[] = ["AC", "V", "C"];
const prefixes: Record<ListField, string> = {
  entries: "e",
  pool: "p",
  steps: "s",
  related: "r",
  aspects: "a",
  meta_insights: "i",
};

export const headField = (item: T.MetaRubricItem): HeadField =>
  item.type === "simple" ? "text" : item.type === "relationship" ? "subject" : "concept";
export const isHead = (spot: Spot): boolean =>
  spot.field === "text" || spot.field === "concept" || spot.field === "subject";
export const sameSpot = (a: Spot | null | undefined, b: Spot | null | undefined): boolean =>
  !!a && !!b && a.item === b.item && a.field === b.field && a.at === b.at;
/** A name for a spot, for keys and test handles: `2.pool.0`. */
export const spotKey = (spot: Spot): string => `${spot.item}.${spot.field}.${spot.at}`;

/** The lists of an item, in the order in which they are shown. */
export function listsOf(item: T.MetaRubricItem): ListField[] {
  const own: Record<T.ItemType, ListField[]> = {
    simple: [],
    strict_list: ["entries"],
    flexible_list: ["pool"],
    process: ["steps"],
    relationship: ["related", "aspects"],
  };
  const insights = (item.meta_insights?.length ?? 0) > 0;
  return insights ? [...own[item.type], "meta_insights"] : own[item.type];
}
export const carriesInsights = (item: T.MetaRubricItem): boolean =>
  item.type !== "simple" && item.type !== "relationship";

/** The lines of a list; a list that the item has not is empty. */
export const linesOf = (item: T.MetaRubricItem | undefined, field: Field): readonly Line[] =>
  ((item as Partial<Record<Field, unknown>> | undefined)?.[field] as Line[] | undefined) ?? [];
const withLines = (item: T.MetaRubricItem, field: ListField, lines: readonly Line[]): T.MetaRubricItem => ({
  ...item,
  [field]: lines,
});

export const withItem = (items: Items, at: number, item: T.MetaRubricItem): T.MetaRubricItem[] =>
  items.map((one, place) => (place === at ? item : one));

/** Every line from top to bottom. */
export function spots(items: Items): Spot[] {
  return items.flatMap((item, at) => [
    { item: at, field: headField(item), at: 0 },
    ...listsOf(item).flatMap((field) => linesOf(item, field).map((_, n) => ({ item: at, field, at: n }))),
  ]);
}
const head = (items: Items, at: number): Spot | null => {
  const item = items[at];
  return item ? { item: at, field: headField(item), at: 0 } : null;
};

/** Does the outline have this line? */
export function has(items: Items, spot: Spot): boolean {
  const item = items[spot.item];
  if (!item) return false;
  return isHead(spot) ? headField(item) === spot.field : spot.at < linesOf(item, spot.field).length;
}
/** The line itself; none for a head. */
export const lineAt = (items: Items, spot: Spot): Line | undefined =>
  isHead(spot) ? undefined : linesOf(items[spot.item], spot.field)[spot.at];

export function textAt(items: Items, spot: Spot): string {
  const item = items[spot.item];
  if (!item) return "";
  if (!isHead(spot)) return lineAt(items, spot)?.text ?? "";
  return item.type === "simple" ? item.text : item.type === "relationship" ? item.subject : item.concept;
}

const withLine = (items: Items, spot: Spot, line: Partial<Line>): T.MetaRubricItem[] => {
  const item = items[spot.item];
  if (!item || isHead(spot)) return [...items];
  const lines = linesOf(item, spot.field).map((one, at) => (at === spot.at ? { ...one, ...line } : one));
  return withItem(items, spot.item, withLines(item, spot.field as ListField, lines));
};

export function withText(items: Items, spot: Spot, text: string): T.MetaRubricItem[] {
  const item = items[spot.item];
  if (!item) return [...items];
  if (!isHead(spot)) return withLine(items, spot, { text });
  return withItem(items, spot.item, { ...item, [headField(item)]: text });
}
export const withAliases = (items: Items, spot: Spot, aliases: string[]): T.MetaRubricItem[] =>
  withLine(items, spot, { aliases });

export function evidenceAt(items: Items, spot: Spot): readonly string[] {
  return (isHead(spot) ? items[spot.item]?.evidence : lineAt(items, spot)?.evidence) ?? [];
}
export function withEvidence(items: Items, spot: Spot, evidence: string[]): T.MetaRubricItem[] {
  const item = items[spot.item];
  if (!item) return [...items];
  return isHead(spot)
    ? withItem(items, spot.item, { ...item, evidence })
    : withLine(items, spot, { evidence });
}
/** All items without a snippet that is no more. */
export function withoutSnippet(items: Items, id: string): T.MetaRubricItem[] {
  const kept = (all?: string[]): string[] => (all ?? []).filter((one) => one !== id);
  return items.map((item) => {
    let now: T.MetaRubricItem = { ...item, evidence: kept(item.evidence) };
    for (const field of listsOf(item))
      now = withLines(
        now,
        field,
        linesOf(now, field).map((line) => ({ ...line, evidence: kept(line.evidence) })),
      );
    return now;
  });
}

/** The first id of a kind that is higher than all of that kind in use: an id that was given up is not given again. */
export function nextId(taken: Iterable<string>, prefix: string): string {
  let highest = 0;
  for (const id of taken) {
    const number = id.startsWith(prefix) ? Number(id.slice(prefix.length)) : NaN;
    if (Number.isInteger(number)) highest = Math.max(highest, number);
  }
  return `${prefix}${highest + 1}`;
}
export const nextItemId = (items: Items): string =>
  nextId(
    items.map((item) => item.id),
    "m",
  );

const blank = (field: ListField, lines: readonly Line[], from: Partial<Line> = {}): Line => {
  const id = nextId(
    lines.map((line) => line.id),
    prefixes[field],
  );
  const { text = "", evidence = [] } = from;
  const line: Line = { id, text, ...(evidence.length > 0 ? { evidence } : {}) };
  if (field === "steps") return { ...line, required: from.required ?? true };
  if (field === "meta_insights") return { ...line, tier: from.tier ?? null };
  return from.aliases && from.aliases.length > 0 ? { ...line, aliases: from.aliases } : line;
};

/** A new simple item behind item `after` (-1: in front), at the tier of the item before it. */
export function addedItem(items: Items, after: number): Changed {
  const tier = items[after]?.tier ?? "AC";
  const item: T.MetaRubricItem = { id: nextItemId(items), type: "simple", tier, text: "" };
  const made = [...items];
  made.splice(after + 1, 0, item);
  return { items: made, spot: { item: after + 1, field: "text", at: 0 } };
}

function addedLine(items: Items, item: number, field: ListField, at: number, from?: Partial<Line>): Changed {
  const own = items[item];
  if (!own) return { items: [...items], spot: null };
  const lines = [...linesOf(own, field)];
  lines.splice(at, 0, blank(field, lines, from));
  return { items: withItem(items, item, withLines(own, field, lines)), spot: { item, field, at } };
}

/**
 * What Enter does: after the head of a list its first element, after an element another one. An empty last element is
 * given up for the item's next list, or for a new item: two strokes of Enter end a list.
 */
export function entered(items: Items, spot: Spot): Changed {
  const item = items[spot.item];
  if (!item) return { items: [...items], spot: null };
  const lists = listsOf(item);
  if (isHead(spot)) {
    const first = lists[0];
    if (!first || first === "meta_insights") return addedItem(items, spot.item);
    const waiting = linesOf(item, first)[0];
    if (waiting?.text === "") return { items: [...items], spot: { item: spot.item, field: first, at: 0 } };
    return addedLine(items, spot.item, first, 0);
  }
  const field = spot.field as ListField;
  const lines = linesOf(item, field);
  if (lines[spot.at]?.text === "" && spot.at === lines.length - 1) {
    const fewer = withItem(items, spot.item, withLines(item, field, lines.slice(0, -1)));
    if (field === "related") {
      const aspects = linesOf(item, "aspects");
      return aspects[0]?.text === ""
        ? { items: fewer, spot: { item: spot.item, field: "aspects", at: 0 } }
        : addedLine(fewer, spot.item, "aspects", aspects.length);
    }
    return addedItem(fewer, spot.item);
  }
  return addedLine(items, spot.item, field, spot.at + 1);
}

/** What pasted lines become: the first is the line itself, the others stand behind it, as Enter would have made them. */
export function pasted(items: Items, spot: Spot, texts: readonly string[]): Changed {
  const [first, ...rest] = texts;
  let made: Changed = { items: withText(items, spot, first ?? ""), spot };
  for (const text of rest) {
    const { items: now, spot: here } = made;
    const item = here ? now[here.item] : undefined;
    if (!here || !item) return made;
    const list = isHead(here)
      ? listsOf(item).find((one) => one !== "meta_insights")
      : (here.field as ListField);
    const waits = isHead(here) && list !== undefined && linesOf(item, list)[0]?.text === "";
    const next: Changed = waits
      ? { items: now, spot: { item: here.item, field: list, at: 0 } }
      : list
        ? addedLine(now, here.item, list, isHead(here) ? 0 : here.at + 1)
        : addedItem(now, here.item);
    made = next.spot ? { items: withText(next.items, next.spot, text), spot: next.spot } : next;
  }
  return made;
}

/** The line above, for when a line goes. */
export function above(items: Items, spot: Spot): Spot | null {
  const all = spots(items);
  return all[all.findIndex((one) => sameSpot(one, spot)) - 1] ?? null;
}
export function below(items: Items, spot: Spot): Spot | null {
  const all = spots(items);
  const at = all.findIndex((one) => sameSpot(one, spot));
  return at < 0 ? null : (all[at + 1] ?? null);
}

/** Without the line; a head takes its item with it. */
export function removed(items: Items, spot: Spot): Changed {
  const item = items[spot.item];
  if (!item) return { items: [...items], spot: null };
  const before = above(items, spot);
  if (isHead(spot)) {
    const fewer = items.filter((_, at) => at !== spot.item);
    return { items: fewer, spot: before ?? head(fewer, 0) };
  }
  const lines = linesOf(item, spot.field).filter((_, at) => at !== spot.at);
  return { items: withItem(items, spot.item, withLines(item, spot.field as ListField, lines)), spot: before };
}

function swapped<V>(all: readonly V[], from: number, to: number): V[] {
  const list = [...all];
  const [one] = list.splice(from, 1);
  if (one !== undefined) list.splice(to, 0, one);
  return list;
}

/** The line, or with a head the whole item, one place up (-1) or down (1); never beyond an end. */
export function moved(items: Items, spot: Spot, step: -1 | 1): Changed {
  return isHead(spot)
    ? placed(items, spot, { ...spot, item: spot.item + step })
    : placed(items, spot, { ...spot, at: spot.at + step });
}

/** Puts a line where another one of the same list stands, or an item where another one stands. */
export function placed(items: Items, from: Spot, to: Spot): Changed {
  const item = items[from.item];
  const stay = { items: [...items], spot: from };
  if (!item) return stay;
  if (isHead(from)) {
    if (to.item < 0 || to.item >= items.length) return stay;
    return { items: swapped(items, from.item, to.item), spot: { ...from, item: to.item } };
  }
  const lines = linesOf(item, from.field);
  if (to.item !== from.item || to.field !== from.field || to.at < 0 || to.at >= lines.length) return stay;
  const list = withLines(item, from.field as ListField, swapped(lines, from.at, to.at));
  return { items: withItem(items, from.item, list), spot: { ...from, at: to.at } };
}

/** The tier of a line's check: an insight has its own, everything else that of its item. */
export const tierAt = (items: Items, spot: Spot): T.Tier | null | undefined =>
  spot.field === "meta_insights" ? lineAt(items, spot)?.tier : items[spot.item]?.tier;

export function withTier(items: Items, spot: Spot, tier: T.Tier): T.MetaRubricItem[] {
  const item = items[spot.item];
  if (!item) return [...items];
  return spot.field === "meta_insights"
    ? withLine(items, spot, { tier })
    : withItem(items, spot.item, { ...item, tier });
}
/** One tier up (-1) or down (1); without a tier it begins at Answer-Critical. */
export function tierStepped(items: Items, spot: Spot, step: -1 | 1): T.MetaRubricItem[] {
  const now = tierAt(items, spot);
  const at = now ? tiers.indexOf(now) + step : 0;
  return withTier(items, spot, tiers[Math.min(Math.max(at, 0), tiers.length - 1)] ?? "AC");
}

/** Makes a simple item an element of the item above it; null where there is nothing to belong to. */
export function indented(items: Items, spot: Spot): Changed | null {
  const item = items[spot.item];
  const onto = items[spot.item - 1];
  if (!item || !onto || item.type !== "simple") return null;
  const field: ListField | undefined =
    onto.type === "relationship" ? "aspects" : listsOf(onto).find((list) => list !== "meta_insights");
  if (!field) return null;
  const fewer = items.filter((_, at) => at !== spot.item);
  const from = { text: item.text, evidence: item.evidence ?? [] };
  return addedLine(fewer, spot.item - 1, field, linesOf(onto, field).length, from);
}

/** Makes an element a simple item of its own, behind the one it belonged to; null for a head. */
export function lifted(items: Items, spot: Spot): Changed | null {
  const item = items[spot.item];
  const line = lineAt(items, spot);
  if (!item || !line) return null;
  const without = removed(items, spot).items;
  const insight = spot.field === "meta_insights";
  const taken = new Set(items.map((one) => one.id));
  const kept = `${item.id}-${line.id}`;
  const made: T.MetaRubricItem = {
    id: insight && !taken.has(kept) ? kept : nextItemId(items),
    type: "simple",
    tier: (insight ? line.tier : item.tier) ?? null,
    text: line.text,
    ...(line.evidence && line.evidence.length > 0 ? { evidence: line.evidence } : {}),
  };
  without.splice(spot.item + 1, 0, made);
  return { items: without, spot: { item: spot.item + 1, field: "text", at: 0 } };
}

/** A required step becomes optional and back; null where there is no step. */
export function requiredToggled(items: Items, spot: Spot): T.MetaRubricItem[] | null {
  const line = lineAt(items, spot);
  if (spot.field !== "steps" || !line) return null;
  return withLine(items, spot, { required: line.required === false });
}

/** A new insight of the item, one tier not chosen yet; null where the type carries none. */
export function addedInsight(items: Items, spot: Spot): Changed | null {
  const item = items[spot.item];
  if (!item || !carriesInsights(item)) return null;
  return addedLine(items, spot.item, "meta_insights", item.meta_insights?.length ?? 0);
}

/** "2, 3" as numbers; what is no whole number is 0, which no rule accepts. */
export const numbers = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : 0));
/** "also called x; y" as names. */
export const names = (text: string): string[] =>
  text
    .split(";")
    .map((name) => name.trim())
    .filter(Boolean);

export function withNumbers(
  items: Items,
  at: number,
  field: "baselines" | "coverage",
  values: number[],
): T.MetaRubricItem[] {
  const item = items[at];
  return item?.type === "flexible_list" ? withItem(items, at, { ...item, [field]: values }) : [...items];
}
export function withLink(items: Items, at: number, link: T.Link): T.MetaRubricItem[] {
  const item = items[at];
  return item?.type === "relationship" ? withItem(items, at, { ...item, link }) : [...items];
}

/** An item with nothing in it yet as one of another type, likewise empty; null where there is something to convert. */
export function emptyAs(item: T.MetaRubricItem, type: T.ItemType): T.MetaRubricItem | null {
  const full =
    item.type === "simple" ? item.text !== "" : listsOf(item).some((list) => linesOf(item, list).length > 0);
  if (full) return null;
  const { id, tier } = item;
  const concept = textAt([item], { item: 0, field: headField(item), at: 0 });
  const same = { id, tier: tier ?? null, ...(item.evidence ? { evidence: item.evidence } : {}) };
  switch (type) {
    case "simple":
      return { ...same, type, text: concept };
    case "strict_list":
      return { ...same, type, concept, entries: [] };
    case "flexible_list":
      return { ...same, type, concept, pool: [], baselines: [1] };
    case "process":
      return { ...same, type, concept, steps: [] };
    case "relationship":
      return { ...same, type, subject: concept, link: "connection", related: [], aspects: [] };
  }
}

/** Puts other items in the place of one, and the cursor on the first. */
export function replaced(items: Items, at: number, by: readonly T.MetaRubricItem[]): Changed {
  const made = [...items];
  made.splice(at, 1, ...by);
  return { items: made, spot: head(made, at) };
}
