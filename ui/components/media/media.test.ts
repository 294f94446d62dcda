/** Times, played ranges, and which view a file gets. */
import { describe, expect, it } from "vitest";
import { uprightSize, viewFor } from "./asset";
import { clock, frameAt, middleOf } from "./clock";
import { addRange, covered, type Range } from "./ranges";

describe("clock", () => {
  it("cuts instead of rounding", () => {
    expect(clock(5.29), "5.3 is not reached yet").toBe("0:05.2");
    expect(clock(59.999, 0), "nor is the minute").toBe("0:59");
    expect(clock(12.345, 3)).toBe("0:12.345");
  });
  it("shows hours only when there are some", () => expect(clock(3723.4)).toBe("1:02:03.4"));
  it("an unknown time is a dash", () => {
    expect(clock(Number.NaN), "before loadedmetadata").toBe("–");
    expect(clock(Number.POSITIVE_INFINITY), "a stream has no end").toBe("–");
  });
});

describe("frames", () => {
  it("stepping by middles visits every frame once", () => {
    const fps = 30000 / 1001;
    for (let frame = 0; frame < 200; frame++)
      expect(frameAt(middleOf(frame, fps), fps), "the middle of a frame lies in it").toBe(frame);
  });
  it("a time that lies a rounding error before a frame's start counts as that frame", () =>
    expect(frameAt(370 / 29.97 - 1e-6, 29.97)).toBe(370));
});

describe("played ranges", () => {
  it("counts a part that was played twice once", () => {
    let ranges: Range[] = [];
    for (const range of [
      [0, 4],
      [2, 6],
      [10, 12],
      [10.5, 11],
    ] as Range[])
      ranges = addRange(ranges, range);
    expect(ranges, "overlaps are merged").toEqual([
      [0, 6],
      [10, 12],
    ]);
    expect(covered(ranges)).toBe(8);
  });
  it("touching parts become one", () => expect(addRange([[0, 1]], [1, 2])).toEqual([[0, 2]]));
  it("nothing is added by a seek back", () => expect(addRange([[0, 1]], [5, 3])).toEqual([[0, 1]]));
});

describe("the size of a picture", () => {
  it("is the one it is shown in", () => {
    const stored = { width: 40, height: 20 };
    expect(uprightSize({ ...stored, orientation: 3 }), "upside down is as wide").toEqual(stored);
    expect(uprightSize({ ...stored, orientation: 6 }), "a quarter turn swaps the sides").toEqual({
      width: 20,
      height: 40,
    });
    expect(uprightSize({ width: null, height: 20 }), "half a size is none").toBeNull();
  });
});

describe("which view", () => {
  it.each([
    ["png", "image"],
    ["svg", "image"],
    ["wav", "audio"],
    ["mp4", "video"],
    ["pdf", "pdf"],
    ["xlsx", "document"],
    ["html", "document"],
    ["tiff", "image"],
    ["heic", "none"],
    ["bin", "none"],
  ])("%s is shown as %s", (format, view) => expect(viewFor(format)).toBe(view));
});
