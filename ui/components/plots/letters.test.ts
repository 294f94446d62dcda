import { describe, expect, it } from "vitest";
import { apart, broken, cut, type Name } from "./letters";

const name = (text: string, x: number, y: number, anchor: Name["anchor"] = "start"): Name => ({
  text,
  x,
  y,
  anchor,
});

describe("names in plots", () => {
  it("cuts what has no room, and nothing else", () => {
    expect(cut("Gwet’s AC2, quadratic weights", 200)).toBe("Gwet’s AC2, quadratic weights");
    expect(cut("Gwet’s AC2, quadratic weights", 100)).toBe("Gwet’s AC2, q…");
  });

  it("breaks a long head between words", () => {
    expect(broken("Text + Video + Document", 88, 3)).toEqual(["Text + Video", "+ Document"]);
    expect(broken("LLM judge", 88, 3)).toEqual(["LLM judge"]);
    expect(broken("gemini-3-flash-preview", 88, 3)).toEqual(["gemini-3-fl…"]);
    expect(broken("one two three four", 40, 2)).toEqual(["one", "two …"]);
  });

  it("keeps names of one place apart", () => {
    const placed = apart([name("alpha", 10, 100), name("beta", 10, 100), name("gamma", 10, 100)], 0, 100);
    expect(placed.map((one) => one.y)).toEqual([100, 86, 72]);
  });

  it("leaves names that do not meet where they are", () => {
    const all = [name("a", 0, 50), name("b", 300, 50), name("c", 0, 80), name("d", 295, 50, "end")];
    expect(apart(all, 0, 100)).toEqual(all);
  });
});
