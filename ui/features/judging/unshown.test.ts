import { expect, test } from "vitest";
import { judging as words } from "$ui/text/judging";
import { unshownOf } from "./unshown";

const asset = (modality: string, key: string, format: string) => ({
  modality,
  key,
  format,
  name: key,
  bytes: 1,
  state: "ok" as const,
  source: { url: "", mediaUrl: "" },
});

test("a card learns why its modality was not shown, and no other card does", () => {
  const assets = [
    asset("Image", "0 a", "png"),
    asset("Video", "1 b", "mp4"),
    asset("Document", "2 c", "bin"),
  ];
  const failed = new Map([["1 b", "timeout"]]);
  expect(unshownOf(assets, "Video", failed), "the player's own code").toBe("timeout");
  expect(unshownOf(assets, "Image", failed), "the picture is fine").toBe("");
  expect(unshownOf(assets, "Document", failed), "no view is for these bytes").toBe("unknown_format");
  expect(unshownOf(assets, "Audio", failed), "what is absent did not fail").toBe("");
});

test("the mark is named for what one does with the modality", () => {
  expect(words.cannot("Audio")).toBe("cannot play here");
  expect(words.cannot("Document")).toBe("cannot render here");
  expect(words.unshown("Video", "out_of_memory")).toContain("cannot be played here (out of memory)");
});
