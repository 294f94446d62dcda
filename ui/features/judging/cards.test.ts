/** From an item to its cards and back. */
import { expect, it } from "vitest";
import type { T } from "$ui/backend";
import { cardsOf, copies, draftOf, notesOf, unasked, verdictsOf } from "./cards";
import * as flow from "./flow";

const asset = (modality: T.Modality, state: T.AssetState = "ok"): T.Asset => ({
  position: 0,
  modality,
  blob: state === "ok" ? "ab" : null,
  bytes: 1,
  format: "bin",
  state,
});
const item = (more: Partial<T.JudgeItem> = {}): T.JudgeItem =>
  ({
    task: "t",
    response: {
      expected: ["Image", "Audio"],
      text: "Here you are.",
      failed: false,
      assets: [asset("Image"), asset("Video"), asset("Document", "skipped")],
    },
    judgement: null,
    draft: null,
    ...more,
  }) as T.JudgeItem;

it("has a card for every modality that is asked for, absent or not, and one for remarks on the rest", () => {
  const cards = cardsOf(item());
  expect(cards.map((card) => [card.modality, card.asked, card.absent])).toEqual([
    ["Image", true, false],
    ["Audio", true, true],
    ["Text", false, false],
    ["Video", false, false],
  ]);
  expect(unasked(item().response), "what never came is not noted").toEqual(["Text", "Video"]);
  expect(
    cards.every((card) => card.verdict === null),
    "nothing is filled in, not even for what is absent",
  ).toBe(true);
});

it("submits verdicts on what was asked for, and remarks on the rest that say something", () => {
  let state = flow.begin(cardsOf(item()), "never");
  state = flow.decide(state, "correct");
  state = flow.decide(state, "incorrect");
  state = flow.comment(state, 3, "The clip is nice.");
  state = flow.pin(state, 1, { asset: "ab", at: { kind: "time", from_ms: 5, to_ms: 5 } });
  expect(verdictsOf(state.cards).map((v) => [v.modality, v.verdict, v.anchors?.length])).toEqual([
    ["Image", "correct", 0],
    ["Audio", "incorrect", 1],
  ]);
  expect(notesOf(state.cards)).toEqual([{ modality: "Video", comment: "The clip is nice.", anchors: [] }]);
  const again = cardsOf(item({ draft: { cards: draftOf(state.cards) } }));
  expect(again, "a draft holds all of it").toEqual(state.cards);
});

it("notices the question in what the AI was asked", () => {
  const prompt = "Make a picture of the old harbour of Trieste with three boats, and a sound of waves.";
  expect(copies("Make a picture of the OLD  harbour of Trieste with three boats", [prompt])).toBe(true);
  expect(copies("What did the harbour of Trieste look like in 1900?", [prompt]), "background is fine").toBe(
    false,
  );
  expect(copies("short", ["short"]), "a word or two are no copy").toBe(false);
});
