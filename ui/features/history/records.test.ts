// What a record says of itself and of its neighbours.
import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import { kindName, kindsOf, promptKeyOf, recordKey, replacedBy, replacing, standingOf } from "./records";

const entry = (more: Partial<T.HistoryEntry>): T.HistoryEntry => ({
  about: "p204117 · model-a · Text",
  can_undo: false,
  detail: "{}",
  in_force: true,
  kind: "judgement",
  made_at: "2026-01-01T00:00:00Z",
  person: "sam",
  replaces: [],
  statement: "s1",
  summary: "Text correct",
  ...more,
});

describe("kinds", () => {
  it("offers a blind role its own kinds only", () => {
    expect(kindsOf("judge"), "a judge never meets a settlement").toEqual(["judgement", "retraction"]);
    expect(kindsOf("author"), "nor does an author").not.toContain("settlement");
    expect(kindsOf("lead"), "a lead meets all").toContain("assignment");
  });
  it("shows a kind of a later version by its own name", () => {
    expect(kindName("peer_review"), "readable").toBe("peer review");
  });
});

describe("what a record is about", () => {
  it("finds the prompt's key, also without a model", () => {
    expect(promptKeyOf(entry({})), "before the model").toBe("p204117");
    expect(promptKeyOf(entry({ about: "p204117" })), "alone").toBe("p204117");
  });
  it("finds none where there is none", () => {
    expect(
      promptKeyOf(entry({ kind: "assignment", about: "noor" })),
      "a person is no prompt",
    ).toBeUndefined();
    expect(
      promptKeyOf(entry({ about: "a response" })),
      "what a judge's record says without its prompt",
    ).toBeUndefined();
  });
});

describe("how records hang together", () => {
  const rows = [
    entry({ statement: "s3", kind: "retraction", replaces: ["s2"] }),
    entry({ statement: "s2", replaces: ["s1"], in_force: false }),
  ];
  it("points to what is loaded and keeps the id of what is not", () => {
    expect(replacedBy(rows, rows[0]!), "s2 is the next row").toEqual([{ id: "s2", at: 1 }]);
    expect(replacedBy(rows, rows[1]!), "s1 is further down").toEqual([{ id: "s1", at: undefined }]);
  });
  it("points back as well", () => {
    expect(replacing(rows, rows[1]!), "the retraction").toEqual([0]);
    expect(
      replacing(rows, entry({ statement: null })),
      "a record from a file has no id to be named by",
    ).toEqual([]);
  });
  it("says how each stands", () => {
    expect(standingOf(rows[0]!), "a retraction is not itself taken back").not.toBe(standingOf(rows[1]!));
  });
  it("tells records from files apart by their place", () => {
    const file = entry({ statement: null });
    expect(recordKey(file, 1), "two that say the same are two rows").not.toBe(recordKey(file, 2));
  });
});
