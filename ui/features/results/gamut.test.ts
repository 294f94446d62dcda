// Tables of GAMUT: which judging comes first, and models by judges.
import { expect, it } from "vitest";
import type { T } from "$ui/backend";
import { byJudge, judgings, ofJudging } from "./gamut";

const row = (model: string, judge: string, scored: number, variant = "multimodal"): T.GamutRow => ({
  model,
  judge,
  variant,
  by_person: false,
  own_family: false,
  questions: scored,
  scored,
  score: { value: 0.5 },
  tiers: {},
  mix: null,
  verdicts: 0,
  evaluator_errors: 0,
  unjudged: 0,
  stale: 0,
  unknown: 0,
});
const models = [row("a", "j", 2), row("b", "j", 2), row("a", "k", 3), row("a", "j", 9, "text_only")];

it("begins with the judging that has most answers", () => {
  expect(judgings(models).map((one) => [one.judge, one.variant])).toEqual([
    ["j", "text_only"],
    ["j", "multimodal"],
    ["k", "multimodal"],
  ]);
  const first = judgings(models)[1];
  expect(ofJudging(models, first?.key ?? "").map((one) => one.model)).toEqual(["a", "b"]);
});
it("sets models against judges of one way of asking", () => {
  const { judges, rows } = byJudge(models, "multimodal");
  expect(judges).toEqual(["j", "k"]);
  expect(rows.map((one) => [one.model, [...one.scores.keys()]])).toEqual([
    ["a", ["j", "k"]],
    ["b", ["j"]],
  ]);
});
