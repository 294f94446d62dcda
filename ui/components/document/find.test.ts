// @vitest-environment jsdom
/** Finding: what people mean by a word, and where it stands in the original. */
import { describe, expect, it } from "vitest";
import { findIn, fold, rangeOf, stepped, textOf } from "./find";
import { join } from "./pdf-text";

const found = (text: string, query: string): string[] =>
  findIn(fold(text), query).map((hit) => text.slice(hit.start, hit.end));

describe("finding in a text", () => {
  it("does not mind case, spaces and line breaks", () => {
    expect(found("Total\n  Cost and total cost", "total cost")).toEqual(["Total\n  Cost", "total cost"]);
  });
  it("reads a word that was cut at the end of a line, and soft hyphens", () => {
    expect(found("an exam-\nple of exam\u00adple", "example")).toEqual(["exam-\nple", "exam\u00adple"]);
    expect(found("a well-known Well-\nKnown", "well-known"), "a hyphen before a capital stays").toHaveLength(
      1,
    );
  });
  it("takes ligatures and full-width letters for what they say", () => {
    expect(found("the ﬁrst office oﬃce ＡＢ", "office")).toEqual(["office", "oﬃce"]);
    expect(found("ﬁrst", "first")).toEqual(["ﬁrst"]);
    expect(found("ＡＢ", "ab")).toEqual(["ＡＢ"]);
  });
  it("keeps places right behind characters of two units", () => {
    expect(found("😀 cat 😀 cat", "cat 😀")).toEqual(["cat 😀"]);
  });
  it("finds nothing for nothing, and hits do not overlap", () => {
    expect(found("aaa", " ")).toEqual([]);
    expect(found("aaaa", "aa")).toEqual(["aa", "aa"]);
  });
  it("steps around the ends", () => {
    expect([stepped(2, 1, 3), stepped(0, -1, 3), stepped(0, 1, 0)]).toEqual([0, 2, 0]);
  });
});

describe("finding in a page", () => {
  it("a hit over several elements is one range", () => {
    document.body.innerHTML = "<p>one <b>two</b> three</p><p>four</p>";
    const { text, nodes } = textOf(document.body);
    const hit = findIn(fold(text), "two three")[0];
    expect(hit && rangeOf(nodes, hit)?.toString()).toBe("two three");
    expect(findIn(fold(text), "three four"), "blocks are parted by a space").toHaveLength(1);
  });
  it("pieces of a PDF's page are joined with the place of each", () => {
    const pieces = [
      { str: "ab", hasEOL: false },
      { str: "", hasEOL: true },
      { str: "c", hasEOL: false },
    ];
    expect(join(pieces)).toEqual({ text: "ab\nc", starts: [0, 2, 3] });
  });
});
