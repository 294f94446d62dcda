// What keeps an item from being submitted, in words.
import { judging as words } from "$ui/text/judging";
import type { Block } from "./flow";

const whys = {
  open: words.blockedOpen,
  comment: words.blockedComment,
  ai_asked: words.blockedAsked,
  perceived: words.blockedPerceived,
};

/** Why one card blocks. */
export function whyOf(block: Block, modality: string): string {
  return whys[block.why](modality);
}

/** What is left to do, beside the key that submits: "open: Image · comment: Text". */
export function restOf(blocks: readonly Block[], cards: readonly { modality: string }[]): string {
  const named = (why: Block["why"]): string[] =>
    blocks.filter((b) => b.why === why).map((b) => cards[b.index]?.modality ?? "");
  const part = (why: Block["why"], say: (modalities: string[]) => string): string => {
    const modalities = named(why);
    return modalities.length > 0 ? say(modalities) : "";
  };
  return [
    part("open", words.opens),
    part("comment", words.missing),
    part("ai_asked", words.unasked),
    part("perceived", words.unperceived),
  ]
    .filter(Boolean)
    .join(" · ");
}
