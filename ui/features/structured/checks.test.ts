// Checks and what becomes of them: which lines they come from, edits as patches, fixes, and two revisions compared.
import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import * as compared from "./compared";
import { fixOf } from "./fixes";
import { points } from "./leverage";
import { byLine, comesFrom, placeOf, sources } from "./marks";
import * as patches from "./patches";
import * as rehearsal from "./rehearsal";

const items: T.MetaRubricItem[] = [
  {
    id: "m1",
    type: "flexible_list",
    tier: "V",
    concept: "uses",
    baselines: [2],
    pool: [
      { id: "p1", text: "heating" },
      { id: "p2", text: "turbines" },
      { id: "i1", text: "cleaning" },
    ],
    meta_insights: [{ id: "i1", text: "Explains that it is dear.", tier: "C" }],
  },
];
const check = (id: string, rule: T.CheckRule, entries: string[], item = "m1"): T.Check => ({
  id,
  tier: "V",
  kind: "fact",
  text: "t",
  text_sha256: "hash-now",
  provenance: { item, type: "flexible_list", rule, entries, evidence: [] },
});
const compiled = (over: Partial<T.CompiledCheck> & { check: T.Check }): T.CompiledCheck => ({
  patches: [],
  outdated: false,
  suppressed: false,
  compiled_sha256: "hash-compiled",
  ...over,
});

describe("two-way marks", () => {
  const base = check("m1.base.2", "F1", ["p1", "p2", "i1"]);
  const option = check("m1.opt.p1", "F3", ["p1"]);
  const insight = check("m1.insight.i1", "M1", ["i1"]);
  it("marks for an option its own check and every threshold that counts it", () => {
    const spot = { item: 0, field: "pool", at: 0 } as const;
    expect([base, option, insight].map((one) => comesFrom(one, items, spot))).toEqual([true, true, false]);
  });
  it("does not take an insight for an option of the same id", () => {
    expect(comesFrom(insight, items, { item: 0, field: "pool", at: 2 })).toBe(false);
    expect(comesFrom(insight, items, { item: 0, field: "meta_insights", at: 0 })).toBe(true);
    expect(sources(insight, items)).toEqual([{ item: 0, field: "meta_insights", at: 0 }]);
  });
  it("marks all of an item for its head, and nothing for a check added by hand", () => {
    const head = { item: 0, field: "concept", at: 0 } as const;
    expect([base, option, insight].every((one) => comesFrom(one, items, head))).toBe(true);
    const added = check("added.1", "A1", [], "added.1");
    expect(comesFrom(added, items, head) || sources(added, items).length > 0).toBe(false);
    expect(sources(base, items)).toHaveLength(3);
  });
});

describe("patches", () => {
  const one = compiled({ check: check("m1.opt.p1", "F3", ["p1"]) });
  it("are made on the words as compiled, and one of a kind stands", () => {
    const first = patches.reworded([], one, "Names heating.", "noor", "clearer");
    expect(first).toEqual([
      {
        check: "m1.opt.p1",
        edit: { kind: "reword", text: "Names heating." },
        on_text_sha256: "hash-compiled",
        author: "noor",
        reason: "clearer",
      },
    ]);
    const again = patches.reworded(first, one, "Names heat.", "noor", "shorter");
    expect(again.map((patch) => patch.edit)).toEqual([{ kind: "reword", text: "Names heat." }]);
  });
  it("are taken back by asking for what was compiled", () => {
    const reworded = compiled({
      ...one,
      compiled: { text: "t", tier: "V" },
      check: { ...one.check, text: "other" },
    });
    const given = patches.reworded([], one, "other", "noor", "x");
    expect(patches.reworded(given, reworded, "t", "noor", "y")).toEqual([]);
    const tier = patches.retiered([], one, "AC", "noor", "x");
    const higher = compiled({
      ...one,
      compiled: { text: "t", tier: "V" },
      check: { ...one.check, tier: "AC" },
    });
    expect(patches.retiered(tier, higher, "V", "noor", "y")).toEqual([]);
    expect(patches.askedAgain(patches.suppressed(tier, one, "noor", "z"), one)).toEqual(tier);
  });
  it("change an added check where it was added", () => {
    const made = patches.added([], "m1.opt.p1", "Says please.", "C", "noor", "manners");
    expect(made[0]).toMatchObject({ check: "added.1", edit: { kind: "add", after: "m1.opt.p1" } });
    const own = compiled({ check: check("added.1", "A1", [], "added.1") });
    expect(patches.retiered(made, own, "V", "noor", "more")[0]?.edit).toMatchObject({
      kind: "add",
      tier: "V",
    });
    expect(patches.suppressed(made, own, "noor", "no"), "it is gone with its patch").toEqual([]);
  });
});

describe("fixes", () => {
  const found = (over: Partial<T.RubricDiagnostic>): T.RubricDiagnostic => ({
    severity: "error",
    code: "FL-03",
    field: "baselines",
    item: 0,
    message: "",
    ...over,
  });
  it("mend in the outline what needs no conversion", () => {
    expect(fixOf(found({}), items)?.items?.[0]).toMatchObject({ baselines: [1] });
    const twice = fixOf(found({ code: "FL-11", field: "pool", element: 1 }), items);
    expect((twice?.items?.[0] as { pool: T.Element[] }).pool.map((one) => one.id)).toEqual(["p1", "i1"]);
    expect(fixOf(found({ code: "RE-02" }), items), "only the author knows").toBeUndefined();
  });
  it("ask the backend for a conversion that it offers", () => {
    const fix = fixOf(found({ code: "FL-08", fix: { kind: "type", to: "strict_list" } }), items);
    expect(fix).toMatchObject({ label: "Make it a strict list", conversion: { to: "strict_list" }, item: 0 });
  });
  it("are shown at their element, else at the head of their item", () => {
    expect(placeOf(found({ field: "pool", element: 1 }), items)).toEqual({ item: 0, field: "pool", at: 1 });
    expect(placeOf(found({}), items)).toEqual({ item: 0, field: "concept", at: 0 });
    expect(placeOf(found({ item: null }), items)).toBeNull();
    const all = [found({ field: "pool", element: 1 }), found({}), found({ item: null })];
    expect([...byLine(all, items)].map(([line, some]) => [line, some.length])).toEqual([
      ["0.pool.1", 1],
      ["0.concept.0", 1],
    ]);
  });
});

describe("two revisions", () => {
  const words = (text: string, tier: T.Tier = "V"): T.CheckWords => ({ text, tier });
  const checks: T.ComparedWords[] = [
    { id: "a", change: "same", before: words("a"), after: words("a"), stale: false },
    { id: "b", change: "same", before: words("b"), after: words("b", "C"), stale: false },
    { id: "c", change: "changed", before: words("c"), after: words("d"), stale: true },
    { id: "d", change: "gone", before: words("e"), stale: true },
    { id: "e", change: "new", after: words("f"), stale: false },
  ];
  it("are counted: another tier makes no verdict stale", () => {
    expect(compared.counts(checks)).toEqual({
      new: 1,
      gone: 1,
      changed: 1,
      same: 2,
      moved: 1,
      stale: 2,
      stand: 2,
    });
    expect(compared.touched(checks).map((one) => one.id)).toEqual(["b", "c", "d", "e"]);
  });
});

describe("points", () => {
  it("are out of 100, with one decimal unless it is zero", () => {
    expect([points(0.6), points(0.1 / 3), points(-1.2), points(0)]).toEqual(["60", "3.3", "−120", "0"]);
  });
});

describe("a rehearsal", () => {
  const one = { id: "m1.fact", text_sha256: "h1" };
  it("binds a verdict to the words of its check, and one stands per check", () => {
    const first = rehearsal.judged([], null, one, "partial");
    expect(first).toEqual([{ verdicts: [{ check: "m1.fact", text_sha256: "h1", verdict: "partial" }] }]);
    const again = rehearsal.judged(first, null, one, "meets");
    expect(again[0]?.verdicts?.map((given) => given.verdict)).toEqual(["meets"]);
    expect(rehearsal.judged(again, null, one, null), "nothing is left to keep").toEqual([]);
  });
  it("keeps an author's words apart from the draft, by the check that the answer fails", () => {
    const bad = { fails: "m1.fact", draft: "Water freezes." };
    const said = rehearsal.reworded([], bad, "It freezes at once.");
    expect(said).toEqual([{ fails: "m1.fact", text: "It freezes at once." }]);
    expect(rehearsal.reworded(said, bad, "Water freezes. "), "the draft again").toEqual([]);
  });
  it("counts how the checks did", () => {
    expect(rehearsal.tally(["separates", "untried", "separates"])).toMatchObject({
      separates: 2,
      untried: 1,
    });
  });
});
