// A sheet as it is walked and drawn: cells by place, columns and rows by position, ranges as text to copy.
import type { Grid, GridCell, GridRow, Merged } from "./view";

export interface Place {
  row: number;
  column: number;
}
export interface Span {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

const MOST_COLUMNS = 16_384;

/** The row of a number, or nothing where it is empty: rows are listed by number. */
export function rowAt(rows: readonly GridRow[], index: number): GridRow | undefined {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = rows[middle];
    if (!found || found.index === index) return found;
    if (found.index < index) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** The cell at a place. */
export function cellAt(grid: Grid, place: Place): GridCell | undefined {
  const cells = rowAt(grid.rows, place.row)?.cells ?? [];
  return cells.find((cell) => cell.column === place.column);
}

/** The left edge of each column in `em`, and the end as one more. Widths are the sheet's own, or follow the longest of the
 *  first cells; a hidden column has none. */
export function columnEdges(grid: Grid, showHidden: boolean): Float64Array {
  const count = Math.min(grid.column_count, MOST_COLUMNS);
  const widths = new Float64Array(count).fill(4);
  for (const row of grid.rows.slice(0, 200))
    for (const cell of row.cells)
      if (cell.column < count)
        widths[cell.column] = Math.max(widths[cell.column] ?? 0, Math.min(cell.text.length, 36));
  for (const { first, last, width, hidden } of grid.columns ?? [])
    for (let column = first; column <= last && column < count; column++) {
      if (hidden && !showHidden) widths[column] = -1;
      else if (width != null) widths[column] = Math.min(Math.max(width, 2), 80);
    }
  const edges = new Float64Array(count + 1);
  widths.forEach((width, column) => {
    edges[column + 1] = (edges[column] ?? 0) + (width < 0 ? 0 : width * 0.55 + 1.25);
  });
  return edges;
}

/** The numbers of the rows that show, or null where all do. */
export function shownRows(grid: Grid, showHidden: boolean): Uint32Array | null {
  if (showHidden || !grid.rows.some((row) => row.hidden)) return null;
  const hidden = new Set(grid.rows.filter((row) => row.hidden).map((row) => row.index));
  const shown: number[] = [];
  for (let row = 0; row < grid.row_count; row++) if (!hidden.has(row)) shown.push(row);
  return Uint32Array.from(shown);
}

/** First and one past the last stretch between two places, by its edges. */
export function between(edges: Float64Array, from: number, to: number): { first: number; end: number } {
  let first = 0;
  const count = edges.length - 1;
  while (first < count && (edges[first + 1] ?? 0) < from) first += 1;
  let end = first;
  while (end < count && (edges[end] ?? 0) <= to) end += 1;
  return { first, end };
}

/** The merged cells that a place belongs to. */
export const mergedAt = (merged: readonly Merged[], { row, column }: Place): Merged | undefined =>
  merged.find((m) => row >= m.top && row <= m.bottom && column >= m.left && column <= m.right);

/** The span between two corners, grown until no merged cell is cut. */
export function spanOf(a: Place, b: Place, merged: readonly Merged[]): Span {
  const span = {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    left: Math.min(a.column, b.column),
    right: Math.max(a.column, b.column),
  };
  for (let grown = true; grown;) {
    grown = false;
    for (const m of merged) {
      const meets =
        m.top <= span.bottom && m.bottom >= span.top && m.left <= span.right && m.right >= span.left;
      if (!meets) continue;
      if (m.top < span.top || m.bottom > span.bottom || m.left < span.left || m.right > span.right) {
        span.top = Math.min(span.top, m.top);
        span.bottom = Math.max(span.bottom, m.bottom);
        span.left = Math.min(span.left, m.left);
        span.right = Math.max(span.right, m.right);
        grown = true;
      }
    }
  }
  return span;
}

/** A span as lines of cells parted by tabs, as spreadsheets paste it. A cell with a tab, a line break or a quote is quoted. */
export function copied(grid: Grid, span: Span): string {
  const quoted = (text: string): string =>
    /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines: string[] = [];
  for (let row = span.top; row <= span.bottom; row++) {
    const cells = rowAt(grid.rows, row)?.cells ?? [];
    const line: string[] = Array.from({ length: span.right - span.left + 1 }, () => "");
    for (const cell of cells)
      if (cell.column >= span.left && cell.column <= span.right)
        line[cell.column - span.left] = quoted(cell.text);
    lines.push(line.join("\t"));
  }
  return lines.join("\n");
}

/** Where a word stands in cells, in reading order. */
export function findCells(grid: Grid, query: string): Place[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  return grid.rows.flatMap((row) =>
    row.cells
      .filter(
        (cell) =>
          cell.text.toLowerCase().includes(wanted) || (cell.formula?.toLowerCase().includes(wanted) ?? false),
      )
      .map((cell) => ({ row: row.index, column: cell.column })),
  );
}

/** The place of a cell by its name, such as `B4`; undefined for what is no name. */
export function placeNamed(name: string): Place | undefined {
  const found = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(name);
  if (!found) return undefined;
  const column = (found[1] ?? "").split("").reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { row: Number(found[2]) - 1, column };
}
