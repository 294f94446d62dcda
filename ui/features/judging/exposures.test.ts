/** What a judgement says of what was played and seen. */
import { expect, it } from "vitest";
import type { ShownAsset } from "$ui/components/media/asset";
import { Exposures, type Least } from "./exposures";

const least = (asked: Partial<Least>): Least => ({ played: 0, pages: 0, text: 0, picture: 0, ...asked });

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
  expect(all.lacks([sound], "Audio", least({ played: 50, pages: 0 })), "nothing was played").toBe(true);
  expect(all.lacks([sound], "Audio", least({ played: 0, pages: 90 })), "nothing is asked for").toBe(false);
  all.played(sound, [[0, 4]], 8, "web_view");
  all.seen(paper, [1, 3], 3);
  expect(all.lacks([sound], "Audio", least({ played: 50, pages: 0 }))).toBe(false);
  expect(all.lacks([sound], "Audio", least({ played: 51, pages: 0 }))).toBe(true);
  expect(all.lacks([paper], "Document", least({ played: 0, pages: 66 }))).toBe(false);
  expect(all.lacks([paper], "Document", least({ played: 0, pages: 67 }))).toBe(true);
  all.failed(sound, { code: "decode", message: "" });
  expect(
    all.lacks([sound], "Audio", least({ played: 100, pages: 0 })),
    "what cannot be played is not asked for",
  ).toBe(false);
  expect(all.lacks([sound], "Image", least({ played: 100, pages: 100 })), "a picture is no sound").toBe(
    false,
  );
});

it("counts how long a picture was in view, and how far the text was", () => {
  const all = new Exposures();
  const picture = { ...asset("p", "png"), modality: "Image" };
  expect(all.lacks([picture], "Image", least({ picture: 2 })), "it was not in view").toBe(true);
  expect(all.lacks([picture], "Image", least({})), "nothing is asked for").toBe(false);
  for (let look = 0; look < 7; look += 1) all.looked("p", 250, look >= 5);
  expect(all.lacks([picture], "Image", least({ picture: 2 })), "1.75 s").toBe(true);
  all.looked("p", 250, true);
  expect(all.lacks([picture], "Image", least({ picture: 2 })), "2 s").toBe(false);
  expect(all.lacks([], "Text", least({ text: 80 }), true), "no text was in view").toBe(true);
  expect(all.lacks([], "Text", least({ text: 80 }), false), "there is none").toBe(false);
  all.read(79);
  expect(all.lacks([], "Text", least({ text: 80 }), true)).toBe(true);
  all.read(80);
  all.read(10);
  expect(all.lacks([], "Text", least({ text: 80 }), true), "what was seen stays seen").toBe(false);
  expect(all.isWorked, "looking alone is kept with the verdict, and makes no draft").toBe(false);
  expect(all.list()).toMatchObject([
    { asset: "p", visible_ms: 2000, enlarged_ms: 750 },
    { asset: null, scrolled_percent: 80 },
  ]);
  const after = new Exposures();
  after.restore(all.list());
  expect(after.readPercent, "it goes on where it was left").toBe(80);
});
