/** Times, played ranges, and which view a file gets. */
import { describe, expect, it, vi } from "vitest";
import { countable, uprightSize, viewFor, viewOf } from "./asset";
import { clock, frameAt, middleOf } from "./clock";
import { hex, oklab, ramp } from "./colours";
import { addRange, covered, type Range } from "./ranges";
import { joinPlayers, speaksForAll, type Player } from "./players.svelte";
import { heightOf, parseSpectrogram } from "./spectrogram";
import { showing, ticks, within, zoomed } from "./view-window";

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

describe("frames of a video that begins late", () => {
  it("count from the first picture", () => {
    expect(frameAt(0.5, 12, 0.5), "the first picture shows at half a second").toBe(0);
    expect(frameAt(middleOf(7, 12, 0.5), 12, 0.5)).toBe(7);
  });
});

describe("what holds for all sounds", () => {
  vi.stubGlobal("Node", { DOCUMENT_POSITION_FOLLOWING: 4 });
  /** An element in a document of places on a line. */
  const elementAt = (place: number) => {
    const compareDocumentPosition = (other: unknown) => ((other as { place: number }).place > place ? 4 : 2);
    return { place, compareDocumentPosition } as unknown as HTMLElement;
  };
  it("is said by the first on the page that a sound card would play", () => {
    const player = (place: number, wantsCard: boolean): Player => ({
      element: elementAt(place),
      wantsCard,
      toggle: () => undefined,
      pause: () => undefined,
      seekBy: () => undefined,
      step: () => undefined,
      faster: () => undefined,
      loop: () => undefined,
      mark: () => undefined,
    });
    const [film, one, two] = [player(0, false), player(1, true), player(2, true)];
    // They join in another order than they stand in.
    const leave = [two, film, one].map(joinPlayers);
    expect([film, one, two].map(speaksForAll)).toEqual([false, true, false]);
    leave[2]?.();
    expect([film, two].map(speaksForAll), "the first one is gone").toEqual([false, true]);
    leave.slice(0, 2).forEach((off) => off());
  });
});

describe("the stretch that is looked at", () => {
  it("keeps the place under the pointer", () => {
    const next = zoomed([10, 30], 0.5, 15, 100);
    expect(next, "a quarter from the left before and after").toEqual([12.5, 22.5]);
  });
  it("stays within the sound", () => {
    expect(zoomed([0, 100], 4, 50, 100), "no farther than the whole").toEqual([0, 100]);
    expect(within([95, 105], 100)).toEqual([90, 100]);
    expect(within([-5, 5], 100)).toEqual([0, 10]);
    expect(within([0, 9], 3), "a sound shorter than the stretch").toEqual([0, 3]);
  });
  it("turns the page when the ear leaves it", () => {
    expect(showing([0, 10], 5, 100)).toEqual([0, 10]);
    expect(showing([0, 10], 10, 100), "a tenth of the page is what was").toEqual([9, 19]);
    expect(showing([50, 60], 20, 100)).toEqual([11, 21]);
  });
  it("has round ticks", () => {
    expect(ticks([0, 10], 5)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks([61, 185], 4), "every minute").toEqual([120, 180]);
    expect(ticks([5, 5], 4), "nothing has no scale").toEqual([]);
  });
});

describe("spectrogram", () => {
  it.each([
    ["light", "#efefec", "#0b6b62", "#1a1d21"],
    ["dark", "#0e1011", "#5cc4b7", "#e9ebed"],
  ])("its colours go evenly from the ground to the ink, %s", (_, ground, accent, ink) => {
    const table = ramp(ground, accent, ink);
    const light = (n: number): number =>
      oklab([table[n * 3] ?? 0, table[n * 3 + 1] ?? 0, table[n * 3 + 2] ?? 0])[0];
    const [from, to] = [oklab(hex(ground))[0], oklab(hex(ink))[0]];
    expect(light(0)).toBeCloseTo(from, 2);
    expect(light(255)).toBeCloseTo(to, 2);
    for (let n = 0; n < 256; n++)
      expect(light(n), `step ${n} of 255`).toBeCloseTo(from + ((to - from) * n) / 255, 1);
  });
  it("white is lightness 1 and black is 0", () => {
    expect(oklab([255, 255, 255])[0]).toBeCloseTo(1, 5);
    expect(oklab([0, 0, 0])[0]).toBeCloseTo(0, 5);
  });
  it("reads what the server sends, and nothing that was cut", () => {
    const bytes = new Uint8Array([0x40, 0x1f, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
    const seen = parseSpectrogram(bytes.buffer);
    expect([seen.sampleRate, seen.rows, seen.columns, [...seen.cells]]).toEqual([
      8000,
      2,
      3,
      [1, 2, 3, 4, 5, 6],
    ]);
    expect(() => parseSpectrogram(bytes.slice(0, 13).buffer), "half a column").toThrow();
    expect(() => parseSpectrogram(bytes.slice(0, 5).buffer), "half a head").toThrow();
  });
  it("has its pitches on the mel scale", () => {
    expect(heightOf(0, 44100), "the lowest at the foot").toBe(1);
    expect(heightOf(22050, 44100)).toBeCloseTo(0, 9);
    expect(heightOf(440, 44100), "549.6 of 3923.3 mel").toBeCloseTo(1 - 549.64 / 3923.3, 3);
  });
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

describe("the number of a frame", () => {
  const film = { fps: 25, constant_frame_rate: true };
  it("is told where the rate is constant and the clock begins with the film", () => {
    expect(countable({ format: "mp4", video: film })).toBe(25);
    expect(countable({ format: "mp4", video: { ...film, constant_frame_rate: false } })).toBeUndefined();
    expect(
      countable({ format: "ts", video: film }),
      "a transport stream begins its clock elsewhere",
    ).toBeUndefined();
    expect(countable(null), "before it is known").toBeUndefined();
  });
});

describe("which view", () => {
  it("follows what a file holds, where its format may hold sound alone or pictures too", () => {
    expect(viewOf("webm", undefined), "before it is known").toBe("video");
    expect(viewOf("webm", "audio")).toBe("audio");
    expect(viewOf("ogg", "video")).toBe("video");
    expect(viewOf("pdf", "document")).toBe("pdf");
    expect(viewOf("png", "audio"), "no picture is a sound").toBe("image");
  });
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
