/** Sheets: what is walked, drawn and copied. */
import { describe, expect, it } from "vitest";
import { between, cellAt, columnEdges, copied, findCells, mergedAt, shownRows, spanOf } from "./grid";
import type { Grid } from "./view";

const grid: Grid = {
  row_count: 1000,
  column_count: 4,
  rows: [
    {
      index: 0,
      cells: [
        { column: 0, text: "name" },
        { column: 1, text: 'a "b"\tc' },
      ],
    },
    { index: 2, hidden: true, cells: [{ column: 1, text: "7", formula: "SUM(A1)" }] },
    { index: 999, cells: [{ column: 3, text: "far" }] },
  ],
  merged: [{ top: 0, left: 1, bottom: 2, right: 2 }],
  columns: [
    { first: 2, last: 2, hidden: true },
    { first: 3, last: 3, width: 20, hidden: false },
  ],
};

describe("a sheet", () => {
  it("finds cells by place, however far", () => {
    expect(cellAt(grid, { row: 999, column: 3 })?.text).toBe("far");
    expect(cellAt(grid, { row: 500, column: 0 }), "nothing is listed there").toBeUndefined();
  });
  it("leaves out hidden rows and columns unless they are asked for", () => {
    expect(shownRows(grid, false)?.length).toBe(999);
    expect(shownRows(grid, false)?.[2], "the third that shows is the fourth").toBe(3);
    expect(shownRows(grid, true), "all of them").toBeNull();
    const edges = columnEdges(grid, false);
    expect((edges[3] ?? 0) - (edges[2] ?? 0), "a hidden column has no width").toBe(0);
    expect((edges[4] ?? 0) - (edges[3] ?? 0), "20 characters and the padding").toBeCloseTo(12.25);
    const all = columnEdges(grid, true);
    expect((all[3] ?? 0) - (all[2] ?? 0)).toBeGreaterThan(1);
  });
  it("draws only the columns near the eye", () => {
    const edges = Float64Array.from([0, 10, 20, 30, 40]);
    expect(between(edges, 12, 25)).toEqual({ first: 1, end: 3 });
    expect(between(edges, 0, 5)).toEqual({ first: 0, end: 1 });
    expect(between(edges, 90, 95)).toEqual({ first: 4, end: 4 });
  });
  it("never cuts a merged cell", () => {
    const merged = grid.merged ?? [];
    expect(mergedAt(merged, { row: 1, column: 2 })).toBe(merged[0]);
    expect(spanOf({ row: 1, column: 0 }, { row: 1, column: 1 }, merged)).toEqual({
      top: 0,
      left: 0,
      bottom: 2,
      right: 2,
    });
  });
  it("copies as spreadsheets paste", () => {
    expect(copied(grid, { top: 0, left: 0, bottom: 2, right: 1 })).toBe('name\t"a ""b""\tc"\n\t\n\t7');
  });
  it("finds words in cells and formulas, in reading order", () => {
    expect(findCells(grid, "SUM")).toEqual([{ row: 2, column: 1 }]);
    expect(findCells(grid, "a").map((p) => p.row)).toEqual([0, 0, 2, 999]);
    expect(findCells(grid, " ")).toEqual([]);
  });
});
