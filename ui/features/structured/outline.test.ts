// The outline of a meta-rubric as it is edited: what each key makes of it, and that ids stay with their lines.
import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import * as outline from "./outline";

const element = (id: string, text: string): T.Element => ({ id, text });
const start: T.MetaRubricItem[] = [
  { id: "m1", type: "simple", tier: "AC", text: "States that it is a moka pot." },
  {
    id: "m2",
    type: "process",
    tier: "AC",
    concept: "brewing",
    steps: [
      { id: "s1", text: "heat the water", required: false },
      { id: "s2", text: "fill the chamber" },
      { id: "s3", text: "screw it shut" },
    ],
  },
  {
    id: "m4",
    type: "flexible_list",
    tier: "V",
    concept: "ways to avoid a bitter cup",
    baselines: [2],
    pool: [element("p1", "low heat"), element("p2", "coarse grind"), element("p3", "clean gasket")],
    meta_insights: [{ id: "i1", text: "Explains that heat burns.", tier: "V" }],
  },
  {
    id: "m5",
    type: "relationship",
    tier: "V",
    subject: "pressure",
    related: [element("r1", "temperature")],
    aspects: [element("a1", "States that both rise.")],
  },
];
const at = (item: number, field: outline.Field, n = 0): outline.Spot => ({ item, field, at: n });
const ids = (items: outline.Items): string[] => items.map((item) => `${item.id}:${item.type}`);
const lines = (items: outline.Items, item: number, field: outline.Field): string[] =>
  outline.linesOf(items[item], field).map((line) => `${line.id} ${line.text}`);

describe("lines of the outline", () => {
  it("go from top to bottom, heads first, insights last", () => {
    expect(outline.spots(start).map(outline.spotKey)).toEqual([
      ...["0.text.0", "1.concept.0", "1.steps.0", "1.steps.1", "1.steps.2"],
      ...["2.concept.0", "2.pool.0", "2.pool.1", "2.pool.2", "2.meta_insights.0"],
      ...["3.subject.0", "3.related.0", "3.aspects.0"],
    ]);
    expect(outline.below(start, at(0, "text"))).toEqual(at(1, "concept"));
    expect(outline.above(start, at(0, "text")), "nothing is above the first").toBeNull();
    expect(outline.has(start, at(1, "pool")), "a process has no pool").toBe(false);
  });
});

describe("Enter", () => {
  it("behind a head makes the first element, behind an element another one", () => {
    const first = outline.entered(start, at(2, "concept"));
    expect(lines(first.items, 2, "pool")[0], "p4: ids in use are not given again").toBe("p4 ");
    expect(first.spot).toEqual(at(2, "pool", 0));
    const next = outline.entered(start, at(1, "steps", 1));
    expect(lines(next.items, 1, "steps")).toEqual([
      "s1 heat the water",
      "s2 fill the chamber",
      "s4 ",
      "s3 screw it shut",
    ]);
    expect(outline.lineAt(next.items, at(1, "steps", 2))?.required, "a new step is required").toBe(true);
  });
  it("behind a statement makes a new item at its tier, with the next free id", () => {
    const made = outline.entered(start, at(0, "text"));
    expect(ids(made.items)).toEqual([
      "m1:simple",
      "m6:simple",
      "m2:process",
      "m4:flexible_list",
      "m5:relationship",
    ]);
    expect(made.items[1]?.tier).toBe("AC");
  });
  it("on an empty last element ends the list", () => {
    const open = outline.entered(start, at(1, "steps", 2));
    const ended = outline.entered(open.items, at(1, "steps", 3));
    expect(lines(ended.items, 1, "steps"), "the empty step is given up").toHaveLength(3);
    expect(ended.spot, "for a new item below").toEqual(at(2, "text"));
    const entity = outline.entered(start, at(3, "related", 0));
    const aspects = outline.entered(entity.items, at(3, "related", 1));
    expect(aspects.spot, "entities are followed by aspects").toEqual(at(3, "aspects", 1));
  });
});

describe("moving", () => {
  it("moves a line inside its list and a head with its item, never beyond an end", () => {
    const step = outline.moved(start, at(1, "steps", 1), 1);
    expect(lines(step.items, 1, "steps")).toEqual([
      "s1 heat the water",
      "s3 screw it shut",
      "s2 fill the chamber",
    ]);
    expect(step.spot).toEqual(at(1, "steps", 2));
    expect(outline.moved(start, at(1, "steps", 2), 1).items, "it is the last").toEqual(start);
    const item = outline.moved(start, at(2, "concept"), -1);
    expect(ids(item.items)).toEqual(["m1:simple", "m4:flexible_list", "m2:process", "m5:relationship"]);
    expect(outline.moved(start, at(0, "text"), -1).items).toEqual(start);
  });
  it("drops a line only where its own list is", () => {
    expect(outline.placed(start, at(2, "pool", 0), at(1, "steps", 0)).items).toEqual(start);
    expect(lines(outline.placed(start, at(2, "pool", 2), at(2, "pool", 0)).items, 2, "pool")[0]).toBe(
      "p3 clean gasket",
    );
  });
});

describe("removing", () => {
  it("takes a line, or with a head the item, and goes to the line above", () => {
    const line = outline.removed(start, at(2, "pool", 0));
    expect(lines(line.items, 2, "pool")).toEqual(["p2 coarse grind", "p3 clean gasket"]);
    expect(line.spot).toEqual(at(2, "concept"));
    const item = outline.removed(start, at(0, "text"));
    expect(ids(item.items)[0]).toBe("m2:process");
    expect(item.spot, "nothing was above: the new first").toEqual(at(0, "concept"));
    expect(outline.removed([start[0]!], at(0, "text")).spot, "nothing is left").toBeNull();
  });
});

describe("tiers", () => {
  it("steps up and down without leaving the three", () => {
    expect(outline.tierStepped(start, at(0, "text"), -1)[0]?.tier, "nothing is above AC").toBe("AC");
    expect(outline.tierStepped(start, at(0, "text"), 1)[0]?.tier).toBe("V");
    const unset = outline.withItem(start, 0, { ...start[0]!, tier: null });
    expect(outline.tierStepped(unset, at(0, "text"), 1)[0]?.tier, "begins at AC").toBe("AC");
  });
  it("are an insight's own on an insight, and the item's elsewhere", () => {
    const own = outline.tierStepped(start, at(2, "meta_insights"), 1);
    expect(own[2]?.meta_insights?.[0]?.tier).toBe("C");
    expect(own[2]?.tier, "its list stays").toBe("V");
    expect(outline.tierStepped(start, at(2, "pool", 1), 1)[2]?.tier).toBe("C");
  });
});

describe("indenting and lifting", () => {
  it("makes a statement a step of the process above, and back", () => {
    const { items } = outline.addedItem(start, 1);
    const typed = outline.withText(items, at(2, "text"), "serve it");
    const into = outline.indented(typed, at(2, "text"));
    expect(lines(into?.items ?? [], 1, "steps").at(-1)).toBe("s4 serve it");
    expect(into?.spot).toEqual(at(1, "steps", 3));
    const out = outline.lifted(into?.items ?? [], at(1, "steps", 3));
    expect(ids(out?.items ?? [])[2]).toBe("m6:simple");
    expect(out?.items[2]?.tier, "at the tier of its process").toBe("AC");
    expect(outline.indented(start, at(0, "text")), "nothing is above").toBeNull();
  });
  it("lifts an insight with its tier, under the id that compiling names it by", () => {
    const out = outline.lifted(start, at(2, "meta_insights"));
    expect(out?.items[3]).toMatchObject({ id: "m4-i1", tier: "V", text: "Explains that heat burns." });
  });
});

describe("types", () => {
  it("change at once while there is nothing to convert", () => {
    const { items } = outline.addedItem(start, 0);
    expect(outline.emptyAs(items[1]!, "process")).toEqual({
      id: "m6",
      tier: "AC",
      type: "process",
      concept: "",
      steps: [],
    });
    expect(outline.emptyAs(start[0]!, "process"), "a statement is converted").toBeNull();
    expect(outline.emptyAs(start[1]!, "strict_list"), "so are steps").toBeNull();
  });
});

describe("fields", () => {
  it("reads numbers as typed, and what is none as 0", () => {
    expect(outline.numbers("2, 4")).toEqual([2, 4]);
    expect(outline.numbers("2.5 -1 x")).toEqual([0, 0, 0]);
    expect(outline.numbers(" ")).toEqual([]);
  });
  it("knows a step that does not say so as required", () => {
    const optional = outline.requiredToggled(start, at(1, "steps", 1));
    expect(optional && outline.lineAt(optional, at(1, "steps", 1))?.required).toBe(false);
    expect(outline.requiredToggled(start, at(2, "pool", 0)), "an option is no step").toBeNull();
  });
  it("gives no id twice, and takes foreign ids as they are", () => {
    expect(outline.nextId(["e1", "e3", "x9", "e"], "e")).toBe("e4");
  });
  it("forgets a snippet wherever it was attached", () => {
    const with1 = outline.withEvidence(
      outline.withEvidence(start, at(1, "steps", 0), ["x1", "x2"]),
      at(0, "text"),
      ["x1"],
    );
    const without = outline.withoutSnippet(with1, "x1");
    expect(outline.evidenceAt(without, at(0, "text"))).toEqual([]);
    expect(outline.evidenceAt(without, at(1, "steps", 0))).toEqual(["x2"]);
  });
});
