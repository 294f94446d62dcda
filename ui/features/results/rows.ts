// The rows of the results tables: one for each result file of the chosen judging, and the whole of a folder at the end.
// Figures are looked up by the same paths that the backend uses to say why one is not defined.
import type { T } from "$ui/backend";

/** Figures of a file or of a folder as a whole. */
export type Figures = T.RunFigures;

export interface ResultRow {
  /** `folder/file`, or the folder for its whole. */
  key: string;
  folder: string;
  /** The model; empty for the whole. */
  model: string;
  /** The run's time stamp; shown where a model has more than one. */
  timestamp: string;
  figures: Figures;
}

export interface Chosen {
  rows: ResultRow[];
  /** The whole of the folder; nothing over several folders, or when there is one file only. */
  total: ResultRow | undefined;
}

export type Reading = "lenient" | "strict";
export const modalities = [
  "Text",
  "Image",
  "Audio",
  "Video",
  "Document",
] as const satisfies readonly T.Modality[];

/** A variant as it is asked for and shown: files name it `_rejudged`. */
export const variantOf = (file: T.FileScores): string => file.variant.replace(/^_+/, "");

/** Every judging there is besides the base one, in order. */
export function variants(scores: T.StudyScores): string[] {
  const found = new Set(
    Object.values(scores.runs).flatMap((folder) => Object.values(folder.files).map(variantOf)),
  );
  found.delete("");
  return [...found].sort();
}

/** The folder with the most rows: where one begins. */
export function mainFolder(scores: T.StudyScores): string {
  const rows = (folder: T.FolderScores): number =>
    Object.values(folder.files).reduce((n, file) => n + file.rows, 0);
  return (
    Object.entries(scores.runs).sort(([a, x], [b, y]) => rows(y) - rows(x) || a.localeCompare(b))[0]?.[0] ??
    ""
  );
}

/** The rows of a folder (of all folders when `folder` is empty) under a judging. */
export function chosen(scores: T.StudyScores, folder: string, judging: string): Chosen {
  const folders = Object.entries(scores.runs).filter(([name]) => folder === "" || name === folder);
  const rows = folders.flatMap(([name, scored]) =>
    Object.entries(scored.files)
      .filter(([, file]) => variantOf(file) === judging)
      .map(([file, figures]) => ({
        key: `${name}/${file}`,
        folder: name,
        model: figures.run_name,
        timestamp: figures.timestamp,
        figures,
      })),
  );
  const whole = folders.length === 1 && rows.length > 1 ? folders[0] : undefined;
  return {
    rows,
    total: whole && { key: whole[0], folder: whole[0], model: "", timestamp: "", figures: whole[1].overall },
  };
}

/** Does a model appear more than once, so that its runs need telling apart? */
export const repeated = (rows: readonly ResultRow[]): boolean =>
  new Set(rows.map((r) => `${r.folder}/${r.model}`)).size < rows.length;

/** A figure by its path, such as `per_modality.strict.Audio.precision`; nothing when it is not defined. */
export function figureAt(figures: Figures, path: string): number | undefined {
  let here: unknown = figures;
  for (const step of path.split(".")) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Record<string, unknown>)[step];
  }
  return typeof here === "number" && Number.isFinite(here) ? here : undefined;
}

/** Why a figure is not defined. */
export const reasonAt = (figures: Figures, path: string): string | undefined => figures.undefined?.[path];

/** A column of figures: `key` is the path. */
export const presencePath = (name: "precision" | "recall" | "f1" | "pass_rate", reading: Reading): string =>
  reading === "strict" ? `${name}_strict` : name;
