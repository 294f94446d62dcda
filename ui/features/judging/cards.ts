// From an item to its cards, and from the cards to what is kept and submitted.
import type { T } from "$ui/backend";
import * as flow from "./flow";

/** Does the response hold this modality? A link counts as returned. */
export function holds(response: T.ResponseView, modality: T.Modality): boolean {
  if (modality === "Text" && response.text.trim() !== "") return true;
  return response.assets.some(
    (asset) => asset.modality === modality && (asset.state !== "skipped" || !!asset.link),
  );
}

/** The modalities that came back and were not asked for, in the order of their coming. */
export function unasked(response: T.ResponseView): T.Modality[] {
  const came = [
    ...(response.text.trim() === "" ? [] : ["Text" as const]),
    ...response.assets.map((asset) => asset.modality).filter((modality) => holds(response, modality)),
  ];
  return [...new Set(came)].filter((modality) => !response.expected.includes(modality));
}

/** The cards of an item: a newer draft, else the verdicts in force, else open ones; those for remarks come last. */
export function cardsOf(item: T.JudgeItem): flow.Card[] {
  const card = (modality: T.Modality, asked: boolean): flow.Card => {
    const empty = flow.emptyCard(modality, !holds(item.response, modality), asked);
    const drafted = item.draft?.cards.find((one) => one.modality === modality);
    const given = item.judgement?.verdicts.find((one) => one.modality === modality);
    const noted = item.judgement?.noted?.find((one) => one.modality === modality);
    const from: Partial<T.CardDraft> | undefined = drafted ?? (item.draft ? undefined : (given ?? noted));
    if (!from) return empty;
    return {
      ...empty,
      verdict: asked ? (from.verdict ?? null) : null,
      comment: from.comment ?? "",
      flags: { ...empty.flags, ...from.flags },
      anchors: from.anchors ?? [],
      ai_asked: from.ai_asked ?? "",
      perceived: from.perceived ?? "",
    };
  };
  return [
    ...item.response.expected.map((modality) => card(modality, true)),
    ...unasked(item.response).map((modality) => card(modality, false)),
  ];
}

const anchorsOf = (card: flow.Card): T.Anchor[] => card.anchors.map((anchor) => ({ ...anchor }));

/** What is kept while it is filled in. */
export function draftOf(cards: readonly flow.Card[]): T.CardDraft[] {
  return cards
    .filter((card) => card.asked || card.comment !== "" || card.anchors.length > 0)
    .map((card) => ({
      modality: card.modality as T.Modality,
      verdict: card.verdict,
      comment: card.comment,
      flags: { ...card.flags },
      anchors: anchorsOf(card),
      ai_asked: card.ai_asked,
      perceived: card.perceived,
    }));
}

/** The verdicts to submit. */
export function verdictsOf(cards: readonly flow.Card[]): T.ModalityVerdict[] {
  return cards.flatMap((card) =>
    card.verdict && card.asked
      ? [
          {
            modality: card.modality as T.Modality,
            verdict: card.verdict,
            comment: card.comment.trim(),
            flags: { ...card.flags },
            anchors: anchorsOf(card),
            ai_asked: card.flags.ai_background ? card.ai_asked.trim() : "",
            perceived: card.perceived.trim(),
          },
        ]
      : [],
  );
}

/** The remarks to submit. */
export function notesOf(cards: readonly flow.Card[]): T.ModalityNote[] {
  return cards
    .filter((card) => !card.asked && (card.comment.trim() !== "" || card.anchors.length > 0))
    .map((card) => ({
      modality: card.modality as T.Modality,
      comment: card.comment.trim(),
      anchors: anchorsOf(card),
    }));
}

/** A whole sentence of it, in characters: what is no longer is background and no copy. */
const COPIED = 40;
const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();

/**
 * Was the AI given the question or the answer itself, which the guideline forbids? True when a stretch of 40 characters of what
 * was asked stands in either.
 */
export function copies(asked: string, sources: readonly string[]): boolean {
  const text = plain(asked);
  const all = sources.map(plain);
  for (let at = 0; at + COPIED <= text.length; at += 1) {
    const piece = text.slice(at, at + COPIED);
    if (all.some((source) => source.includes(piece))) return true;
  }
  return false;
}
