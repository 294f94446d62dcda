/**
 * The cards of one response as a plain state machine.
 *
 * Everything a key can do to the cards is a pure function from state to state, so that the keystroke budget
 * (two modalities, both correct, at most four keys) and the rule "Next always says what blocks it" are tested
 * without a window. Nothing here fills in a verdict: an absent modality only carries a suggestion.
 */

export type Verdict = "correct" | "incorrect";

/** When a study wants a short comment: never, with every "incorrect", or with every verdict. */
export type CommentRule = "never" | "incorrect" | "always";

export interface Flags {
  ai_background: boolean;
  broken_link: boolean;
  cannot_show: boolean;
  doubt: boolean;
}
export type Flag = keyof Flags;
export const FLAGS: readonly Flag[] = ["broken_link", "cannot_show", "ai_background", "doubt"];

export interface Card {
  readonly modality: string;
  /** The response holds nothing of this modality. */
  readonly absent: boolean;
  readonly verdict: Verdict | null;
  readonly comment: string;
  readonly flags: Flags;
}

/** Where the keys go: to the cards, or into the comment of the selected card. */
export type Focus = "card" | "comment";

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
  readonly why: "open" | "comment";
}

const NO_FLAGS: Flags = { ai_background: false, broken_link: false, cannot_show: false, doubt: false };
const KEPT_STEPS = 50;

export function emptyCard(modality: string, absent: boolean): Card {
  return { modality, absent, verdict: null, comment: "", flags: NO_FLAGS };
}

/** The cards of an item as first shown: the first open card is selected. */
export function begin(cards: readonly Card[], rule: CommentRule): Flow {
  const open = cards.findIndex((card) => card.verdict === null);
  return { cards, now: Math.max(open, 0), focus: "card", rule, past: [] };
}

/** Does the study ask for a comment on this card that is not there yet? */
export function wantsComment(card: Card, rule: CommentRule): boolean {
  if (card.verdict === null || card.comment.trim() !== "") return false;
  return rule === "always" || (rule === "incorrect" && card.verdict === "incorrect");
}

/** Everything that blocks submission, in the order of the cards. */
export function blocks(flow: Flow): Block[] {
  return flow.cards.flatMap((card, index): Block[] => {
    if (card.verdict === null) return [{ index, why: "open" }];
    return wantsComment(card, flow.rule) ? [{ index, why: "comment" }] : [];
  });
}

/**
 * Gives the selected card its verdict. If the study asks for a comment that is missing, the comment field is
 * next; otherwise the next card that is still open.
 */
export function decide(flow: Flow, verdict: Verdict): Flow {
  const card = flow.cards[flow.now];
  if (!card) return flow;
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
  return flow.cards.length > 0 ? { ...flow, focus: "comment" } : flow;
}

/** Back from the comment to the card it belongs to. */
export function leaveComment(flow: Flow): Flow {
  return { ...flow, focus: "card" };
}

/** The comment is finished (Enter in its field): on to the next open card. */
export function finishComment(flow: Flow): Flow {
  const card = flow.cards[flow.now];
  if (card?.verdict == null) return { ...flow, focus: "card" };
  return advance({ ...flow, focus: "card" });
}

/** Typing is not a step of its own for undo: the field has its own undo. */
export function comment(flow: Flow, index: number, text: string): Flow {
  const card = flow.cards[index];
  return card && card.comment !== text ? replace(flow, index, { ...card, comment: text }) : flow;
}

export function toggle(flow: Flow, index: number, flag: Flag): Flow {
  const card = flow.cards[index];
  if (!card) return flow;
  return replace(remember(flow), index, { ...card, flags: { ...card.flags, [flag]: !card.flags[flag] } });
}

/** Takes back the last verdict or flag on this item; null when there is none left here. */
export function undo(flow: Flow): Flow | null {
  const step = flow.past.at(-1);
  if (!step) return null;
  const cards = step.cards.map((card, index) => {
    const typed = flow.cards[index];
    return typed ? { ...card, comment: typed.comment } : card;
  });
  return { ...flow, cards, now: step.now, focus: "card", past: flow.past.slice(0, -1) };
}

/** What Next does: submit, or go to the first thing that blocks it. */
export function next(flow: Flow): { ready: true } | { ready: false; flow: Flow; blocks: Block[] } {
  const found = blocks(flow);
  const first = found[0];
  if (!first) return { ready: true };
  return {
    ready: false,
    blocks: found,
    flow: select(flow, first.index, first.why === "comment" ? "comment" : "card"),
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
    if (flow.cards[index]?.verdict === null) return { ...flow, now: index, focus: "card" };
  }
  return { ...flow, focus: "card" };
}
