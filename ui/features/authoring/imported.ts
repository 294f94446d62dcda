// A rubric of a file, taken over into the draft: as numbered criteria or as a meta-rubric, beside what is there or in its
// place. Pure; undo takes it back as one step.
import type { T } from "$ui/backend";
import * as edit from "./criteria";

/** How much a file's rubric holds in one form: criteria or items. */
export const sizeIn = (record: T.FiledRubric, form: T.WritingForm): number =>
  form === "flat" ? record.criteria.length : (record.structured?.meta_rubric.items.length ?? 0);

/** The form to take it in unless its reader says otherwise: the file's own, if that can be taken. */
export const formOf = (record: T.FiledRubric): T.WritingForm =>
  sizeIn(record, record.form) > 0 ? record.form : record.form === "flat" ? "structured" : "flat";

/** A name that nothing has yet: the name itself, else with the first number that makes it one. */
export function free(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

/** Both meta-rubrics: what was there keeps its ids, so that verdicts stay attached; what is new gives way. */
function joined(own: T.StructuredRubric, more: T.StructuredRubric): T.StructuredRubric {
  const snippets = [...(own.snippets ?? [])];
  const renamed = new Map<string, string>();
  for (const snippet of more.snippets ?? []) {
    const same = snippets.find(
      (one) => one.address === snippet.address && one.passage === snippet.passage && one.id === snippet.id,
    );
    if (same) continue;
    const id = free(snippet.id, new Set(snippets.map((one) => one.id)));
    renamed.set(snippet.id, id);
    snippets.push({ ...snippet, id });
  }
  const told = <L extends { evidence?: string[] | undefined }>(line: L): L =>
    line.evidence ? { ...line, evidence: line.evidence.map((id) => renamed.get(id) ?? id) } : line;
  const taken = new Set(own.meta_rubric.items.map((item) => item.id));
  const items = more.meta_rubric.items.map((item): T.MetaRubricItem => {
    const id = free(item.id, taken);
    taken.add(id);
    const made = told({ ...item, id, meta_insights: (item.meta_insights ?? []).map(told) });
    if (made.type === "strict_list") return { ...made, entries: made.entries.map(told) };
    if (made.type === "flexible_list") return { ...made, pool: made.pool.map(told) };
    if (made.type === "process") return { ...made, steps: made.steps.map(told) };
    if (made.type === "relationship")
      return { ...made, related: made.related.map(told), aspects: made.aspects.map(told) };
    return made;
  });
  return {
    ...own,
    snippets,
    meta_rubric: { ...own.meta_rubric, items: [...own.meta_rubric.items, ...items] },
  };
}

/** What the draft becomes. What was written in the other form stays as it is. */
export function takenOver(
  rubric: Required<T.RubricDraft>,
  record: T.FiledRubric,
  form: T.WritingForm,
  replace: boolean,
): Partial<T.RubricDraft> {
  const contradictions = [...(replace ? [] : rubric.contradictions), ...record.contradictions];
  if (form === "flat") {
    const criteria = edit.renumbered(replace ? record.criteria : [...rubric.criteria, ...record.criteria]);
    return { form, criteria, contradictions };
  }
  const made = record.structured;
  if (!made) return { contradictions };
  const own = rubric.structured;
  const structured = replace || !own || own.meta_rubric.items.length === 0 ? made : joined(own, made);
  return { form, structured, contradictions };
}
