import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import { formOf, free, sizeIn, takenOver } from "./imported";

const simple = (id: string, text: string, evidence: string[] = []): T.MetaRubricItem => ({
  id,
  type: "simple",
  tier: "AC",
  text,
  evidence,
});
const structured = (items: T.MetaRubricItem[], snippets: T.EvidenceSnippet[] = []): T.StructuredRubric => ({
  meta_rubric: { schema: "metarubric/1", id: "q", question: "", items },
  snippets,
});
const draft = (over: Partial<T.RubricDraft> = {}): Required<T.RubricDraft> => ({
  criteria: [],
  dismissals: [],
  gold_flags: [],
  form: "flat",
  structured: null,
  sign_offs: [],
  contradictions: [],
  rehearsal: [],
  ...over,
});
const file = (over: Partial<T.FiledRubric> = {}): T.FiledRubric => ({
  key: "k",
  prompt: "",
  fits: true,
  form: "structured",
  criteria: [{ id: "1", criterion: "Names steam.", modality: "Text" }],
  structured: structured(
    [simple("m1", "Names steam.", ["s1"])],
    [{ id: "s1", address: "example.org/b", passage: "b", read_on: "" }],
  ),
  checks: [],
  diagnostics: [],
  contradictions: [{ text: "Says it is cold.", points: "-2" }],
  ...over,
});

describe("a rubric of a file", () => {
  it("is taken in its own form, unless that cannot be taken", () => {
    expect(formOf(file())).toBe("structured");
    expect(formOf(file({ form: "flat" }))).toBe("flat");
    expect(formOf(file({ form: "flat", criteria: [] })), "nothing to number").toBe("structured");
    expect(sizeIn(file({ structured: null }), "structured")).toBe(0);
  });
  it("goes behind what is there: ids that are taken get another name, and evidence follows", () => {
    const own = draft({
      form: "structured",
      structured: structured(
        [simple("m1", "Names water.", ["s1"])],
        [{ id: "s1", address: "example.org/a", passage: "a", read_on: "" }],
      ),
    });
    const made = takenOver(own, file(), "structured", false);
    expect(made.structured?.meta_rubric.items).toEqual([
      simple("m1", "Names water.", ["s1"]),
      { ...simple("m1-2", "Names steam.", ["s1-2"]), meta_insights: [] },
    ]);
    expect(made.structured?.snippets?.map((one) => one.id)).toEqual(["s1", "s1-2"]);
    expect(made.contradictions, "negative points stay what they were").toEqual([
      { text: "Says it is cold.", points: "-2" },
    ]);
  });
  it("stands in the place of what was there, and leaves the other form alone", () => {
    const criteria = [{ id: "1", criterion: "Names water.", modality: "Text" as const }];
    const own = draft({ criteria, structured: structured([simple("m9", "old")]) });
    const made = takenOver(own, file(), "structured", true);
    expect(made.form).toBe("structured");
    expect(made.structured?.meta_rubric.items.map((item) => item.id)).toEqual(["m1"]);
    expect(made.criteria, "the criteria are kept").toBeUndefined();
    expect(takenOver(own, file(), "flat", false).criteria?.map((one) => [one.id, one.criterion])).toEqual([
      ["1", "Names water."],
      ["2", "Names steam."],
    ]);
  });
  it("finds a free name", () => {
    expect(free("a", new Set(["a", "a-2"]))).toBe("a-3");
    expect(free("b", new Set(["a"]))).toBe("b");
  });
});
