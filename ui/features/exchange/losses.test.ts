import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import { losesAnything } from "./losses";

const file = (...warnings: string[]): T.ImportedFile => ({
  path: "/run/hb.jsonl",
  format: "rubrics_healthbench",
  added: {},
  unchanged: 0,
  rejected: [],
  warnings: warnings.map((why) => ({ line: 0, why })),
});

describe("what an import would lose", () => {
  it("is told from other remarks, in any of its files", () => {
    expect(losesAnything(null)).toBe(false);
    expect(losesAnything({ files: [file(), file("no known format; left out")] })).toBe(false);
    expect(losesAnything({ files: [file(), file("a remark", "lost: names of criteria (3 in all)")] })).toBe(
      true,
    );
  });
});
