// The quiz as it is being answered.
import { describe, expect, it } from "vitest";
import { give, given, nextOpen, whole } from "./answers";

const items = [{ id: "a" }, { id: "b" }, { id: "c" }];

describe("a quiz that is being answered", () => {
  it("takes the two parts of an item in any order, and the last word", () => {
    let answers = give([], { item: "a", choice: 2 });
    expect(given(answers, "a")).toBe("one");
    answers = give(answers, { item: "a", is_true: false });
    expect(given(answers, "a"), "false is an answer").toBe("both");
    answers = give(answers, { item: "a", choice: 0 });
    expect(whole(answers), "the first option is one, too").toEqual([
      { item: "a", is_true: false, choice: 0 },
    ]);
    expect(given(answers, "b")).toBe("none");
  });
  it("goes to the next open item, round the end", () => {
    const answers = give(give([], { item: "b", choice: 0 }), { item: "b", is_true: true });
    expect(nextOpen(items, answers, 0), "b is answered").toBe(2);
    expect(nextOpen(items, answers, 2)).toBe(0);
    const rest = ["a", "c"].reduce((all, item) => give(all, { item, is_true: true, choice: 1 }), answers);
    expect(nextOpen(items, rest, 1), "all are").toBeUndefined();
  });
  it("hands in no half answers", () => {
    expect(whole(give([], { item: "a", is_true: true }))).toEqual([]);
  });
});
