/** Looking at a picture: fit, zoom about the pointer, the part in view, frames by time. */
import { describe, expect, it } from "vitest";
import { boundedZoom, fitScale, frameAfter, partInView, zoomAbout } from "./stage";

describe("fit", () => {
  const view = { width: 800, height: 600 };
  it("shows all of it, and enlarges nothing", () => {
    expect(fitScale({ width: 1600, height: 600 }, view, 0), "half as wide").toBe(0.5);
    expect(fitScale({ width: 40, height: 20 }, view, 0), "a small one stays at 100 %").toBe(1);
  });
  it("goes by the turned sides", () =>
    expect(fitScale({ width: 1200, height: 100 }, view, 90), "1200 tall in 600").toBe(0.5));
  it("is 100 % as long as nothing is known", () =>
    expect(fitScale({ width: 0, height: 0 }, view, 0)).toBe(1));
  it("bounds leave a huge picture its fit", () => {
    expect(boundedZoom(100, 1)).toBe(32);
    expect(boundedZoom(0.0001, 0.005), "0.5 % is where it fits").toBe(0.005);
  });
});

describe("zoom about the pointer", () => {
  it("leaves the middle where it is when the pointer is there", () =>
    expect(zoomAbout({ x: 0, y: 0 }, { x: 0, y: 0 }, 1, 2)).toEqual({ x: 0, y: 0 }));
  it("keeps what is under the pointer", () => {
    const [at, pointer] = [
      { x: 10, y: -20 },
      { x: 110, y: 30 },
    ];
    const moved = zoomAbout(at, pointer, 0.5, 2);
    // The picture's own coordinates under the pointer, from its middle: (pointer - at) / scale.
    expect((pointer.x - moved.x) / 2, "from left to right").toBe((pointer.x - at.x) / 0.5);
    expect((pointer.y - moved.y) / 2, "from top to bottom").toBe((pointer.y - at.y) / 0.5);
  });
});

describe("the part in view", () => {
  const picture = { width: 20_000, height: 10_000 };
  const view = { width: 1000, height: 600 };
  it("lies around the middle, on the grid", () =>
    expect(partInView(picture, view, { x: 0, y: 0 }, 1, 0), "9500–10500 and 4700–5300, widened").toEqual({
      x: 9472,
      y: 4608,
      width: 10_752 - 9472,
      height: 5376 - 4608,
    }));
  it("follows a move: the picture to the right means that its left comes into view", () => {
    const part = partInView(picture, view, { x: 9500, y: 0 }, 1, 0);
    expect(part?.x, "the middle of the view is at 500").toBe(0);
  });
  it("knows a turned view: what was at the left is at the top", () => {
    // Turned clockwise by 90°, the left edge is at the top: moving the picture down shows it.
    const part = partInView(picture, view, { x: 0, y: 9700 }, 1, 90);
    expect(part, "600 across of the long side, 1000 of the short one").toEqual({
      x: 0,
      y: 4352,
      width: 768,
      height: 5632 - 4352,
    });
  });
  it("is none where more is in view than the backend gives", () =>
    expect(partInView(picture, view, { x: 0, y: 0 }, 0.1, 0)).toBeNull());
  it("is none where nothing is in view", () =>
    expect(partInView(picture, view, { x: 30_000, y: 0 }, 1, 0)).toBeNull());
});

describe("frames by time", () => {
  it("takes each for as long as it is shown, round after round", () => {
    const delays = [100, 200, 50];
    expect([0, 99, 100, 299, 300, 349, 350].map((ms) => frameAfter(ms, delays))).toEqual([
      0, 0, 1, 1, 2, 2, 0,
    ]);
  });
  it("a frame without a time is shown for a tenth of a second", () =>
    expect([0, 99, 100].map((ms) => frameAfter(ms, [0, 10]))).toEqual([0, 0, 1]));
});
