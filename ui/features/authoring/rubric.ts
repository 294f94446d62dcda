/**
 * A flat rubric as it is being written: pure steps on its lines, numbered across all modalities.
 *
 * A line has a key of its own, so that focus and findings stay with it when numbers change; ids are made from the order
 * when the rubric leaves the editor. Steps give a new list, never change one.
 */
import type { T } from "$ui/backend";

export interface Line {
  key: number;
  text: string;
  modality: T.Modality;
}

/** Everything that undo brings back. */
export interface Sheet {
  lines: readonly Line[];
  dismissals: readonly T.LintDismissal[];
  flags: readonly T.GoldFlag[];
}

/** A finding tied to the line it was made on; `key` is null when it is about a modality or the whole. */
export type Found = T.LintFinding & { key: number | null };

export const modalities: readonly T.Modality[] = ["Text", "Image", "Audio", "Video", "Document"];
export const TARGET = { low: 4, high: 12 } as const;

export const emptySheet: Sheet = { lines: [], dismissals: [], flags: [] };

export const sheetOf = (draft: T.RubricDraft, key: () => number): Sheet => ({
  lines: draft.criteria.map((c) => ({ key: key(), text: c.criterion, modality: c.modality })),
  dismissals: draft.dismissals ?? [],
  flags: draft.gold_flags ?? [],
});

/** The criteria, numbered from 1 in their order. */
export const criteriaOf = (lines: readonly Line[]): T.Criterion[] =>
  lines.map((line, at) => ({ id: String(at + 1), criterion: line.text, modality: line.modality }));

export const draftOf = (sheet: Sheet): T.RubricDraft => ({
  criteria: criteriaOf(sheet.lines),
  dismissals: [...sheet.dismissals],
  gold_flags: [...sheet.flags],
});

/** What is handed in: without empty lines, without spaces around. */
export const tidied = (sheet: Sheet): Sheet => ({
  ...sheet,
  lines: sheet.lines
    .filter((line) => line.text.trim() !== "")
    .map((line) => ({ ...line, text: line.text.trim() })),
});

export const sameDraft = (a: T.RubricDraft, b: T.RubricDraft): boolean => {
  const flat = (draft: T.RubricDraft): string =>
    JSON.stringify([
      draft.criteria.map((c) => [c.id, c.criterion, c.modality]),
      (draft.dismissals ?? []).map((d) => [d.rule, d.text_sha256, d.reason]),
      (draft.gold_flags ?? []).map((f) => [f.modality, f.reason]),
    ]);
  return flat(a) === flat(b);
};

export const ofModality = (lines: readonly Line[], modality: T.Modality): Line[] =>
  lines.filter((line) => line.modality === modality);

export const numberOf = (lines: readonly Line[], key: number): number =>
  lines.findIndex((line) => line.key === key) + 1;

/** One tab per gold modality in the prompt's order, then those that have criteria though they are not gold. */
export function tabsOf(gold: readonly T.Modality[], lines: readonly Line[]): T.Modality[] {
  const stray = modalities.filter((m) => !gold.includes(m) && lines.some((line) => line.modality === m));
  return [...new Set(gold), ...stray];
}

const within = <V>(list: readonly V[], at: number, ...added: V[]): V[] => [
  ...list.slice(0, at),
  ...added,
  ...list.slice(at),
];

/** Where the first line of a modality belongs: behind the modalities that stand before it. */
function homeOf(lines: readonly Line[], modality: T.Modality, order: readonly T.Modality[]): number {
  const before = order.slice(0, Math.max(0, order.indexOf(modality)));
  const last = lines.findLastIndex((line) => line.modality === modality || before.includes(line.modality));
  return last + 1;
}

/** A new line below `after`, or at the end of its modality. */
export function insert(
  lines: readonly Line[],
  line: Line,
  after: number | null,
  order: readonly T.Modality[],
): Line[] {
  const at = after === null ? -1 : lines.findIndex((l) => l.key === after && l.modality === line.modality);
  return within(lines, at >= 0 ? at + 1 : homeOf(lines, line.modality, order), line);
}

export const write = (lines: readonly Line[], key: number, text: string): Line[] =>
  lines.map((line) => (line.key === key ? { ...line, text } : line));

/** Cuts a line in two at a place of its text. */
export function split(lines: readonly Line[], key: number, place: number, newKey: number): Line[] {
  const at = lines.findIndex((line) => line.key === key);
  const line = lines[at];
  if (!line) return [...lines];
  const rest = { ...line, key: newKey, text: line.text.slice(place).trimStart() };
  return within(write(lines, key, line.text.slice(0, place).trimEnd()), at + 1, rest);
}

/** Without a line, and the line of the same modality to go to: the one before, else the one after. */
export function remove(lines: readonly Line[], key: number): { lines: Line[]; focus: number | null } {
  const line = lines.find((l) => l.key === key);
  if (!line) return { lines: [...lines], focus: null };
  const group = ofModality(lines, line.modality);
  const at = group.indexOf(line);
  return {
    lines: lines.filter((l) => l.key !== key),
    focus: (group[at - 1] ?? group[at + 1])?.key ?? null,
  };
}

/** Puts a line at a place (0-based) among those of its modality; the others keep their order. */
export function place(lines: readonly Line[], key: number, to: number): Line[] {
  const line = lines.find((l) => l.key === key);
  if (!line) return [...lines];
  const group = ofModality(lines, line.modality);
  const from = group.indexOf(line);
  const target = group[Math.min(group.length - 1, Math.max(0, to))];
  if (!target || target === line) return [...lines];
  const rest = lines.filter((l) => l !== line);
  const at = rest.indexOf(target);
  return within(rest, group.indexOf(target) > from ? at + 1 : at, line);
}

/** One up (-1) or down (1) among those of its modality. */
export function move(lines: readonly Line[], key: number, by: -1 | 1): Line[] {
  const line = lines.find((l) => l.key === key);
  if (!line) return [...lines];
  return place(lines, key, ofModality(lines, line.modality).indexOf(line) + by);
}

/** Gives a line to another modality, at that one's end. */
export function retag(
  lines: readonly Line[],
  key: number,
  modality: T.Modality,
  order: readonly T.Modality[],
): Line[] {
  const line = lines.find((l) => l.key === key);
  if (!line || line.modality === modality) return [...lines];
  return insert(
    lines.filter((l) => l !== line),
    { ...line, modality },
    null,
    order,
  );
}

/** Takes over criteria from a fix or another rubric; a line that stays, or is only reworded, keeps its key. */
export function adopt(lines: readonly Line[], criteria: readonly T.Criterion[], key: () => number): Line[] {
  const left = new Set(lines);
  const kept = criteria.map((c) => {
    const same = [...left].find((line) => line.text === c.criterion && line.modality === c.modality);
    if (same) left.delete(same);
    return same;
  });
  return criteria.map((c, at) => {
    let from = kept[at];
    if (!from) {
      const here = lines.length === criteria.length ? lines[at] : undefined;
      from = here && left.has(here) ? here : undefined;
      if (from) left.delete(from);
    }
    return { key: from?.key ?? key(), text: c.criterion, modality: c.modality };
  });
}

/** A dismissal holds for one rule on one text; a new reason replaces the old. */
export const dismiss = (
  all: readonly T.LintDismissal[],
  rule: string,
  text_sha256: string,
  reason: string,
): T.LintDismissal[] => [...restore(all, rule, text_sha256), { rule, text_sha256, reason: reason.trim() }];

/** Without the dismissal: the lint comes back. */
export const restore = (
  all: readonly T.LintDismissal[],
  rule: string,
  text_sha256: string,
): T.LintDismissal[] => all.filter((d) => d.rule !== rule || d.text_sha256 !== text_sha256);

/** Only those that still hold for a text of the rubric. */
export const holding = (all: readonly T.LintDismissal[], hashes: ReadonlySet<string>): T.LintDismissal[] =>
  all.filter((d) => hashes.has(d.text_sha256));

export const flag = (all: readonly T.GoldFlag[], modality: T.Modality, reason: string): T.GoldFlag[] => [
  ...all.filter((f) => f.modality !== modality),
  { modality, reason: reason.trim() },
];

/** An error about a modality that the author says is wrongly listed does not stand in the way. */
export const excused = (found: Found, flags: readonly T.GoldFlag[]): boolean =>
  found.severity === "error" && found.modality != null && flags.some((f) => f.modality === found.modality);

export const blocks = (found: readonly Found[], flags: readonly T.GoldFlag[]): Found[] =>
  found.filter((f) => f.severity === "error" && !excused(f, flags));

const rank = { error: 0, warning: 1, info: 2 } as const;
/** The worst first, in the order given within one severity. */
export const bySeverity = (found: readonly Found[]): Found[] =>
  [...found].sort((a, b) => rank[a.severity] - rank[b.severity]);

/** Where "___" asks to be filled in: first UTF-16 unit and end. */
export function blankOf(text: string): [number, number] | null {
  const at = /_{3,}/.exec(text);
  return at ? [at.index, at.index + at[0].length] : null;
}
