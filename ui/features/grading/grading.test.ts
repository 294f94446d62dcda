// What a grader does, as values.
import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import {
  blockOf,
  emptyDraft,
  explain,
  isLookedThrough,
  markOf,
  nothingFound,
  ownVerdict,
  placeOf,
  reasonOf,
  rowsOf,
  say,
  turn,
} from "./grading";

const check = (id: string, text_sha256 = "aa", item = "m1"): T.Check => ({
  id,
  tier: "AC",
  kind: "fact",
  text: id,
  text_sha256,
  provenance: { item, type: "simple", rule: "S1", entries: [], demoted_from: null, evidence: [] },
});
const list: T.SoughtItem = { item: "m2", type: "flexible_list", concept: "ways", elements: [] };
const process: T.SoughtItem = { item: "m3", type: "process", concept: "brewing", elements: [] };

describe("what was found", () => {
  it("turns from found to imprecise and away, and stays looked through", () => {
    let draft = turn(emptyDraft(), list, "p1");
    expect(markOf(draft, "m2", "p1")).toBe("found");
    draft = turn(draft, list, "p1");
    expect(markOf(draft, "m2", "p1"), "named imprecisely").toBe("imprecise");
    draft = turn(draft, list, "p1");
    expect(markOf(draft, "m2", "p1")).toBe("none");
    expect(isLookedThrough(draft, "m2"), "somebody has looked").toBe(true);
  });
  it("keeps the order in which steps were met", () => {
    let draft = turn(turn(turn(emptyDraft(), process, "s2"), process, "s1"), process, "s3");
    expect(["s1", "s2", "s3"].map((step) => placeOf(draft, "m3", step))).toEqual([2, 1, 3]);
    draft = turn(draft, process, "s2");
    expect(
      ["s1", "s2", "s3"].map((step) => placeOf(draft, "m3", step)),
      "the others move up",
    ).toEqual([1, 0, 2]);
  });
  it("says that nothing was found, and takes that back", () => {
    const draft = nothingFound(turn(emptyDraft(), list, "p1"), "m2");
    expect([isLookedThrough(draft, "m2"), markOf(draft, "m2", "p1")]).toEqual([true, "none"]);
    expect(isLookedThrough(nothingFound(draft, "m2"), "m2"), "as if nobody had looked").toBe(false);
  });
});

describe("verdicts", () => {
  it("are said, taken back by saying them again, and hold for the words they were said on", () => {
    let draft = say(emptyDraft(), check("a"), "meets");
    expect(ownVerdict(draft, check("a"))).toBe("meets");
    expect(ownVerdict(draft, check("a", "bb")), "other words, other question").toBeNull();
    draft = explain(draft, check("a"), "it says so");
    draft = say(draft, check("a"), "meets");
    expect([ownVerdict(draft, check("a")), reasonOf(draft, check("a"))]).toEqual([null, "it says so"]);
  });
});

describe("what blocks", () => {
  const checks = [check("a"), check("b")];
  const weighed = (
    over: Partial<T.WeighedGrades>,
    second: Partial<T.WeighedCheck> = {},
  ): T.WeighedGrades => ({
    checks: [
      { check: "a", verdict: "meets", computed: null, unexplained: false },
      { check: "b", verdict: "meets", computed: null, unexplained: false, ...second },
    ],
    incoherences: [],
    parts: [],
    ...over,
  });
  it("is a check without a verdict, then one without a reason, then a rule that was not seen", () => {
    expect(blockOf(checks, weighed({}, { verdict: null }), [])).toEqual({ at: 1, why: "verdict" });
    expect(blockOf(checks, weighed({}, { unexplained: true }), [])).toEqual({ at: 1, why: "reason" });
    const broken = weighed({ incoherences: [{ rule: "K3", checks: ["b", "a"], message: "no" }] });
    expect(blockOf(checks, broken, [])).toEqual({ at: 1, why: "coherence", message: "K3: no" });
    expect(blockOf(checks, broken, ["K3"]), "it was seen, and stands").toBeUndefined();
  });
});

it("puts what is to be looked for before the first check about it", () => {
  const rows = rowsOf(
    [check("m1.fact"), check("m2.base.1", "aa", "m2"), check("m2.opt.p1", "aa", "m2")],
    [list],
  );
  expect(rows.map((row) => (row.kind === "sought" ? row.item.item : row.check.id))).toEqual([
    "m1.fact",
    "m2",
    "m2.base.1",
    "m2.opt.p1",
  ]);
});
