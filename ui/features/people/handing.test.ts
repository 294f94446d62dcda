// What may be typed into "Hand out work", and what it comes to.
import { describe, expect, it } from "vitest";
import { comesTo, shareOf, whole } from "./handing";

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

describe("comesTo", () => {
  it("draws upwards and shares it out", () => {
    expect(comesTo(72, 0.1, 2, 1), "8 of 72, 4 each").toEqual({ items: 8, each: 4 });
    expect(comesTo(72, 1, 3, 2), "every item twice: 48 each").toEqual({ items: 72, each: 48 });
    expect(comesTo(72, 1, 0, 1).each, "nobody picked yet").toBe(0);
  });
});
