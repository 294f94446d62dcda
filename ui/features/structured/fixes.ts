// What one key mends of what the compiler says: here where the outline alone knows how, else by a conversion of the
// backend.
import type { T } from "$ui/backend";
import { removed, withNumbers, withTier, type Items, type ListField, type Spot } from "./outline";

export interface Fix {
  label: string;
  /** The items after it; none where `conversion` is asked of the backend. */
  items?: T.MetaRubricItem[];
  conversion?: T.Conversion;
  item: number;
}

export const typeNames: Record<T.ItemType, string> = {
  simple: "Simple knowledge",
  strict_list: "Strict list",
  flexible_list: "Flexible list",
  process: "Process",
  relationship: "Relationship",
};

/** The same inside a sentence. */
export const typePhrases: Record<T.ItemType, string> = {
  simple: "simple knowledge",
  strict_list: "a strict list",
  flexible_list: "a flexible list",
  process: "a process",
  relationship: "a relationship",
};

/** The fix of a diagnostic; undefined where only the author knows what to do. */
export function fixOf(found: T.RubricDiagnostic, items: Items): Fix | undefined {
  const at = found.item;
  const item = typeof at === "number" ? items[at] : undefined;
  if (typeof at !== "number" || !item) return undefined;
  if (found.fix)
    return {
      label:
        found.fix.kind === "type"
          ? `Make it ${typePhrases[found.fix.to]}`
          : "Make its insights items of their own",
      conversion: found.fix,
      item: at,
    };
  const element: Spot | undefined =
    typeof found.element === "number"
      ? { item: at, field: found.field as ListField, at: found.element }
      : undefined;
  switch (found.code) {
    case "MR-04":
      return {
        label: "Make it Answer-Critical",
        items: withTier(items, { item: at, field: "text", at: 0 }, "AC"),
        item: at,
      };
    case "MI-02":
      return element && { label: "Make it Valuable", items: withTier(items, element, "V"), item: at };
    case "FL-03":
      return { label: "Ask for at least 1", items: withNumbers(items, at, "baselines", [1]), item: at };
    case "FL-09":
      return { label: "Take the coverage off", items: withNumbers(items, at, "coverage", []), item: at };
    case "FL-10":
      return { label: "Use the default coverage", items: withNumbers(items, at, "coverage", []), item: at };
    case "FL-11":
    case "SL-03":
    case "PR-05":
    case "RE-03":
      return element && { label: "Delete the repetition", items: removed(items, element).items, item: at };
    default:
      return undefined;
  }
}
