// The arithmetic of long lists: every row can be reached, also in lists taller than a browser allows.
import { describe, expect, it } from "vitest";
import { maxHeight, scrollTo, windowOf } from "./virtual";

describe("windowOf", () => {
  it("draws a short list whole", () => {
    expect(windowOf(5, 30, 400, 0), "all five rows").toEqual({ height: 150, first: 0, end: 5, top: 0 });
  });
  it("draws only what is near the view", () => {
    const w = windowOf(10_000, 30, 300, 3000);
    expect(w.end - w.first, "ten rows and the margins").toBeLessThan(30);
    expect(w.top, "the first drawn row lies where it belongs").toBe(w.first * 30);
  });
  it("reaches the last row of a list taller than the cap", () => {
    const w = windowOf(2_000_000, 40, 600, maxHeight - 600);
    expect(w.height, "capped").toBe(maxHeight);
    expect(w.end, "the end is drawn").toBe(2_000_000);
    expect(w.top + (w.end - w.first) * 40, "and ends at the bottom").toBeCloseTo(maxHeight, 3);
  });
  it("survives a scroll beyond both ends and an empty list", () => {
    expect(windowOf(0, 30, 300, 500).end, "nothing to draw").toBe(0);
    expect(windowOf(100, 30, 300, -50).first, "rubber band at the top").toBe(0);
  });
});

describe("scrollTo", () => {
  it("stays when the row is seen, and moves as little as it can", () => {
    expect(scrollTo(3, 100, 30, 300, 0), "already seen").toBe(0);
    expect(scrollTo(10, 100, 30, 300, 0), "one row further").toBeCloseTo(30, 6);
    expect(scrollTo(0, 100, 30, 300, 900), "back to the top").toBe(0);
  });
  it("shows the row it was asked for in a capped list", () => {
    const at = scrollTo(1_234_567, 2_000_000, 40, 600, 0);
    const w = windowOf(2_000_000, 40, 600, at);
    expect(w.first <= 1_234_567 && 1_234_567 < w.end, "it is drawn").toBe(true);
  });
});
