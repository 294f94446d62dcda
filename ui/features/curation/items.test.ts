import { describe, expect, it } from "vitest";
import { byKey, sameItem, states } from "./items";

describe("two contents", () => {
  it("are the same whatever the order of their fields, and an empty field is none", () => {
    expect(
      sameItem(
        { kind: "prompt", text: "a" },
        JSON.parse('{"text":"a","kind":"prompt"}') as { kind: "prompt"; text: string },
      ),
      "the order of keys says nothing",
    ).toBe(true);
    expect(sameItem({ kind: "prompt", text: "a" }, { kind: "prompt", text: "a " }), "a space does").toBe(
      false,
    );
  });
});

describe("states", () => {
  it("are those that occur, retained first", () => {
    const counts = { items: 5, open: 2, disputed: 0, retained: 3, discarded: 0, revised: 0 };
    expect(states(counts)).toEqual([
      ["retained", 3],
      ["open", 2],
    ]);
  });
});

describe("keys", () => {
  it("are in the order in which people count", () => {
    const keys = ["s10", "s2", "a3", "s1"].map((key) => ({ key })).sort(byKey);
    expect(keys.map((one) => one.key)).toEqual(["a3", "s1", "s2", "s10"]);
  });
});
