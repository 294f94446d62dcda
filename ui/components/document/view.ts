// The neutral model of a readable document, as the backend's worker gives it: no markup, nothing that could run.

export interface DocumentView {
  format: string;
  parts: readonly Part[];
  truncated: boolean;
  encoding?: string | null;
  not_shown: readonly string[];
}
export interface Part {
  title: string;
  blocks: readonly Block[];
}
export interface Run {
  text: string;
  bold?: boolean;
  italic?: boolean;
  link?: string | null;
}
export interface Cell {
  text: string;
  colspan?: number | null;
  number?: boolean;
}
export type Block =
  | { block: "heading"; level: number; text: string }
  | { block: "paragraph"; runs: readonly Run[] }
  | { block: "list"; ordered: boolean; items: readonly { depth: number; runs: readonly Run[] }[] }
  | { block: "table"; rows: readonly (readonly Cell[])[] }
  | { block: "image"; name: string; alt: string }
  | { block: "code"; text: string }
  | { block: "notes"; text: string };

/** Is it a document's view? Guards what crosses untyped. */
export function isDocumentView(value: unknown): value is DocumentView {
  return (
    typeof value === "object" &&
    value !== null &&
    "parts" in value &&
    Array.isArray(value.parts) &&
    "not_shown" in value &&
    Array.isArray(value.not_shown)
  );
}

/** A column's letters: A to Z, then AA. */
export function columnName(index: number): string {
  let name = "";
  for (let n = index + 1; n > 0; n = Math.floor((n - 1) / 26))
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  return name;
}

/** Cells of a row with the column each begins in, spans counted. */
export function placed(row: readonly Cell[]): { cell: Cell; column: number; span: number }[] {
  let column = 0;
  return row.map((cell) => {
    const span = Math.max(1, cell.colspan ?? 1);
    const at = { cell, column, span };
    column += span;
    return at;
  });
}

/** How many columns a table has. */
export const columnsOf = (rows: readonly (readonly Cell[])[]): number =>
  rows.reduce((most, row) => {
    const end = placed(row).at(-1);
    return Math.max(most, end ? end.column + end.span : 0);
  }, 0);
