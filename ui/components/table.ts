// Tables as text: what "Copy as Markdown", "Copy as CSV" and "Copy as LaTeX" put on the clipboard, and how rows are sorted.

/** A form that a table is copied in. */
export type CopiedAs = "Markdown" | "CSV" | "LaTeX";

export interface Column<R> {
  key: string;
  label: string;
  /** What the cell shows. */
  text: (row: R) => string;
  /** What it sorts by; the text if left out. Rows without a value go last, whichever way it is sorted. */
  sort?: (row: R) => number | string | null | undefined;
  /** Figures are set at the end of the cell. */
  numeric?: boolean;
  /** Explains the column. */
  hint?: string;
}

export interface Sorting {
  key: string;
  down: boolean;
}

export function sorted<R>(rows: readonly R[], columns: readonly Column<R>[], by: Sorting | undefined): R[] {
  const column = by && columns.find((c) => c.key === by.key);
  if (!column) return [...rows];
  const value = column.sort ?? column.text;
  const sign = by.down ? -1 : 1;
  return rows
    .map((row, at) => ({ row, at, value: value(row) ?? undefined }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return a.value === b.value ? a.at - b.at : a.value === undefined ? 1 : -1;
      const order =
        typeof a.value === "number" && typeof b.value === "number"
          ? a.value - b.value
          : String(a.value).localeCompare(String(b.value), "en", { numeric: true });
      return order === 0 ? a.at - b.at : sign * order;
    })
    .map((entry) => entry.row);
}

const markdownCell = (text: string): string =>
  text.replace(/\\/g, "\\\\").replace(/\|/g, "\\|").replace(/\r?\n/g, " ");

/** A GitHub-style table; figures are aligned right. */
export function toMarkdown<R>(rows: readonly R[], columns: readonly Column<R>[]): string {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map((c) => markdownCell(c.label))),
    line(columns.map((c) => (c.numeric ? "---:" : "---"))),
    ...rows.map((row) => line(columns.map((c) => markdownCell(c.text(row))))),
    "",
  ].join("\n");
}

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** RFC 4180, with a plain minus and empty cells for missing values, so that a program reads it. */
export function toCsv<R>(rows: readonly R[], columns: readonly Column<R>[]): string {
  const plain = (text: string): string => (text === "–" ? "" : text.replace(/^−/, "-"));
  return (
    [
      columns.map((c) => csvCell(c.label)).join(","),
      ...rows.map((row) => columns.map((c) => csvCell(plain(c.text(row)))).join(",")),
    ].join("\r\n") + "\r\n"
  );
}

const texCell = (text: string): string => {
  const marks: Record<string, string> = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    π: "$\\pi$",
    κ: "$\\kappa$",
    α: "$\\alpha$",
    τ: "$\\tau$",
  };
  return text.replace(/\r?\n/g, " ").replace(/[\\~^−–πκατ&%$#_{}]/g, (c) => marks[c] ?? `\\${c}`);
};

/** A LaTeX `tabular` with the rules of the booktabs package; figures are aligned right. */
export function toLatex<R>(rows: readonly R[], columns: readonly Column<R>[]): string {
  const line = (cells: string[]): string => `${cells.map(texCell).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${columns.map((c) => (c.numeric ? "r" : "l")).join("")}}`,
    "\\toprule",
    line(columns.map((c) => c.label)),
    "\\midrule",
    ...rows.map((row) => line(columns.map((c) => c.text(row)))),
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

/** A table as it is kept as a file: what each cell shows, and the unrounded number behind it. */
export interface TableFile {
  name: string;
  columns: { name: string; numeric: boolean }[];
  rows: { texts: string[]; numbers: (number | null)[] }[];
}

/** Two figures in a cell: an interval, which no single number stands for. */
const isRange = (text: string): boolean => /\d.* (–|to) .*\d|\d.*\(.*\d/.test(text);

export function toFile<R>(name: string, rows: readonly R[], columns: readonly Column<R>[]): TableFile {
  const numeric = columns.map(
    (column) =>
      column.numeric === true &&
      column.sort !== undefined &&
      rows.every((row) => typeof column.sort?.(row) !== "string" && !isRange(column.text(row))),
  );
  return {
    name,
    columns: columns.map((column, at) => ({ name: column.label, numeric: numeric[at] === true })),
    rows: rows.map((row) => ({
      texts: columns.map((column) => column.text(row)),
      numbers: columns.map((column, at) => {
        const value = numeric[at] ? column.sort?.(row) : null;
        return typeof value === "number" && Number.isFinite(value) ? value : null;
      }),
    })),
  };
}
