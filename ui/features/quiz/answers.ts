// The quiz as it is being answered: which parts are given, what comes next. Pure.
import type { T } from "$ui/backend";

export type Marks = readonly T.QuizDraftAnswer[];

export const answerOf = (answers: Marks, item: string): T.QuizDraftAnswer =>
  answers.find((answer) => answer.item === item) ?? { item };

/** "both", "one" or "none" of an item's two parts. */
export function given(answers: Marks, item: string): "both" | "one" | "none" {
  const own = answerOf(answers, item);
  const truth = own.is_true !== undefined && own.is_true !== null;
  const choice = own.choice !== undefined && own.choice !== null;
  return truth && choice ? "both" : truth || choice ? "one" : "none";
}

/** The answers with one part of one item given; the same again takes nothing back. */
export function give(answers: Marks, part: T.QuizDraftAnswer): T.QuizDraftAnswer[] {
  const now = { ...answerOf(answers, part.item), ...part };
  return [...answers.filter((answer) => answer.item !== part.item), now];
}

/** The place of the next item that is not answered wholly, after `from`, then from the start; none when all are. */
export function nextOpen(items: readonly { id: string }[], answers: Marks, from: number): number | undefined {
  for (let step = 1; step <= items.length; step += 1) {
    const at = (from + step) % items.length;
    const item = items[at];
    if (item && given(answers, item.id) !== "both") return at;
  }
  return undefined;
}

/** Answers with both parts, as they are handed in. */
export function whole(answers: Marks): T.QuizAnswer[] {
  return answers.flatMap(({ item, is_true, choice }) =>
    is_true === undefined || is_true === null || choice === undefined || choice === null
      ? []
      : [{ item, is_true, choice }],
  );
}
