// What may be typed into "Hand out work", and what it comes to.
import { describe, expect, it } from "vitest";
import { dayAhead, shareOf, whole } from "./handing";

describe("whole", () => {
  it("takes whole numbers in their range and nothing else", () => {
    expect(whole(" 7 ", 1, 10), "spaces do not matter").toBe(7);
    expect(whole("0", 1, 10), "below").toBeUndefined();
    expect(whole("11", 1, 10), "above").toBeUndefined();
    expect(whole("2.5", 1, 10), "no half people").toBeUndefined();
    expect(whole("", 0, 10), "an empty field is not 0").toBeUndefined();
    expect(whole("1e1", 1, 10), "no other spellings").toBeUndefined();
  });
});

describe("shareOf", () => {
  it("reads per cent, with a point or a comma", () => {
    expect(shareOf("100"), "all").toBe(1);
    expect(shareOf("12,5"), "a comma").toBe(0.125);
    expect(shareOf("12.5"), "a point").toBe(0.125);
  });
  it("refuses nothing, and more than all", () => {
    expect(shareOf("0"), "nothing to hand out").toBeUndefined();
    expect(shareOf("100.1"), "more than there is").toBeUndefined();
    expect(shareOf("-5"), "negative").toBeUndefined();
    expect(shareOf(""), "empty").toBeUndefined();
  });
});

describe("dayAhead", () => {
  const now = new Date("2026-11-30T12:00:00Z");
  it("takes a day that is not over", () => {
    expect(dayAhead("2026-11-30", now), "today ends tonight").toBe("2026-11-30");
    expect(dayAhead(" 2027-02-28 ", now), "spaces do not matter").toBe("2027-02-28");
    expect(dayAhead("", now), "none is wanted").toBe("");
  });
  it("refuses what is over, and what is no day", () => {
    expect(dayAhead("2026-11-29", now), "yesterday").toBeUndefined();
    expect(dayAhead("2027-02-29", now), "there is none in 2027").toBeUndefined();
    expect(dayAhead("15.12.2026", now), "another order").toBeUndefined();
  });
});
