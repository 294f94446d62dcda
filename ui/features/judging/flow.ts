/**
 * The cards of one response as a plain state machine.
 *
 * Everything a key can do to the cards is a pure function from state to state, so that the keystroke budget
 * (two modalities, both correct, at most four keys) and the rule "Next always says what blocks it" are tested
 * without a window. Nothing here fills in a verdict: an absent modality only carries a suggestion.
 */

import type { Place } from "$ui/components/pointing/places.svelte";

export type Verdict = "correct" | "incorrect";

/** A place in an asset, or in the response's own text, that a comment points to. */
export interface Anchor {
  asset?: string | null;
  at: Place;
}

/** When a study wants a short comment: never, with every "incorrect", or with every verdict. */
export type CommentRule = "never" | "incorrect" | "always";

export interface Flags {
  ai_background: boolean;
  broken_link: boolean;
  cannot_show: boolean;
  doubt: boolean;
  misaligned: boolean;
}
export type Flag = keyof Flags;
export const FLAGS: readonly Flag[] = ["broken_link", "cannot_show", "misaligned", "ai_background", "doubt"];

export interface Card {
  readonly modality: string;
  /** The response holds nothing of this modality. */
  readonly absent: boolean;
  /** Was it asked for? What was not gets no verdict; it may be noted. */
  readonly asked: boolean;
  readonly verdict: Verdict | null;
  readonly comment: string;
  readonly flags: Flags;
  /** Where the comment points. */
  readonly anchors: readonly Anchor[];
  /** What an AI was asked for background knowledge. */
  readonly ai_asked: string;
  /** How it was perceived, if not by playing or seeing it here. */
  readonly perceived: string;
}
/** The texts of a card. */
export type Field = "comment" | "ai_asked" | "perceived";

/** Where the keys go: to the cards, or into a text of the selected card. */
export type Focus = "card" | Field;

/** Is less of a modality played or seen than the study asks for? */
export type Lacking = (modality: string) => boolean;
const nothingLacks: Lacking = () => false;

export interface Flow {
  readonly cards: readonly Card[];
  /** Index of the selected card. */
  readonly now: number;
  readonly focus: Focus;
  readonly rule: CommentRule;
  /** Earlier states of the cards on this item, newest last: what undo returns to. */
  readonly past: readonly Step[];
}

/** What undo needs: the cards and which one was selected. */
export interface Step {
  readonly cards: readonly Card[];
  readonly now: number;
}

/** What keeps an item from being submitted. */
export interface Block {
  readonly index: number;
  readonly why: "open" | Field;
}

const NO_FLAGS: Flags = {
  ai_background: false,
  broken_link: false,
  cannot_show: false,
  doubt: false,
  misaligned: false,
};
const KEPT_STEPS = 50;

export function emptyCard(modality: string, absent: boolean, asked = true): Card {
  return {
    modality,
    absent,
    asked,
    verdict: null,
    comment: "",
    flags: NO_FLAGS,
    anchors: [],
    ai_asked: "",
    perceived: "",
  };
}
const isOpen = (card: Card): boolean => card.asked && card.verdict === null;

/** The cards of an item as first shown: the first open card is selected. */
export function begin(cards: readonly Card[], rule: CommentRule): Flow {
  const open = cards.findIndex(isOpen);
  return { cards, now: Math.max(open, 0), focus: "card", rule, past: [] };
}

/** Does the study ask for a comment on this card that is not there yet? */
export function wantsComment(card: Card, rule: CommentRule): boolean {
  if (card.verdict === null || card.comment.trim() !== "") return false;
  return rule === "always" || (rule === "incorrect" && card.verdict === "incorrect");
}

/** Was help of an AI marked, and not what it was asked? */
export const wantsAsked = (card: Card): boolean => card.flags.ai_background && card.ai_asked.trim() === "";

/** Does the study ask for more of it to be played or seen, and is nothing said instead? */
export const wantsPerceived = (card: Card, lacking: Lacking): boolean =>
  card.asked && !card.flags.cannot_show && card.perceived.trim() === "" && lacking(card.modality);

/** Everything that blocks submission, in the order of the cards. */
export function blocks(flow: Flow, lacking: Lacking = nothingLacks): Block[] {
  return flow.cards.flatMap((card, index): Block[] => {
    if (isOpen(card)) return [{ index, why: "open" }];
    if (wantsComment(card, flow.rule)) return [{ index, why: "comment" }];
    if (wantsAsked(card)) return [{ index, why: "ai_asked" }];
    return wantsPerceived(card, lacking) ? [{ index, why: "perceived" }] : [];
  });
}

/**
 * Gives the selected card its verdict. If the study asks for a comment that is missing, the comment field is
 * next; otherwise the next card that is still open.
 */
export function decide(flow: Flow, verdict: Verdict): Flow {
  const card = flow.cards[flow.now];
  if (!card?.asked) return flow;
  const decided = card.verdict === verdict ? flow : replace(remember(flow), flow.now, { ...card, verdict });
  const after = decided.cards[flow.now];
  if (after && wantsComment(after, flow.rule)) return { ...decided, focus: "comment" };
  return advance(decided);
}

/** Selects a card; an index without a card changes nothing. */
export function select(flow: Flow, index: number, focus: Focus = "card"): Flow {
  return index >= 0 && index < flow.cards.length ? { ...flow, now: index, focus } : flow;
}

/** The card after or before, staying at the ends. */
export function move(flow: Flow, by: number): Flow {
  const last = flow.cards.length - 1;
  return select(flow, Math.min(Math.max(flow.now + by, 0), last));
}

export function editComment(flow: Flow): Flow {
  return edit(flow, "comment");
}
/** The cursor goes into a text of the selected card. */
export function edit(flow: Flow, field: Field): Flow {
  return flow.cards.length > 0 ? { ...flow, focus: field } : flow;
}

/** Back from the comment to the card it belongs to. */
export function leaveComment(flow: Flow): Flow {
  return { ...flow, focus: "card" };
}

/** The comment is finished (Enter in its field): on to the next open card. */
export function finishComment(flow: Flow): Flow {
  const card = flow.cards[flow.now];
  if (!card || isOpen(card)) return { ...flow, focus: "card" };
  return advance({ ...flow, focus: "card" });
}

/** Typing is not a step of its own for undo: the field has its own undo. */
export function comment(flow: Flow, index: number, text: string): Flow {
  return write(flow, index, "comment", text);
}
export function write(flow: Flow, index: number, field: Field, text: string): Flow {
  const card = flow.cards[index];
  return card && card[field] !== text ? replace(flow, index, { ...card, [field]: text }) : flow;
}

/** Marks or unmarks. Help of an AI is declared with what was asked: the cursor goes there. */
export function toggle(flow: Flow, index: number, flag: Flag): Flow {
  const card = flow.cards[index];
  if (!card?.asked) return flow;
  const after = { ...card, flags: { ...card.flags, [flag]: !card.flags[flag] } };
  const marked = replace(remember(flow), index, after);
  return flag === "ai_background" && wantsAsked(after)
    ? { ...marked, now: index, focus: "ai_asked" }
    : marked;
}

/** Pins the comment of a card to a place, and goes on with the comment. The same place twice is one. */
export function pin(flow: Flow, index: number, anchor: Anchor): Flow {
  const card = flow.cards[index];
  if (!card) return flow;
  const same = JSON.stringify(anchor);
  const known = card.anchors.some((other) => JSON.stringify(other) === same);
  const pinned = known
    ? flow
    : replace(remember(flow), index, { ...card, anchors: [...card.anchors, anchor] });
  return { ...pinned, now: index, focus: "comment" };
}
export function unpin(flow: Flow, index: number, place: number): Flow {
  const card = flow.cards[index];
  if (!card?.anchors[place]) return flow;
  const anchors = card.anchors.filter((_, at) => at !== place);
  return { ...replace(remember(flow), index, { ...card, anchors }), now: index };
}

/** Takes back the last verdict or flag on this item; null when there is none left here. */
export function undo(flow: Flow): Flow | null {
  const step = flow.past.at(-1);
  if (!step) return null;
  const cards = step.cards.map((card, index) => {
    const typed = flow.cards[index];
    return typed
      ? { ...card, comment: typed.comment, ai_asked: typed.ai_asked, perceived: typed.perceived }
      : card;
  });
  return { ...flow, cards, now: step.now, focus: "card", past: flow.past.slice(0, -1) };
}

/** What Next does: submit, or go to the first thing that blocks it. */
export function next(
  flow: Flow,
  lacking: Lacking = nothingLacks,
): { ready: true } | { ready: false; flow: Flow; blocks: Block[] } {
  const found = blocks(flow, lacking);
  const first = found[0];
  if (!first) return { ready: true };
  return {
    ready: false,
    blocks: found,
    flow: select(flow, first.index, first.why === "open" ? "card" : first.why),
  };
}

function remember(flow: Flow): Flow {
  return { ...flow, past: [...flow.past, { cards: flow.cards, now: flow.now }].slice(-KEPT_STEPS) };
}

function replace(flow: Flow, index: number, card: Card): Flow {
  return { ...flow, cards: flow.cards.map((old, i) => (i === index ? card : old)) };
}

/** The next open card after this one, wrapping round; stays when none is open. */
function advance(flow: Flow): Flow {
  const count = flow.cards.length;
  for (let step = 1; step <= count; step++) {
    const index = (flow.now + step) % count;
    const card = flow.cards[index];
    if (card && isOpen(card)) return { ...flow, now: index, focus: "card" };
  }
  return { ...flow, focus: "card" };
}
