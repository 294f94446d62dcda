// The neutral model of a readable document, as the backend's worker gives it: no markup, nothing that could run.

export interface DocumentView {
  format: string;
  parts: readonly Part[];
  truncated: boolean;
  encoding?: string | null;
  not_shown: readonly string[];
  fonts?: readonly string[];
}
export interface Part {
  title: string;
  blocks: readonly Block[];
  hidden?: boolean;
}
/** How a document is to be read: in an encoding that somebody chose, a csv as the text that it is. */
export interface Reading {
  encoding?: string;
  source?: boolean;
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
export interface Grid {
  row_count: number;
  column_count: number;
  /** Only rows that hold something, by number. */
  rows: readonly GridRow[];
  merged?: readonly Merged[];
  columns?: readonly { first: number; last: number; width?: number | null; hidden: boolean }[];
  frozen_rows?: number;
}
export interface GridRow {
  index: number;
  hidden?: boolean;
  cells: readonly GridCell[];
}
export interface GridCell {
  column: number;
  text: string;
  value?: string | null;
  formula?: string | null;
  kind?: "text" | "number" | "date" | "boolean" | "error";
}
export interface Merged {
  top: number;
  left: number;
  bottom: number;
  right: number;
}
export type Block =
  | { block: "heading"; level: number; text: string }
  | { block: "paragraph"; runs: readonly Run[] }
  | { block: "list"; ordered: boolean; items: readonly { depth: number; runs: readonly Run[] }[] }
  | { block: "table"; rows: readonly (readonly Cell[])[] }
  | ({ block: "grid" } & Grid)
  | { block: "image"; name: string; alt: string; data?: string | null }
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

/** The text of a view, a block on a line. */
export function plainText(view: DocumentView): string {
  const of = (block: Block): string => {
    switch (block.block) {
      case "heading":
      case "code":
      case "notes":
        return block.text;
      case "paragraph":
        return block.runs.map((run) => run.text).join("");
      case "list":
        return block.items.map((item) => item.runs.map((run) => run.text).join("")).join("\n");
      case "table":
        return block.rows.map((row) => row.map((cell) => cell.text).join("\t")).join("\n");
      case "grid":
        return block.rows.map((row) => row.cells.map((cell) => cell.text).join("\t")).join("\n");
      case "image":
        return block.alt;
    }
  };
  return view.parts
    .flatMap((part) => [...(part.title ? [part.title] : []), ...part.blocks.map(of)])
    .join("\n");
}
