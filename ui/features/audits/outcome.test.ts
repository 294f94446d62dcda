import { describe, expect, it } from "vitest";
import type { T } from "$ui/backend";
import { isWhole } from "./outcome";

const of = (finished: number, items: number, audited: number): T.AuditOutcome => ({
  finished,
  items,
  audited,
  errors: 0,
  error_rate: { value: 0 },
  at_most: { value: 0 },
  verdict: "open",
});

describe("an audit", () => {
  it("is of the whole only once all there is was looked through", () => {
    expect(isWhole(of(20, 20, 20))).toBe(true);
    expect(isWhole(of(20, 20, 19)), "one is left").toBe(false);
    expect(isWhole(of(21, 20, 20)), "a sample").toBe(false);
    expect(isWhole(of(0, 0, 0)), "nothing").toBe(false);
  });
});
