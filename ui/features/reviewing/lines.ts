// What a reviewer goes through, line by line: the criteria of a flat rubric, or the checks of a structured one. A comment is made
// on words, so that a check stands here as a criterion of its id and text.
import type { T } from "$ui/backend";

export function linesOf(item: T.ReviewItemView | null | undefined): T.Criterion[] {
  if (!item?.rubric) return [];
  if (item.rubric.form !== "structured") return item.rubric.criteria;
  return item.checks.map((check) => ({ id: check.id, criterion: check.text, modality: "Text" }));
}
