// The words beside the figures: taken from the result, true at the edges, and never a number for an undefined value.
import { describe, expect, it } from "vitest";
import {
  band,
  bestOf,
  chance,
  fourOf,
  intervalText,
  meaning,
  rates,
  valueText,
  type Numbers,
} from "./figures";

const table = (a: number, b: number, c: number, d: number): Pick<Numbers, "confusion"> => ({
  confusion: {
    labels: ["correct", "incorrect"],
    counts: [
      [a, b],
      [c, d],
    ],
  },
});
const none = { undefined: "only one label occurs" };
const numbers = (over: Partial<Numbers>): Numbers => ({
  units: 415,
  raters: 2,
  pairable_units: 415,
  percent_agreement: { value: 276 / 415 },
  scott_pi: { value: 0.28146, ci95: [0.19, 0.37] },
  cohen_kappa: none,
  fleiss_kappa: none,
  krippendorff_alpha: none,
  gwet_ac1: none,
  gwet_ac2_linear: none,
  gwet_ac2_quadratic: none,
  brennan_prediger: none,
  pabak: none,
  ...table(192, 55, 84, 84),
  ...over,
});

describe("what follows from the table", () => {
  it("reads the cells by their label, not by their place", () => {
    const turned = {
      confusion: {
        labels: ["incorrect", "correct"],
        counts: [
          [84, 84],
          [55, 192],
        ],
      },
    };
    expect(fourOf(turned), "rows and columns swapped together").toEqual(fourOf(table(192, 55, 84, 84)));
  });
  it("agrees with π: (observed − chance) / (1 − chance)", () => {
    const four = fourOf(table(192, 55, 84, 84))!;
    const expected = chance(four)!;
    const pi = (276 / 415 - expected) / (1 - expected);
    expect(pi, "the image cell of MMI's figure 16").toBeCloseTo(0.28145689177322, 12);
    expect(rates(four)!.judge, "row margin").toBeCloseTo(0.5951807228915663, 12);
    expect(rates(four)!.human, "column margin").toBeCloseTo(0.6650602409638554, 12);
  });
  it("has no rates without units", () => {
    expect(rates(fourOf(table(0, 0, 0, 0))!), "0 of 0 is not 0").toBeUndefined();
    expect(chance(fourOf(table(0, 0, 0, 0))!), "nor is chance").toBeUndefined();
  });
  it("says nothing about tables of other labels", () => {
    expect(fourOf({ confusion: null }), "many raters have no 2×2").toBeUndefined();
    expect(
      fourOf({
        confusion: {
          labels: ["x", "y"],
          counts: [
            [1, 0],
            [0, 1],
          ],
        },
      }),
      "no verdicts in it",
    ).toBeUndefined();
  });
});

describe("sentences", () => {
  it("name the share, the number of units and who", () => {
    expect(meaning(numbers({}), "ben")[0], "first the plain fact").toBe(
      "The judge and ben agree on 66.5 % of 415 judged outputs.",
    );
    expect(meaning(numbers({}), "ben").join(" "), "judge 59.5 %, people 66.5 %").toContain(
      "stricter of the two",
    );
  });
  it("says so when agreement is below chance, and gives no share of the way", () => {
    const said = meaning(numbers({ scott_pi: { value: -0.09 } }), "ben").join(" ");
    expect(said, "worse than chance").toContain("less often than chance");
    expect(said, "no way is gone").not.toContain("Of the way");
  });
  it("warns when the interval reaches chance", () => {
    const wide = meaning(numbers({ scott_pi: { value: 0.2, ci95: [-0.1, 0.5] } }), "ben").join(" ");
    expect(wide, "0 lies within").toContain("reaches down to chance");
  });
  it("say nothing about an undefined π", () => {
    const said = meaning(numbers({ scott_pi: none }), "ben").join(" ");
    expect(said, "chance is not compared with nothing").not.toContain("by chance");
  });
});

describe("values", () => {
  it("give the reason in place of a number", () => {
    expect(valueText(none), "the reason").toBe("undefined: only one label occurs");
    expect(valueText({ value: 0 }), "zero is a value").toBe("0.00");
    expect(intervalText({ value: 1 }), "no resamples, no interval").toBe("–");
  });
  it("fall into the bands at their upper ends", () => {
    expect([0, 0.2, 0.4, 0.6, 0.8, 1].map(band), "0.40 is still fair").toEqual([
      "poor",
      "slight",
      "fair",
      "moderate",
      "substantial",
      "perfect",
    ]);
  });
  it("finds the best threshold, the stricter one at a draw, past missing values", () => {
    const point = (threshold: number, scott_pi: number | null) => ({
      threshold,
      scott_pi,
      counts: [
        [1, 1],
        [1, 1],
      ],
    });
    expect(bestOf([point(0.5, 0.3), point(0.6, null), point(0.7, 0.3)])?.threshold, "draw").toBe(0.7);
    expect(bestOf([point(0.5, null)]), "none has a value").toBeUndefined();
  });
});
