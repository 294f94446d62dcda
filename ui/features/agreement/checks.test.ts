// What a row of agreement on single checks says.
import { expect, it } from "vitest";
import type { T } from "$ui/backend";
import { apart, itemLine, rowOf } from "./checks";

it("counts on which side a check stands alone", () => {
  const row = {
    judge_human: {
      confusion: {
        labels: ["met", "unmet"],
        counts: [
          [5, 2],
          [1, 4],
        ],
      },
    },
  } as unknown as T.CheckedRow;
  expect(apart(row)).toEqual({ judge: 2, people: 1 });
  expect(apart({}), "nothing to compare").toEqual({ judge: 0, people: 0 });
});
it("says what each says of a response", () => {
  const item = {
    response: "r",
    model: "m",
    judge: { met: false, score: 0.5 },
    people: [
      { person: "ana", verdict: "meets" },
      { person: "ben", verdict: "partial" },
    ],
  } as unknown as T.CheckedItem;
  expect(itemLine(item, "judge-1")).toBe("judge-1: not met (0.50) · ana: meets · ben: partially");
  const silent = { ...item };
  delete silent.judge;
  expect(itemLine(silent, "judge-1")).toContain("judge-1: no grade on these words");
});
it("takes π of two raters and Fleiss' κ of more", () => {
  const numbers = {
    raters: 2,
    scott_pi: { value: 0.25 },
    fleiss_kappa: { value: 0.5 },
  } as unknown as T.Numbers;
  expect(rowOf("two", numbers).coefficient.value).toBe(0.25);
  expect(rowOf("three", { ...numbers, raters: 3 }).coefficient.value).toBe(0.5);
});
