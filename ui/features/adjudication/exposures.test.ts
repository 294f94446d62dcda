// What was played and seen, as an auditor reads it.
import { describe, expect, it } from "vitest";
import { exposureLines, exposureText, ranges } from "./exposures";

const asset = "ab".repeat(32);

describe("what was played and seen", () => {
  it("says how much of how much, and by what", () => {
    expect(
      exposureText({ asset, engines: ["web_view"], played_ms: 8200, length_ms: 12_000 }),
      "seconds, not milliseconds",
    ).toBe("8.2 of 12 s played, by the web view");
    expect(exposureText({ asset, engines: [], played_ms: 0, length_ms: 12_000 }), "opened, not played").toBe(
      "0 of 12 s played",
    );
    expect(exposureText({ asset, engines: [], played_ms: 3000 }), "of unknown length").toBe("3 s played");
  });
  it("names pages by their ranges", () => {
    expect(ranges([1, 2, 3, 5, 7, 8])).toBe("1–3, 5, 7–8");
    expect(exposureText({ asset, pages: [1, 2], page_count: 7 })).toBe("pages 1–2 of 7 seen");
  });
  it("says what could not be shown", () => {
    expect(exposureText({ asset, failure: "no_codec" })).toBe("could not be shown: no codec");
  });
  it("names the asset, where the case shows it", () => {
    const lines = exposureLines([{ asset, pages: [1] }], [{ hash: asset, name: "document.pdf" }]);
    expect(lines[0]?.name).toBe("document.pdf");
    expect(exposureLines([{ asset: "cd".repeat(32) }], [])[0]?.text, "nothing but that it was").toBe(
      "opened",
    );
  });
});
