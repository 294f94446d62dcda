// Ticks must be round and cover the values; a missing value must not be bridged.
import { describe, expect, it } from "vitest";
import { path, scale, ticks } from "./plot";

describe("ticks", () => {
  it("are round and cover the range", () => {
    expect(ticks(0, 1), "fifths").toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(0.28, 0.43), "hundredths").toEqual([0.25, 0.3, 0.35, 0.4, 0.45]);
  });
  it("do not run away on one value", () => {
    expect(ticks(3, 3), "one tick").toEqual([3]);
  });
});

describe("path", () => {
  const same = (v: number): number => v;
  it("breaks where a value is missing", () => {
    const d = path(
      [
        { x: 0, y: 1 },
        { x: 1, y: null },
        { x: 2, y: 3 },
      ],
      same,
      same,
    );
    expect(d, "two strokes, no bridge").toBe("M0.00 1.00M2.00 3.00");
  });
  it("puts a range of nothing in the middle", () => {
    expect(scale(5, 5, 0, 10)(5), "no division by zero").toBe(5);
  });
});
