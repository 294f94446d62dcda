/** Boxes over pictures and pages. */
import { expect, it } from "vitest";
import { drawn, moved, pixels, sized, shares, thousandths } from "./boxes";

it("stays inside whatever the keys say", () => {
  const box = { x: 0.75, y: 0, width: 0.25, height: 0.5 };
  expect(moved(box, 1, -1), "at the edges nothing moves").toEqual(box);
  expect(sized(box, 1, 1)).toMatchObject({ width: 0.25, height: 0.52 });
  expect(sized({ ...box, width: 0.01 }, -1, 0).width, "it never becomes empty").toBe(0.01);
});
it("is drawn between two corners in any direction", () => {
  const box = drawn({ x: 0.75, y: 0.5 }, { x: 0.25, y: 2 });
  expect(box).toEqual({ x: 0.25, y: 0.5, width: 0.5, height: 0.5 });
});
it("becomes whole pixels of the picture and comes back", () => {
  const size = { width: 640, height: 480 };
  const box = pixels({ x: 0.25, y: 0.5, width: 0.125, height: 0.25 }, size);
  expect(box).toEqual({ x: 160, y: 240, width: 80, height: 120 });
  expect(shares(box, size)).toEqual({ x: 0.25, y: 0.5, width: 0.125, height: 0.25 });
  expect(pixels({ x: 1, y: 1, width: 0, height: 0 }, size), "the last pixel").toEqual({
    x: 639,
    y: 479,
    width: 1,
    height: 1,
  });
  expect(thousandths({ x: 0.6, y: 0, width: 0.4, height: 0.01 })).toEqual({
    x: 600,
    y: 0,
    width: 400,
    height: 10,
  });
});
