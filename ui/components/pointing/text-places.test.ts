/** Spans of text as places. */
import { expect, it } from "vitest";
import { findPlace, placeOf, sentencesOf } from "./text-places";

it("counts characters, not units, and leaves the space at the ends out", () => {
  const text = "🎻 strings  play";
  // 🎻 is two units and one character: "strings" begins at unit 3, character 2, and ends behind character 9.
  expect(placeOf(text, { start: 2, end: 12 })).toEqual({ kind: "text", start: 2, end: 9, quote: "strings" });
  expect(placeOf(text, { start: 10, end: 12 }), "blanks mark nothing").toBeNull();
  expect(findPlace(text, { kind: "text", start: 2, end: 9, quote: "strings" })).toEqual({
    start: 3,
    end: 10,
  });
});

it("finds the words again where the counting differs", () => {
  const place = { kind: "text" as const, start: 30, end: 35, quote: "boats" };
  expect(findPlace("boats and more boats", place), "the nearer of two").toEqual({ start: 15, end: 20 });
  expect(findPlace("no ships", place)).toBeNull();
  const lines = { kind: "text" as const, start: 0, end: 9, quote: "two\nwords" };
  expect(findPlace("the two  words", lines), "another view breaks lines elsewhere").toEqual({
    start: 4,
    end: 14,
  });
});

it("goes by sentences, and a line ends one", () => {
  const text = "One is here. Two is there!\nThree";
  const all = sentencesOf(text, "en").map((hit) => text.slice(hit.start, hit.end));
  expect(all).toEqual(["One is here.", "Two is there!", "Three"]);
  expect(sentencesOf("x", "no-such-language-tag-at-all"), "a tag that nobody knows is no error").toHaveLength(
    1,
  );
});
