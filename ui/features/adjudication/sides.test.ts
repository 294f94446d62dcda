// Who is compared with whom, and by which names.
import { describe, expect, it } from "vitest";
import { cellsOf, comparing, pairOf, sidesOf } from "./sides";

const pair = (first: string, second: string, units: number) => ({
  first,
  second,
  units,
  differ: 1,
  settled: 0,
});

describe("the two that are compared", () => {
  it("are judge and human, or people by their names", () => {
    expect(sidesOf({}), "as the screen begins").toEqual({ first: "judge", second: "human", people: false });
    expect(sidesOf({ human: "ann" }).second, "one person instead of the majority").toBe("ann");
    expect(sidesOf({ human: "settled" }).second, "what is settled is nobody's name").toBe("human");
    expect(sidesOf({ first: "ann", human: "ben" }), "two people").toEqual({
      first: "ann",
      second: "ben",
      people: true,
    });
  });
  it("name the cells", () => {
    const cells = cellsOf(sidesOf({ first: "ann", human: "ben" }));
    expect(cells.judge_only.replaceAll("\u00a0", " "), "the first says correct").toBe("ann ✓, ben ✕");
  });
});

describe("going from one to the other", () => {
  const pairs = [pair("ben", "cem", 9), pair("ann", "ben", 4)];
  it("begins with the two who have most in common", () => {
    expect(pairOf({}, pairs)).toBe(pairs[0]);
    expect(pairOf({ first: "ben", human: "ann" }, pairs), "in whichever order").toBe(pairs[1]);
    expect(pairOf({}, []), "nobody").toBeUndefined();
  });
  it("comes back to the majority", () => {
    expect(comparing({}, pairs[1])).toEqual({ first: "ann", human: "ben" });
    expect(comparing({ first: "ann", human: "ben" }, undefined)).toEqual({
      first: undefined,
      human: undefined,
    });
    expect(comparing({ human: "ann" }, undefined).human, "a person chosen before stays").toBe("ann");
  });
});
