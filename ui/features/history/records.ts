// What a record shows of itself, and which of the loaded ones it replaces or is replaced by.
import type { T } from "$ui/backend";
import { history as words } from "$ui/text";

/** The kinds a role can meet, in the order they are offered. */
export function kindsOf(role: T.Role | undefined): string[] {
  if (role === "judge") return ["judgement", "retraction"];
  if (role === "author") return ["rubric_revision", "rubric_submission", "review", "curation", "retraction"];
  return Object.keys(words.kinds);
}

/** A kind as people read it; one of a later version by its own name. */
export const kindName = (kind: string): string => words.kinds[kind] ?? kind.replace(/_/g, " ");

/** A key for lists. Records from files have no id of their own, so theirs is what they say. */
export const recordKey = (entry: T.HistoryEntry, at: number): string =>
  entry.statement ?? `${at}/${entry.kind}/${entry.about}/${entry.person}`;

/** The prompt's key: what `about` begins with; nothing where a record is about something else. */
export function promptKeyOf(entry: T.HistoryEntry): string | undefined {
  if (entry.kind === "assignment") return undefined;
  const first = entry.about.split(" · ")[0]?.trim() ?? "";
  return /^\S+$/.test(first) ? first : undefined;
}

/** How it stands, in words. A retraction is neither in force nor taken back. */
export function standingOf(entry: T.HistoryEntry): string {
  if (entry.kind === "retraction") return words.isRetraction;
  return entry.in_force ? words.inForce : words.takenBack;
}

export interface Linked {
  id: string;
  /** Where it is in the list; nothing when it is not loaded. */
  at: number | undefined;
}

/** The records that this one replaces or takes back. */
export const replacedBy = (rows: readonly T.HistoryEntry[], entry: T.HistoryEntry): Linked[] =>
  entry.replaces.map((id) => {
    const at = rows.findIndex((row) => row.statement === id);
    return { id, at: at < 0 ? undefined : at };
  });

/** The loaded records that replace or take back this one. */
export const replacing = (rows: readonly T.HistoryEntry[], entry: T.HistoryEntry): number[] =>
  entry.statement
    ? rows.flatMap((row, at) => (row.replaces.includes(entry.statement ?? "") ? [at] : []))
    : [];
