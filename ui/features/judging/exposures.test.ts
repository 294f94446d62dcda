/** What a judgement says of what was played and seen. */
import { expect, it } from "vitest";
import type { ShownAsset } from "$ui/components/media/asset";
import { Exposures } from "./exposures";

const asset = (hash: string | null, format = "mp3"): ShownAsset & { modality: string } => ({
  key: hash ?? "0",
  modality: format === "pdf" ? "Document" : "Audio",
  hash,
  name: `it.${format}`,
  format,
  bytes: 1,
  state: "ok",
  source: null,
});

it("keeps each asset once, with its engines in the order of first use, and no stretch twice", () => {
  const all = new Exposures();
  all.played(asset("a"), [[0, 1.5]], Number.NaN, "sound_card");
  all.played(asset("a"), [[1, 2]], 4, "web_view");
  all.played(asset("a"), [[3, 3.5]], 4, "sound_card");
  all.failed(asset("b"), { code: "decode", message: "" });
  all.played(asset(null), [[0, 9]], 9, "web_view");
  expect(all.list(), "a link has no content that could be named").toEqual([
    {
      asset: "a",
      engines: ["sound_card", "web_view"],
      played_ms: 2500,
      played: [
        [0, 2000],
        [3000, 3500],
      ],
      length_ms: 4000,
      failure: null,
    },
    { asset: "b", engines: [], played_ms: 0, length_ms: null, failure: "decode" },
  ]);
  all.clear();
  expect(all.list(), "the next item begins with none").toEqual([]);
});

it("goes on where it was left", () => {
  const before = new Exposures();
  before.played(asset("a"), [[0, 2]], 8, "web_view");
  before.seen(asset("d", "pdf"), [1], 3);
  const after = new Exposures();
  after.restore(before.list());
  after.played(asset("a"), [[1, 4]], 8, "web_view");
  after.seen(asset("d", "pdf"), [2, 1], 3);
  expect(after.list().map((one) => [one.played_ms, one.pages])).toEqual([
    [4000, undefined],
    [0, [1, 2]],
  ]);
});

it("says what is lacking: 4 of 8 seconds are half, 2 of 3 pages two thirds", () => {
  const all = new Exposures();
  const [sound, paper] = [asset("a"), asset("d", "pdf")];
  expect(all.lacks([sound], "Audio", { played: 50, pages: 0 }), "nothing was played").toBe(true);
  expect(all.lacks([sound], "Audio", { played: 0, pages: 90 }), "nothing is asked for").toBe(false);
  all.played(sound, [[0, 4]], 8, "web_view");
  all.seen(paper, [1, 3], 3);
  expect(all.lacks([sound], "Audio", { played: 50, pages: 0 })).toBe(false);
  expect(all.lacks([sound], "Audio", { played: 51, pages: 0 })).toBe(true);
  expect(all.lacks([paper], "Document", { played: 0, pages: 66 })).toBe(false);
  expect(all.lacks([paper], "Document", { played: 0, pages: 67 })).toBe(true);
  all.failed(sound, { code: "decode", message: "" });
  expect(
    all.lacks([sound], "Audio", { played: 100, pages: 0 }),
    "what cannot be played is not asked for",
  ).toBe(false);
  expect(all.lacks([sound], "Image", { played: 100, pages: 100 }), "a picture is seen at once").toBe(false);
});
