// Which files are rows under which judging, and figures by their paths.
import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import { chosen, figureAt, mainFolder, presencePath, reasonAt, repeated, variants } from "./rows";

const file = (run_name: string, variant: string, rows: number): T.FileScores =>
  ({
    run_name,
    variant,
    rows,
    timestamp: "20260612_093015",
    f1: 0.5,
    f1_strict: null,
    per_modality: { strict: { Audio: { precision: null, recall: 0 } } },
    undefined: { "per_modality.strict.Audio.precision": "never detected" },
  }) as unknown as T.FileScores;
const scores: T.StudyScores = {
  runs: {
    a: {
      files: {
        "x.jsonl": file("x", "", 24),
        "y.jsonl": file("y", "", 24),
        "y2.jsonl": file("y", "_rejudged", 24),
      },
      overall: file("", "", 48),
    },
    b: { files: { "x.jsonl": file("x", "", 8) }, overall: file("", "", 8) },
  },
};

describe("chosen", () => {
  it("shows the base files, and a variant only when it is asked for", () => {
    expect(
      chosen(scores, "a", "").rows.map((r) => r.model),
      "no rejudged file among them",
    ).toEqual(["x", "y"]);
    expect(
      chosen(scores, "a", "rejudged").rows.map((r) => r.key),
      "that one alone",
    ).toEqual(["a/y2.jsonl"]);
    expect(chosen(scores, "b", "rejudged").rows, "there is none in b").toEqual([]);
  });
  it("gives the whole of a folder, and none over several folders or one file", () => {
    expect(chosen(scores, "a", "").total?.figures.rows, "two files together").toBe(48);
    expect(chosen(scores, "", "").total, "folders are not added up").toBeUndefined();
    expect(chosen(scores, "b", "").total, "one file is its own whole").toBeUndefined();
  });
  it("takes all folders when none is named", () => {
    expect(
      chosen(scores, "", "").rows.map((r) => r.key),
      "each under its folder",
    ).toEqual(["a/x.jsonl", "a/y.jsonl", "b/x.jsonl"]);
    expect(repeated(chosen(scores, "", "").rows), "x of a and x of b are told apart by the folder").toBe(
      false,
    );
  });
});

describe("figures by path", () => {
  const figures = file("x", "", 1);
  it("finds numbers, keeps zero, and gives nothing for what is not defined", () => {
    expect(figureAt(figures, "per_modality.strict.Audio.recall"), "zero is a value").toBe(0);
    expect(figureAt(figures, "per_modality.strict.Audio.precision"), "null is none").toBeUndefined();
    expect(figureAt(figures, "no.such.path"), "nor is what is not there").toBeUndefined();
    expect(reasonAt(figures, "per_modality.strict.Audio.precision"), "and says why").toBe("never detected");
  });
  it("names the strict twin of a figure", () => {
    expect(presencePath("f1", "strict"), "strict").toBe("f1_strict");
    expect(presencePath("f1", "lenient"), "lenient").toBe("f1");
  });
});

describe("what there is", () => {
  it("lists the judgings without their underscore", () => {
    expect(variants(scores), "the base one is not a variant").toEqual(["rejudged"]);
  });
  it("begins with the folder that has most rows", () => {
    expect(mainFolder(scores), "a has 72 rows").toBe("a");
    expect(mainFolder({ runs: {} }), "an empty study has none").toBe("");
  });
});
