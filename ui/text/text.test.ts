// Figures as people read them, and a sentence for every error that can cross.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytes, errors, figure, percent, sentence } from "./index";

describe("figures", () => {
  it("shows a missing value as a dash, never as zero", () => {
    expect(percent(null), "undefined is not 0").toBe("–");
    expect(figure(Number.NaN), "nor is NaN").toBe("–");
    expect(percent(0), "zero is zero").toBe("0.0");
  });
  it("writes a true minus, and no minus before a zero", () => {
    expect(figure(-0.314), "rounded, with a minus sign").toBe("−0.31");
    expect(figure(-0.001), "minus zero is zero").toBe("0.00");
  });
  it("changes the unit before a thousand", () => {
    expect(bytes(999), "still bytes").toBe("999 B");
    expect(bytes(1_234_567), "megabytes").toBe("1.2 MB");
    expect(bytes(999_999_999), "rounds up to a gigabyte, not to 1000 MB").toBe("1.0 GB");
  });
});

describe("errors", () => {
  it("has a sentence for every code of the contract", () => {
    const types = readFileSync(new URL("../backend/generated/types.ts", import.meta.url), "utf8");
    const codes = [...(/export type Code = ([^;]+);/.exec(types)?.[1] ?? "").matchAll(/["'](\w+)["']/g)].map(
      (m) => m[1],
    );
    expect(codes.length, "the contract was found").toBeGreaterThan(10);
    for (const code of codes) expect(errors, `a sentence for ${code}`).toHaveProperty(code ?? "");
  });
  it("reads an unknown code as an internal error, not as nothing", () => {
    expect(sentence("from_the_future"), "still says what to do").toBe(errors.internal);
  });
});
