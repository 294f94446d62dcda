/** What the cards do per key. Belongs here: every rule of the card flow that needs no window. */
import { describe, expect, it } from "vitest";
import * as flow from "./flow";
import type { Card, CommentRule, Flow } from "./flow";

function cards(...modalities: string[]): Card[] {
  return modalities.map((modality) => flow.emptyCard(modality, false));
}

/** Presses keys as the screen's table does; returns the state and whether the last key submitted. */
function press(state: Flow, keys: string[]): { state: Flow; submitted: boolean } {
  let submitted = false;
  for (const key of keys) {
    if (state.focus === "comment") {
      if (key === "Enter") state = flow.finishComment(state);
      else if (key === "Escape") state = flow.leaveComment(state);
      else state = flow.comment(state, state.now, (state.cards[state.now]?.comment ?? "") + key);
    } else if (key === "c") state = flow.decide(state, "correct");
    else if (key === "i") state = flow.decide(state, "incorrect");
    else if (key === "/") state = flow.editComment(state);
    else if (key === "u") state = flow.undo(state) ?? state;
    else if (key === "Enter") {
      const result = flow.next(state);
      submitted = result.ready;
      if (!result.ready) state = result.flow;
    } else if (/^[1-9]$/.test(key)) state = flow.select(state, Number(key) - 1);
  }
  return { state, submitted };
}
const start = (rule: CommentRule, ...modalities: string[]) => flow.begin(cards(...modalities), rule);

describe("keystroke budget", () => {
  it.each(["never", "incorrect"] as const)("two modalities, both correct: at most four keys (%s)", (rule) => {
    const keys = ["c", "c", "Enter"];
    const { state, submitted } = press(start(rule, "Text", "Audio"), keys);
    expect(submitted, "Enter submits once both cards are decided").toBe(true);
    expect(keys.length, "the budget of the Judging screen").toBeLessThanOrEqual(4);
    expect(state.cards.map((c) => c.verdict)).toEqual(["correct", "correct"]);
  });

  it("wrong, with the comment the study asks for: the field opens by itself", () => {
    const { state, submitted } = press(start("incorrect", "Text", "Audio"), [
      "i",
      "n",
      "o",
      "Enter",
      "c",
      "Enter",
    ]);
    expect(submitted, "nothing but the comment's letters is needed beyond i, Enter, c, Enter").toBe(true);
    expect(state.cards[0]?.comment, "letters go into the comment, not to the cards").toBe("no");
    expect(state.cards[1]?.verdict, "Enter in the comment moved on to the second card").toBe("correct");
  });
});

describe("what blocks Next", () => {
  it("names and selects the first open card", () => {
    const result = flow.next(flow.select(start("never", "Text", "Audio", "Video"), 2));
    expect(result.ready, "nothing is decided").toBe(false);
    if (result.ready) return;
    expect(
      result.blocks.map((b) => b.index),
      "all three are open",
    ).toEqual([0, 1, 2]);
    expect(result.flow.now, "the first one is selected").toBe(0);
  });

  it("a missing comment puts the cursor into its field", () => {
    const { state } = press(start("always", "Text"), ["c", "Escape"]);
    const result = flow.next(state);
    expect(result.ready, "`always` asks for a comment on correct too").toBe(false);
    if (result.ready) return;
    expect(result.blocks).toEqual([{ index: 0, why: "comment" }]);
    expect(result.flow.focus, "typing can start at once").toBe("comment");
  });

  it("white space is no comment", () => {
    const { submitted } = press(start("incorrect", "Text"), ["i", " ", "Escape", "Enter"]);
    expect(submitted, "a blank says nothing").toBe(false);
  });

  it("an absent modality is as open as any other", () => {
    const state = flow.begin([flow.emptyCard("Image", true)], "never");
    expect(flow.blocks(state), "a suggestion fills nothing in").toEqual([{ index: 0, why: "open" }]);
    expect(state.cards[0]?.verdict).toBeNull();
  });
});

describe("moving", () => {
  it("a verdict goes to the next open card and skips decided ones", () => {
    const { state } = press(start("never", "Text", "Image", "Audio"), ["2", "c", "1", "c"]);
    expect(state.now, "Image is decided, so Audio is next").toBe(2);
  });
  it("wraps round to an open card before this one", () => {
    const { state } = press(start("never", "Text", "Image"), ["2", "i"]);
    expect(state.now, "Text is still open").toBe(0);
  });
  it("an item opened again starts at its first open card", () => {
    const [text, audio] = cards("Text", "Audio");
    const again = flow.begin([{ ...text!, verdict: "correct" }, audio!], "never");
    expect(again.now).toBe(1);
  });
  it("a number without a card changes nothing", () => {
    const state = start("never", "Text");
    expect(flow.select(state, 4), "there is no fifth card").toBe(state);
  });
  it("Escape in the comment stays on its card", () => {
    const { state } = press(start("never", "Text", "Audio"), ["/", "x", "Escape"]);
    expect([state.now, state.focus]).toEqual([0, "card"]);
  });
});

describe("undo on the item", () => {
  it("takes back one verdict at a time, selecting its card", () => {
    const { state } = press(start("never", "Text", "Audio"), ["c", "i", "u"]);
    expect(
      state.cards.map((c) => c.verdict),
      "only the last verdict is gone",
    ).toEqual(["correct", null]);
    expect(state.now).toBe(1);
  });
  it("keeps what was typed since", () => {
    let state = flow.decide(start("never", "Text"), "incorrect");
    state = flow.comment(state, 0, "too short");
    expect(flow.undo(state)?.cards[0], "typing is not lost with the verdict").toMatchObject({
      verdict: null,
      comment: "too short",
    });
  });
  it("is null when nothing is left, so that the last submitted item can be taken back instead", () => {
    expect(flow.undo(start("never", "Text"))).toBeNull();
  });
  it("the same verdict again is no step", () => {
    const { state } = press(start("never", "Text"), ["c", "c"]);
    expect(state.past.length, "the second c changed nothing").toBe(1);
  });
  it("takes back a flag", () => {
    const state = flow.toggle(start("never", "Text"), 0, "doubt");
    expect(state.cards[0]?.flags.doubt).toBe(true);
    expect(flow.undo(state)?.cards[0]?.flags.doubt, "the flag was the last step").toBe(false);
  });
});

describe("the guideline as behaviour", () => {
  it("always a comment: the field opens by itself after every verdict", () => {
    const keys = ["c", "o", "k", "Enter", "c", "o", "k", "Enter", "Enter"];
    const { state, submitted } = press(start("always", "Text", "Audio"), keys);
    expect(submitted).toBe(true);
    expect(state.cards.map((card) => card.comment)).toEqual(["ok", "ok"]);
  });
  it("what was not asked for never blocks, takes no verdict and no mark, and may be noted", () => {
    const open = [flow.emptyCard("Image", false), flow.emptyCard("Text", false, false)];
    let { state } = press(flow.begin(open, "never"), ["c", "2", "c"]);
    state = flow.toggle(state, 1, "doubt");
    expect(state.cards[1], "no key gives it a verdict").toMatchObject({ verdict: null });
    expect(state.cards[1]?.flags.doubt).toBe(false);
    expect(flow.blocks(flow.comment(state, 1, "It only repeats the prompt.")), "nothing blocks").toEqual([]);
  });
  it("help of an AI is declared with what was asked", () => {
    let state = flow.toggle(flow.decide(start("never", "Text"), "correct"), 0, "ai_background");
    expect(state.focus, "the cursor is where it is written").toBe("ai_asked");
    expect(flow.blocks(state)).toEqual([{ index: 0, why: "ai_asked" }]);
    state = flow.write(state, 0, "ai_asked", "When was the harbour built?");
    expect(flow.blocks(state)).toEqual([]);
    const off = flow.toggle(flow.leaveComment(state), 0, "ai_background");
    expect(off.focus, "taking the mark off asks nothing").toBe("card");
  });
  it("less played than the study asks for blocks, until it is said how it was perceived", () => {
    const lacking = (modality: string): boolean => modality === "Audio";
    let { state } = press(start("never", "Text", "Audio"), ["c", "c"]);
    expect(flow.blocks(state, lacking)).toEqual([{ index: 1, why: "perceived" }]);
    const result = flow.next(state, lacking);
    expect(result.ready ? "" : result.flow.focus, "the cursor is in the field for it").toBe("perceived");
    expect(flow.blocks(flow.toggle(state, 1, "cannot_show"), lacking), "what cannot be played").toEqual([]);
    state = flow.write(state, 1, "perceived", "I read its captions.");
    expect(flow.blocks(state, lacking)).toEqual([]);
  });
});

describe("places", () => {
  const at = (from_ms: number): flow.Anchor => ({
    asset: "a",
    at: { kind: "time", from_ms, to_ms: from_ms },
  });
  it("pins the comment and goes on with it; the same place is pinned once", () => {
    let state = flow.pin(start("never", "Text", "Audio"), 1, at(4200));
    expect([state.now, state.focus]).toEqual([1, "comment"]);
    state = flow.pin(flow.pin(state, 1, at(4200)), 1, at(9000));
    expect(state.cards[1]?.anchors).toEqual([at(4200), at(9000)]);
  });
  it("is taken off, and undo brings it back", () => {
    let state = flow.unpin(flow.pin(start("never", "Text"), 0, at(1)), 0, 0);
    expect(state.cards[0]?.anchors).toEqual([]);
    expect(flow.unpin(state, 0, 3), "there is no fourth").toBe(state);
    state = flow.undo(state) ?? state;
    expect(state.cards[0]?.anchors, "the place is there again").toEqual([at(1)]);
  });
});
