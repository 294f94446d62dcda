// The columns that the tables of agreement share: how many, a coefficient, its interval.
import type { T } from "$ui/backend";
import type { Column } from "$ui/components/table";
import { count, figure } from "$ui/text";
import { intervalText, valueText } from "./figures";

interface Head<Row> {
  key: string;
  label: string;
  of: (row: Row) => T.Coefficient;
  /** How its value reads; figures as coefficients are shown where it is left out. */
  show?: (value: number) => string;
  hint?: string;
}

/** How many units, judgements or people a row stands on. */
export const countColumn = <Row>(key: string, label: string, of: (row: Row) => number): Column<Row> => ({
  key,
  label,
  numeric: true,
  text: (row) => count(of(row)),
  sort: of,
});

/** A coefficient's value, or why there is none. */
export const valueColumn = <Row>({ key, label, of, show = figure, hint }: Head<Row>): Column<Row> => ({
  key,
  label,
  numeric: true,
  text: (row) => valueText(of(row), show),
  sort: (row) => of(row).value,
  ...(hint === undefined ? {} : { hint }),
});

/** Its 95 % interval, in the order of the lower ends. */
export const intervalColumn = <Row>({ key, label, of, show = figure, hint }: Head<Row>): Column<Row> => ({
  key,
  label,
  numeric: true,
  text: (row) => intervalText(of(row), show),
  sort: (row) => of(row).ci95?.[0],
  ...(hint === undefined ? {} : { hint }),
});
