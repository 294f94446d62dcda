/** What a judgement says of what was played. */
import { expect, it } from "vitest";
import type { ShownAsset } from "$ui/components/media/asset";
import { Exposures } from "./exposures";

const asset = (hash: string | null): ShownAsset => ({
  key: "0",
  hash,
  name: "audio.mp3",
  format: "mp3",
  bytes: 1,
  state: "ok",
  source: null,
});

it("keeps each asset once, with its engines in the order of first use", () => {
  const all = new Exposures();
  all.played(asset("a"), 1.5, Number.NaN, "sound_card");
  all.played(asset("a"), 2, 4, "web_view");
  all.played(asset("a"), 0.5, 4, "sound_card");
  all.failed(asset("b"), { code: "decode", message: "" });
  all.played(asset(null), 9, 9, "web_view");
  expect(all.list(), "a link has no content that could be named").toEqual([
    { asset: "a", engines: ["sound_card", "web_view"], played_ms: 2000, length_ms: 4000, failure: null },
    { asset: "b", engines: [], played_ms: 0, length_ms: null, failure: "decode" },
  ]);
  all.clear();
  expect(all.list(), "the next item begins with none").toEqual([]);
});
