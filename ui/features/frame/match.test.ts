// What the palette offers for what was typed.
import { describe, expect, it } from "vitest";
import { match } from "./match";

const acts = ["Submit the rubric", "Open a study by its path", "Copy the table as CSV", "Undo"];
const find = (wanted: string): string[] => match(wanted, acts, (a) => a);

describe("match", () => {
  it("offers everything in its order when nothing is typed", () => {
    expect(find("  "), "only spaces").toEqual(acts);
  });
  it("wants every word, in any order", () => {
    expect(find("csv copy"), "both words").toEqual(["Copy the table as CSV"]);
    expect(find("copy rubric"), "no act has both").toEqual([]);
  });
  it("puts beginnings before middles", () => {
    expect(find("u")[0], "Undo begins with it").toBe("Undo");
  });
});
