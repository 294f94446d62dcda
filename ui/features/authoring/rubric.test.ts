// The flat rubric's steps: numbering, inserting, moving, giving to another modality, deleting, dismissals, fixes.
import { describe, expect, it } from "vitest";
import { compare } from "./compare";
import * as rubric from "./rubric";
import type { Found, Line } from "./rubric";
import * as trail from "./trail";

const line = (key: number, modality: Line["modality"], text = `t${key}`): Line => ({ key, modality, text });
const order = ["Text", "Image", "Video"] as const;
const lines = [line(1, "Text"), line(2, "Text"), line(3, "Image"), line(4, "Text"), line(5, "Video")];
const keysOf = (all: readonly Line[]): number[] => all.map((l) => l.key);
const counter =
  (from: number): (() => number) =>
  () =>
    from++;

describe("numbering", () => {
  it("numbers across all modalities in order", () => {
    expect(
      rubric.criteriaOf(lines).map((c) => c.id),
      "1 to n, whatever the modality",
    ).toEqual(["1", "2", "3", "4", "5"]);
    expect(rubric.numberOf(lines, 5), "the video is the fifth").toBe(5);
  });
  it("shows gold modalities in the prompt's order, then strays", () => {
    expect(rubric.tabsOf(["Video", "Text"], lines), "the image is not gold but has a line").toEqual([
      "Video",
      "Text",
      "Image",
    ]);
  });
  it("leaves out empty lines when it is handed in, and only then", () => {
    const sheet = { ...rubric.emptySheet, lines: [line(1, "Text", "  a "), line(2, "Text", " ")] };
    expect(rubric.draftOf(sheet).criteria.length, "a draft keeps what is being typed").toBe(2);
    expect(rubric.draftOf(rubric.tidied(sheet)).criteria, "handed in trimmed and numbered").toEqual([
      { id: "1", criterion: "a", modality: "Text" },
    ]);
  });
});

describe("inserting", () => {
  it("goes below the line one is on", () => {
    expect(keysOf(rubric.insert(lines, line(9, "Text"), 1, order)), "below the first").toEqual([
      1, 9, 2, 3, 4, 5,
    ]);
  });
  it("goes to the end of its modality when the line is of another one", () => {
    expect(keysOf(rubric.insert(lines, line(9, "Image"), 1, order)), "behind the last image").toEqual([
      1, 2, 3, 4, 9, 5,
    ]);
  });
  it("puts the first line of a modality behind the modalities before it", () => {
    expect(
      keysOf(rubric.insert([line(1, "Text"), line(5, "Video")], line(9, "Image"), null, order)),
      "between text and video",
    ).toEqual([1, 9, 5]);
    expect(keysOf(rubric.insert([], line(9, "Video"), null, order)), "an empty rubric begins").toEqual([9]);
  });
  it("cuts a line in two without the space between", () => {
    const cut = rubric.split([line(1, "Text", "Names A and B")], 1, 7, 2);
    expect(
      cut.map((l) => l.text),
      "both halves are trimmed at the cut",
    ).toEqual(["Names A", "and B"]);
    expect(keysOf(cut), "the first half keeps its key").toEqual([1, 2]);
  });
});

describe("moving", () => {
  it("steps over lines of other modalities", () => {
    expect(keysOf(rubric.move(lines, 4, -1)), "from behind the image to before the second text").toEqual([
      1, 4, 2, 3, 5,
    ]);
    expect(keysOf(rubric.move(lines, 2, 1)), "and down again").toEqual([1, 3, 4, 2, 5]);
  });
  it("stays at the ends", () => {
    expect(keysOf(rubric.move(lines, 1, -1)), "the first has nothing above").toEqual([1, 2, 3, 4, 5]);
    expect(keysOf(rubric.move(lines, 4, 1)), "the last text has nothing below").toEqual([1, 2, 3, 4, 5]);
  });
  it("lands where it is dropped among its own", () => {
    expect(keysOf(rubric.place(lines, 4, 0)), "dragged to the top of the tab").toEqual([4, 1, 2, 3, 5]);
    expect(keysOf(rubric.place(lines, 1, 99)), "beyond the end is the end").toEqual([2, 3, 4, 1, 5]);
  });
  it("goes to the end of the modality it is given to", () => {
    const moved = rubric.retag(lines, 1, "Image", order);
    expect(keysOf(moved), "behind the text that stands before images").toEqual([2, 3, 4, 1, 5]);
    expect(moved.find((l) => l.key === 1)?.modality, "and is an image now").toBe("Image");
  });
});

describe("deleting", () => {
  it("goes to the line before, else the one after, of the same modality", () => {
    expect(rubric.remove(lines, 4).focus, "over the image to the second text").toBe(2);
    expect(rubric.remove(lines, 1).focus, "the first has only one after").toBe(2);
    expect(rubric.remove(lines, 3).focus, "the only image has none").toBeNull();
  });
});

describe("fixes", () => {
  it("keeps the keys of what stays and of what is reworded", () => {
    const criteria = rubric.criteriaOf(rubric.write(lines, 2, "better"));
    expect(keysOf(rubric.adopt(lines, criteria, counter(90))), "the focus can stay in the line").toEqual([
      1, 2, 3, 4, 5,
    ]);
  });
  it("gives an inserted line a new key and leaves the others alone", () => {
    const more = rubric.insert(lines, line(50, "Image", "stub"), null, order);
    expect(keysOf(rubric.adopt(lines, rubric.criteriaOf(more), counter(90))), "only the stub is new").toEqual(
      [1, 2, 3, 4, 90, 5],
    );
  });
  it("follows lines that move, also when two have one text", () => {
    const twins = [line(1, "Text", "same"), line(2, "Text", "same"), line(3, "Text", "other")];
    const moved = rubric.criteriaOf([twins[2]!, twins[0]!, twins[1]!]);
    expect(keysOf(rubric.adopt(twins, moved, counter(90))), "each key is used once").toEqual([3, 1, 2]);
  });
  it("finds the blank to fill in", () => {
    expect(rubric.blankOf("Identifies the ___ as ___."), "the first one").toEqual([15, 18]);
    expect(rubric.blankOf("snake_case"), "a single underscore is a letter").toBeNull();
  });
});

describe("dismissals and flags", () => {
  it("hold for one rule on one text, with the newest reason", () => {
    let all = rubric.dismiss([], "compound", "h1", " one thing ");
    all = rubric.dismiss(all, "compound", "h2", "x");
    all = rubric.dismiss(all, "compound", "h1", "other");
    expect(all, "one entry per rule and text").toEqual([
      { rule: "compound", text_sha256: "h2", reason: "x" },
      { rule: "compound", text_sha256: "h1", reason: "other" },
    ]);
    expect(rubric.restore(all, "compound", "h1").length, "taken back").toBe(1);
    expect(rubric.restore(all, "subjective", "h1").length, "another rule is not touched").toBe(2);
    expect(rubric.holding(all, new Set(["h2"])).length, "a text that is gone takes its dismissal along").toBe(
      1,
    );
  });
  it("excuse errors about a flagged modality, nothing else", () => {
    const found = (more: Partial<Found>): Found => ({
      rule: "uncovered-modality",
      severity: "error",
      message: "",
      why: "",
      key: null,
      ...more,
    });
    const flags = rubric.flag([], "Video", "no video was asked for");
    const all = [found({ modality: "Video" }), found({ modality: "Image" }), found({ severity: "warning" })];
    expect(rubric.blocks(all, flags), "the image still has to be covered").toEqual([all[1]]);
    expect(rubric.flag(flags, "Video", "again").length, "one flag a modality").toBe(1);
  });
});

describe("undo in the editor", () => {
  it("takes typing without a pause as one step", () => {
    let t = trail.emptyTrail<string>();
    t = trail.step(t, "", "type 1", 0);
    t = trail.step(t, "a", "type 1", 100);
    t = trail.step(t, "ab", "type 1", 100 + trail.PAUSE_MS);
    const once = trail.undo(t, "abc");
    expect(once?.state, "back to the pause").toBe("ab");
    const twice = once && trail.undo(once.trail, once.state);
    expect(twice?.state, "then to the beginning").toBe("");
    const again = twice && trail.redo(twice.trail, twice.state);
    expect(again?.state, "and forward again").toBe("ab");
  });
  it("never runs two fixes together, and a new step ends redo", () => {
    let t = trail.step(trail.emptyTrail<string>(), "0", "fix", 0);
    t = trail.step(t, "1", "fix", 1);
    const back = trail.undo(t, "2");
    expect(back?.state, "one fix at a time").toBe("1");
    expect(trail.redo(trail.step(back!.trail, "1", "fix", 2), "3"), "what was undone is gone").toBeNull();
  });
});

describe("comparing", () => {
  const c = (id: string, criterion: string, modality: Line["modality"] = "Text") => ({
    id,
    criterion,
    modality,
  });
  it("pairs what stayed, what was reworded, what went and what is new", () => {
    const pairs = compare(
      [c("1", "a"), c("2", "b"), c("3", "c"), c("4", "d", "Image")],
      [c("1", "a"), c("2", "B"), c("3", "c"), c("4", "e")],
    );
    expect(
      pairs.map((p) => [p.kind, p.before?.id, p.after?.id]),
      "in the order of the modalities",
    ).toEqual([
      ["same", "1", "1"],
      ["changed", "2", "2"],
      ["same", "3", "3"],
      ["new", undefined, "4"],
      ["gone", "4", undefined],
    ]);
  });
  it("finds nothing between equal rubrics", () => {
    expect(
      compare([c("1", "a")], [c("1", "a")]).every((p) => p.kind === "same"),
      "all stayed",
    ).toBe(true);
  });
});
