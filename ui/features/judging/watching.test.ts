/** When a picture is in view, and how far a text was read. */
import { expect, it } from "vitest";
import { furthest, isInView } from "./watching";

const window = { top: 100, bottom: 500 };

it("counts a picture of which half is shown, or that fills half of the window", () => {
  expect(isInView({ top: 100, bottom: 300 }, window), "whole").toBe(true);
  expect(isInView({ top: 0, bottom: 200 }, window), "its lower half").toBe(true);
  expect(isInView({ top: 0, bottom: 199 }, window), "less than half").toBe(false);
  expect(isInView({ top: -4000, bottom: 4000 }, window), "taller than the window").toBe(true);
  expect(isInView({ top: -4000, bottom: 290 }, window), "of a tall one, 190 of 400").toBe(false);
  expect(isInView({ top: 500, bottom: 700 }, window), "below").toBe(false);
});

it("says how far down a text the window reached", () => {
  expect(furthest({ top: 100, bottom: 300 }, window), "it fits").toBe(100);
  expect(furthest({ top: 100, bottom: 1100 }, window), "400 of 1,000").toBe(40);
  expect(furthest({ top: -500, bottom: 501 }, window), "but for a pixel").toBe(100);
  expect(furthest({ top: -500, bottom: 505 }, window), "but for five").toBe(99);
  expect(furthest({ top: 600, bottom: 900 }, window), "not reached").toBe(0);
});
