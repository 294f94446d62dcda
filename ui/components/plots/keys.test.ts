import { expect, test } from "vitest";
import { KEY_LINE, SIGN, keyPlaces } from "./keys";

test("keys stand in a line and go on in the next where the plot ends", () => {
  const places = keyPlaces(["judge", "people among themselves", "x".repeat(40)], 420);
  expect(places[0]).toEqual({ x: 0, y: 0 });
  expect(places[1]?.y).toBe(0);
  expect(places[1]?.x).toBeGreaterThan(SIGN + 5 * 6);
  expect(places[2]).toEqual({ x: 0, y: KEY_LINE });
});

test("a key wider than the plot has a line of its own, and nothing makes no line", () => {
  expect(keyPlaces(["y".repeat(200), "z"], 300)).toEqual([
    { x: 0, y: 0 },
    { x: 0, y: KEY_LINE },
  ]);
  expect(keyPlaces([], 300)).toEqual([]);
});
