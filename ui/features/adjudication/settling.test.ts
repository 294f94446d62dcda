// Rules of a settlement: what blocks it, what it starts from, where it goes next, and how grades collapse.
import { describe, expect, it } from "vitest";
import { disagreements } from "$ui/text/disagreements";
import { keyOf } from "$ui/shortcuts/table";
import { begin, blockOf, causeIds, causes, collapse, nextOpen, type Draft } from "./settling";

const draft: Draft = { verdict: "correct", cause: "rubric_gap", note: "", sendBack: false };
const grades = (...scores: number[]): { score: number }[] => scores.map((score) => ({ score }));

describe("what blocks", () => {
  it("names the verdict first, then the cause, and never the note", () => {
    expect(blockOf({ ...draft, verdict: undefined, cause: undefined }), "top of the panel first").toBe(
      "verdict",
    );
    expect(blockOf({ ...draft, cause: undefined }), "then the cause").toBe("cause");
    expect(blockOf(draft), "a note is a free gift").toBeUndefined();
  });
  it("gives each of the eleven causes a key of its own, and words", () => {
    expect(causes.length, "the contract's causes").toBe(11);
    const chords = causeIds.map(keyOf);
    expect(chords, "1–9, 0 and -").toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-"]);
    for (const cause of causes) expect(disagreements.causes[cause].name, `words for ${cause}`).not.toBe("");
  });
});

describe("where one starts", () => {
  const settled = {
    verdict: "incorrect",
    cause: "judge_error",
    note: "old",
    send_rubric_back: true,
    person: "dana",
    made_at: "",
  } as const;
  it("takes over the settlement in force", () => {
    expect(begin(settled, null), "re-settling changes what is there").toEqual({
      verdict: "incorrect",
      cause: "judge_error",
      note: "old",
      sendBack: true,
    });
  });
  it("prefers the note that was being typed, even when it was emptied", () => {
    expect(begin(settled, "new").note, "typed later").toBe("new");
    expect(begin(settled, "").note, "emptied on purpose").toBe("");
  });
  it("fills nothing in for an open case", () => {
    expect(begin(null, null), "no verdict is suggested").toEqual({
      verdict: undefined,
      cause: undefined,
      note: "",
      sendBack: false,
    });
  });
});

describe("collapse", () => {
  it("says which lower threshold would make it correct", () => {
    const c = collapse(grades(1, 1, 1, 0), 0.75, 1);
    expect([c.met, c.of], "criteria fully met").toEqual([3, 4]);
    expect(c.sentence, "mean 0.75 reaches 0.75").toContain("would be correct at 0.75");
  });
  it("is not fooled by floating point", () => {
    const mean = (0.1 + 0.2) / 1; // 0.30000000000000004
    expect(collapse(grades(0.1, 0.2), mean, 1).sentence, "0.30, not 0.25").toContain("at 0.30");
    expect(collapse(grades(0.6), 0.1 * 6, 1).sentence, "0.6000000000000001").toContain("at 0.60");
    expect(collapse(grades(0.7), 0.7 * 1, 1).sentence, "0.7 · 20 is 14 or 13.999…").toContain("at 0.70");
  });
  it("asks for every criterion at 1.00, whatever the mean rounds to", () => {
    const c = collapse(grades(1, 0.999), 0.9995, 1);
    expect(c.sentence, "not all met").toContain("incorrect at threshold 1.00");
    expect(c.sentence, "but the mean reaches 0.95").toContain("correct at 0.95");
  });
  it("knows the two ends", () => {
    expect(collapse(grades(1, 1), 1, 1).sentence, "all met").toBe("Correct at every threshold.");
    expect(collapse(grades(0, 0), 0, 1).sentence, "nothing met").toContain("no lower one");
    expect(collapse(grades(1, 0.5), 0.75, 0.6).sentence, "turns above its mean").toContain(
      "incorrect above 0.75",
    );
  });
});

describe("the next case", () => {
  const done = { settled: begin(null, null) as never };
  const open = { settled: null };
  it("is the next open one, round the end", () => {
    expect(nextOpen([open, done, open, open], 0), "skips the settled one").toBe(2);
    expect(nextOpen([open, done, done], 2), "goes round").toBe(0);
  });
  it("is none when all others are settled", () => {
    expect(nextOpen([done, open, done], 1), "itself does not count").toBeUndefined();
    expect(nextOpen([], 0), "empty list").toBeUndefined();
  });
});
