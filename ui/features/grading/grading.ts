// What a grader says of one response, as a value: verdicts, what was found, remarks. Verdicts that follow from what was
// found are the backend's to compute; here only what the grader does is written down.
import type { T } from "$ui/backend";

export type Verdict = T.CheckVerdict;
export const verdicts = ["meets", "partial", "missing", "contradicts"] as const satisfies readonly Verdict[];

/** What of an element was found: nothing, the element itself, or only something imprecise. */
export type Mark = "none" | "found" | "imprecise";

export const emptyDraft = (): T.GradingDraft => ({ verdicts: [], found: [], active_ms: 0 });

const extractionOf = (draft: T.GradingDraft, item: string): T.Extraction | undefined =>
  draft.found?.find((found) => found.item === item);

/** Was the item looked through? */
export const isLookedThrough = (draft: T.GradingDraft, item: string): boolean =>
  extractionOf(draft, item) !== undefined;

function putExtraction(
  draft: T.GradingDraft,
  extraction: T.Extraction | undefined,
  item: string,
): T.GradingDraft {
  const others = (draft.found ?? []).filter((found) => found.item !== item);
  return { ...draft, found: extraction ? [...others, extraction] : others };
}

export function markOf(draft: T.GradingDraft, item: string, element: string): Mark {
  const found = extractionOf(draft, item)?.options?.find((option) => option.id === element);
  return !found ? "none" : found.imprecise ? "imprecise" : "found";
}

/** 1-based place of a step in the order in which it was found; 0 when it was not. */
export const placeOf = (draft: T.GradingDraft, item: string, step: string): number =>
  (extractionOf(draft, item)?.steps ?? []).indexOf(step) + 1;

/** The next mark of an element: found, then imprecise, then none. Of a step: behind the last one, or away. */
export function turn(draft: T.GradingDraft, sought: T.SoughtItem, element: string): T.GradingDraft {
  const before = extractionOf(draft, sought.item) ?? { item: sought.item, options: [], steps: [] };
  if (sought.type === "process") {
    const steps = before.steps ?? [];
    const next = steps.includes(element) ? steps.filter((step) => step !== element) : [...steps, element];
    return putExtraction(draft, { ...before, steps: next }, sought.item);
  }
  const options = before.options ?? [];
  const mark = markOf(draft, sought.item, element);
  const others = options.filter((option) => option.id !== element);
  const next =
    mark === "none"
      ? [...others, { id: element, imprecise: false }]
      : mark === "found"
        ? [...others, { id: element, imprecise: true }]
        : others;
  return putExtraction(draft, { ...before, options: next }, sought.item);
}

/** Looked through, and nothing of it is there; once more, and it is as if nobody had looked. */
export function nothingFound(draft: T.GradingDraft, item: string): T.GradingDraft {
  const before = extractionOf(draft, item);
  const isEmpty = before && (before.options ?? []).length === 0 && (before.steps ?? []).length === 0;
  return putExtraction(draft, isEmpty ? undefined : { item, options: [], steps: [] }, item);
}

const saidOf = (draft: T.GradingDraft, check: T.Check): T.VerdictDraft | undefined =>
  draft.verdicts?.find((said) => said.check === check.id && said.text_sha256 === check.text_sha256);

/** The grader's own verdict on a check, in its words of now. */
export const ownVerdict = (draft: T.GradingDraft, check: T.Check): Verdict | null =>
  saidOf(draft, check)?.verdict ?? null;

export const reasonOf = (draft: T.GradingDraft, check: T.Check): string => saidOf(draft, check)?.reason ?? "";

function put(draft: T.GradingDraft, check: T.Check, change: Partial<T.VerdictDraft>): T.GradingDraft {
  const before = saidOf(draft, check) ?? {
    check: check.id,
    text_sha256: check.text_sha256,
    verdict: null,
    reason: "",
  };
  const others = (draft.verdicts ?? []).filter((said) => said.check !== check.id);
  return { ...draft, verdicts: [...others, { ...before, ...change }] };
}

/** Says a verdict; the one that is said already, or none, lets the computed one stand. */
export function say(draft: T.GradingDraft, check: T.Check, verdict: Verdict | null): T.GradingDraft {
  return put(draft, check, { verdict: ownVerdict(draft, check) === verdict ? null : verdict });
}
export const explain = (draft: T.GradingDraft, check: T.Check, reason: string): T.GradingDraft =>
  put(draft, check, { reason });

/** May this verdict be given on this check? An order is met, missing or contradicted, never met in part. */
export const allows = (check: T.Check, verdict: Verdict): boolean =>
  !check.verdicts || check.verdicts.length === 0 || check.verdicts.includes(verdict);

/** What blocks stating the grades, the first of it. */
export interface Block {
  at: number;
  why: "verdict" | "reason" | "coherence";
  message?: string;
}
export function blockOf(
  checks: readonly T.Check[],
  weighed: T.WeighedGrades,
  letStand: readonly string[],
): Block | undefined {
  const open = weighed.checks.findIndex((check) => !check.verdict);
  if (open >= 0) return { at: open, why: "verdict" };
  const bare = weighed.checks.findIndex((check) => check.unexplained);
  if (bare >= 0) return { at: bare, why: "reason" };
  const unseen = weighed.incoherences.find((found) => !letStand.includes(found.rule));
  if (!unseen) return undefined;
  const at = checks.findIndex((check) => check.id === unseen.checks[0]);
  return { at: Math.max(0, at), why: "coherence", message: `${unseen.rule}: ${unseen.message}` };
}

/** The rows of the list: a list or process to look for stands before the first check that is about it. */
export type Row = { kind: "sought"; item: T.SoughtItem } | { kind: "check"; check: T.Check; at: number };
export function rowsOf(checks: readonly T.Check[], sought: readonly T.SoughtItem[]): Row[] {
  const shown = new Set<string>();
  return checks.flatMap((check, at): Row[] => {
    const item = sought.find((one) => one.item === check.provenance.item);
    const row: Row = { kind: "check", check, at };
    if (!item || shown.has(item.item)) return [row];
    shown.add(item.item);
    return [{ kind: "sought", item }, row];
  });
}
