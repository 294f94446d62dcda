/** Which views there are, what each leaves out, and where pages stand. */
import { describe, expect, it } from "vitest";
import { documents } from "$ui/text/document";
import { compare } from "./compare";
import { missingFonts } from "./fonts";
import { heldBy, lostIn } from "./notes";
import { fitting, near, otherZoom, pageAt, stack, GAP } from "./pdf-layout";
import { plainText } from "./view";
import { viewsOf } from "./views";

describe("what is not shown", () => {
  const names = documents.notShownNames;
  const held = ["comments", "headers", "charts", "layout", "equations"];
  it("depends on the view", () => {
    expect(lostIn("outline", held), "the outline shows none of it").toEqual(held);
    expect(lostIn("pages", held), "pages have headers, layout and formulas").toEqual([
      "comments",
      "charts",
      "page_breaks",
    ]);
    expect(lostIn("printed", held), "print has charts too").toEqual(["comments", "page_breaks"]);
    expect(
      lostIn("source", ["scripts", "undecodable"]),
      "the source shows all but what is no character",
    ).toEqual(["undecodable"]);
  });
  it("is named as each view shows it", () => {
    expect(lostIn("pages", ["shapes"]), "text boxes are lifted out of their places").toEqual([
      "shapes_below",
      "page_breaks",
    ]);
    expect(lostIn("printed", ["shapes"]), "LibreOffice prints them").toEqual(["page_breaks"]);
    const deck = ["tracked_changes", "hidden_slides", "fields"];
    expect(lostIn("outline", deck)).toEqual(deck);
    expect(lostIn("printed", deck), "marked, left out, worked out anew").toEqual([
      "changes_marked",
      "slides_left_out",
      "fields_anew",
      "page_breaks",
    ]);
    expect(
      [...lostIn("printed", deck), "shapes_below", "speaker_notes"].filter((c) => !names[c]),
      "each has words",
    ).toEqual([]);
    expect(names["changes_marked"], "no claim that they are accepted").not.toContain("accepted");
    expect(names["slides_left_out"]).not.toContain("shown");
  });
  it("speaker notes are in the outline alone", () => {
    const slide = { title: "", blocks: [{ block: "notes" as const, text: "say this" }] };
    const held = heldBy({ format: "pptx", parts: [slide], truncated: false, not_shown: ["layout"] });
    expect(lostIn("outline", held)).toEqual(["layout"]);
    expect(lostIn("printed", held)).toEqual(["speaker_notes", "page_breaks"]);
    expect(heldBy({ format: "pptx", parts: [], truncated: false, not_shown: [] })).toEqual([]);
  });
  it("pages need LibreOffice where nothing else draws them", () => {
    expect(viewsOf("pptx", true)).toEqual(["printed", "outline"]);
    expect(viewsOf("pptx", false)).toEqual(["outline"]);
    expect(viewsOf("docx", false)).toEqual(["pages", "outline"]);
  });
  it("a font is missing when every fallback shows through", () => {
    const widths: Record<string, number> = { monospace: 1, serif: 2, "sans-serif": 3 };
    const measure = (family: string): number =>
      family.startsWith('"Here"') ? 7 : (widths[family.split(", ").at(-1) ?? ""] ?? 0);
    expect(missingFonts(["Here", "Gone", "ABCDEF+Here", ""], measure)).toEqual(["Gone"]);
  });
});

describe("pages below one another", () => {
  const sizes = [
    { width: 100, height: 200 },
    { width: 200, height: 100 },
    { width: 100, height: 200 },
  ];
  it("stand at their heights with a gap between", () => {
    const layout = stack(sizes, 2);
    expect([...layout.tops]).toEqual([0, 400 + GAP, 600 + 2 * GAP, 1000 + 3 * GAP]);
    expect(layout.width, "the widest").toBe(400);
    expect(pageAt(layout, 399)).toBe(0);
    expect(pageAt(layout, 400 + GAP)).toBe(1);
    expect(pageAt(layout, 1e9)).toBe(2);
  });
  it("only those near the eye are drawn", () => {
    const many = stack(
      Array.from({ length: 300 }, () => ({ width: 100, height: 100 })),
      1,
    );
    const { first, end } = near(many, 112 * 150, 300);
    expect([first, end], "those that show, one before and one after").toEqual([149, 154]);
    expect(near(stack([], 1), 0, 100)).toEqual({ first: 0, end: 0 });
  });
  it("fit the width, the page or neither", () => {
    const page = { width: 100, height: 200 };
    expect(fitting("width", page, { width: 300, height: 300 }, 1)).toBe(3);
    expect(fitting("page", page, { width: 300, height: 300 }, 1)).toBe(1.5);
    expect(fitting("none", page, { width: 300, height: 300 }, 0.75), "a point is 96/72 of a pixel").toBe(1);
  });
  it("zoom by steps from any scale", () => {
    expect([
      otherZoom(1, 1),
      otherZoom(1, -1),
      otherZoom(0.6, 1),
      otherZoom(9, 1),
      otherZoom(0.1, -1),
    ]).toEqual([1.1, 0.9, 0.67, 4, 0.25]);
  });
});

describe("comparing", () => {
  it("marks what came and what went", () => {
    const found = compare("the old house stands", "the new house stands");
    expect(found?.stretches.filter((s) => s.is === "gone").map((s) => s.text)).toEqual(["old"]);
    expect(found?.stretches.filter((s) => s.is === "added").map((s) => s.text)).toEqual(["new"]);
    expect(found?.alike, "three of four words on both sides").toBeCloseTo(0.75);
    expect(
      found?.stretches
        .filter((s) => s.is !== "gone")
        .map((s) => s.text)
        .join(""),
    ).toBe("the new house stands");
  });
  it("equal and empty texts are alike", () => {
    expect(compare("a b", "a b")?.alike).toBe(1);
    expect(compare("", "")?.alike).toBe(1);
  });
  it("the text of a view is its blocks on lines", () => {
    const parts = [
      {
        title: "T",
        blocks: [
          { block: "paragraph" as const, runs: [{ text: "a" }, { text: "b" }] },
          { block: "code" as const, text: "c" },
        ],
      },
    ];
    expect(plainText({ format: "docx", parts, truncated: false, not_shown: [] })).toBe("T\nab\nc");
  });
});
