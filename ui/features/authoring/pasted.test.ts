import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import * as outline from "$ui/features/structured/outline";
import * as edit from "./criteria";
import { pastedLines } from "./pasted";

describe("pasted lines", () => {
  it("are those that say something, single-spaced", () => {
    expect(pastedLines(" one\r\n\n  two \t three\n")).toEqual(["one", "two three"]);
    expect(pastedLines("")).toEqual([]);
  });
  it("lose the marks of a list, when all of them have one", () => {
    expect(pastedLines("1. Heat it.\n2) Stir it.\n(3) Serve it.")).toEqual([
      "Heat it.",
      "Stir it.",
      "Serve it.",
    ]);
    expect(pastedLines("- a\n• b")).toEqual(["a", "b"]);
    expect(pastedLines("- a\nb")).toEqual(["- a", "b"]);
    expect(pastedLines("- 5 is shown")).toEqual(["- 5 is shown"]);
    expect(pastedLines("U.S. law\nU.K. law")).toEqual(["U.S. law", "U.K. law"]);
  });
});

describe("pasted criteria", () => {
  const all: T.Criterion[] = [
    { id: "1", criterion: "", modality: "Text" },
    { id: "2", criterion: "Shows it.", modality: "Image" },
  ];
  it("stand one behind the other in their modality, numbered", () => {
    const made = edit.pasted(all, 0, ["a", "b", "c"], ["Text", "Image"]);
    expect(made.criteria.map((c) => `${c.id} ${c.modality} ${c.criterion}`)).toEqual([
      "1 Text a",
      "2 Text b",
      "3 Text c",
      "4 Image Shows it.",
    ]);
    expect(made.at).toBe(2);
  });
});

describe("pasted lines of an outline", () => {
  const list: T.MetaRubricItem = {
    id: "m1",
    type: "strict_list",
    tier: "AC",
    concept: "parts",
    entries: [
      { id: "e1", text: "" },
      { id: "e2", text: "lid" },
    ],
  };
  const texts = (items: outline.Items): string[] =>
    outline.spots(items).map((spot) => `${outline.spotKey(spot)} ${outline.textAt(items, spot)}`);
  it("become elements of the list, with new ids", () => {
    const made = outline.pasted([list], { item: 0, field: "entries", at: 0 }, ["base", "basket"]);
    expect(texts(made.items)).toEqual([
      "0.concept.0 parts",
      "0.entries.0 base",
      "0.entries.1 basket",
      "0.entries.2 lid",
    ]);
    expect(outline.linesOf(made.items[0], "entries").map((line) => line.id)).toEqual(["e1", "e3", "e2"]);
    expect(made.spot).toEqual({ item: 0, field: "entries", at: 1 });
  });
  it("on a head are its list, on a statement further statements", () => {
    const head = outline.pasted([list], { item: 0, field: "concept", at: 0 }, ["pieces", "base"]);
    expect(texts(head.items)).toEqual(["0.concept.0 pieces", "0.entries.0 base", "0.entries.1 lid"]);
    const simple: T.MetaRubricItem = { id: "m1", type: "simple", tier: "V", text: "" };
    const both = outline.pasted([simple], { item: 0, field: "text", at: 0 }, ["a", "b"]);
    expect(both.items).toEqual([
      { id: "m1", type: "simple", tier: "V", text: "a" },
      { id: "m2", type: "simple", tier: "V", text: "b" },
    ]);
  });
});
