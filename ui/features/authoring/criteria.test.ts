import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import {
  added,
  inserted,
  moved,
  placed,
  positionsOf,
  removed,
  renumbered,
  retagged,
  withText,
} from "./criteria";

const of = (...all: [T.Modality, string][]): T.Criterion[] =>
  renumbered(all.map(([modality, criterion]) => ({ id: "", criterion, modality })));
const shown = (all: readonly T.Criterion[]): string[] =>
  all.map((c) => `${c.id} ${c.modality} ${c.criterion}`);

describe("a rubric as it is edited", () => {
  const start = of(["Text", "a"], ["Text", "b"], ["Video", "c"]);

  it("numbers across modalities when a criterion is put in", () => {
    const behind = inserted(start, "Text", 0, ["Text", "Video"]);
    expect(shown(behind.criteria)).toEqual(["1 Text a", "2 Text ", "3 Text b", "4 Video c"]);
    expect(behind.at).toBe(1);
  });

  it("puts the first criterion of a modality where the gold list has it", () => {
    const { criteria, at } = inserted(start, "Image", undefined, ["Text", "Image", "Video"]);
    expect(shown(criteria)[2]).toBe("3 Image ");
    expect(at).toBe(2);
    expect(inserted([], "Audio", undefined, ["Audio"]).at).toBe(0);
  });

  it("moves inside a modality only, and not beyond its ends", () => {
    expect(shown(moved(start, 0, 1).criteria)).toEqual(["1 Text b", "2 Text a", "3 Video c"]);
    expect(shown(moved(start, 1, 1).criteria)).toEqual(shown(start));
    expect(moved(start, 1, 1).at).toBe(1);
  });

  it("gives a criterion another modality, as its last", () => {
    const made = retagged(start, 0, "Video", ["Text", "Video"]);
    expect(shown(made.criteria)).toEqual(["1 Text b", "2 Video c", "3 Video a"]);
    expect(made.at).toBe(2);
    expect(shown(retagged(start, 0, "Text", ["Text"]).criteria), "the same modality").toEqual(shown(start));
    expect(
      shown(retagged(start, 2, "Image", ["Text", "Image", "Video"]).criteria),
      "the first of it",
    ).toEqual(["1 Text a", "2 Text b", "3 Image c"]);
  });

  it("adds texts behind the cursor, the first in the place of an empty one", () => {
    const empty = of(["Video", ""], ["Text", "t"]);
    const made = added(empty, "Video", ["x", "y"], 0, ["Video", "Text"]);
    expect(shown(made.criteria)).toEqual(["1 Video x", "2 Video y", "3 Text t"]);
    expect(made.at).toBe(1);
    expect(shown(added(start, "Text", ["n"], 0, []).criteria)).toEqual([
      "1 Text a",
      "2 Text n",
      "3 Text b",
      "4 Video c",
    ]);
    expect(shown(added(start, "Text", ["n"], 2, []).criteria), "the cursor is elsewhere").toEqual([
      "1 Text a",
      "2 Text b",
      "3 Text n",
      "4 Video c",
    ]);
  });

  it("drops, changes and drags", () => {
    expect(shown(removed(start, 0))).toEqual(["1 Text b", "2 Video c"]);
    expect(withText(start, 2, "d")[2]?.criterion).toBe("d");
    expect(shown(placed(start, 1, 0).criteria)).toEqual(["1 Text b", "2 Text a", "3 Video c"]);
    expect(positionsOf(start, "Video")).toEqual([2]);
  });
});
