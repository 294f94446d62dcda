// Tables that are copied out must be read back unchanged, and sort as people expect.
import { describe, expect, it } from "vitest";
import { sorted, toCsv, toLatex, toMarkdown, type Column } from "./table";

interface Row {
  name: string;
  score: number | null;
}
const columns: Column<Row>[] = [
  { key: "name", label: "Model", text: (r) => r.name },
  {
    key: "score",
    label: "Score, %",
    numeric: true,
    text: (r) => (r.score === null ? "–" : String(r.score).replace("-", "−")),
    sort: (r) => r.score,
  },
];
const rows: Row[] = [
  { name: "model-10", score: 1 },
  { name: "model-9", score: null },
  { name: "a|b\nc", score: -2 },
];

describe("copying", () => {
  it("is printed by LaTeX as it reads on screen", () => {
    const row = { name: "a_b & 50 % \\ #1 {x}", score: -2 };
    expect(toLatex([row], columns), "marks of LaTeX are texts, a minus is one, figures to the right").toBe(
      "\\begin{tabular}{lr}\n\\toprule\nModel & Score, \\% \\\\\n\\midrule\n" +
        "a\\_b \\& 50 \\% \\textbackslash{} \\#1 \\{x\\} & $-$2 \\\\\n\\bottomrule\n\\end{tabular}\n",
    );
  });
  it("escapes what would break a Markdown table", () => {
    expect(toMarkdown(rows, columns).split("\n")[4], "the pipe is escaped, the line break gone").toBe(
      "| a\\|b c | −2 |",
    );
    expect(toMarkdown(rows, columns), "figures to the right").toContain("| --- | ---: |");
  });
  it("writes CSV that a program reads: quotes, a plain minus, nothing for no value", () => {
    expect(toCsv(rows, columns), "RFC 4180").toBe(
      'Model,"Score, %"\r\nmodel-10,1\r\nmodel-9,\r\n"a|b\nc",-2\r\n',
    );
  });
});

describe("sorting", () => {
  it("puts missing values last both ways", () => {
    const up = sorted(rows, columns, { key: "score", down: false }).map((r) => r.score);
    const down = sorted(rows, columns, { key: "score", down: true }).map((r) => r.score);
    expect(up, "smallest first").toEqual([-2, 1, null]);
    expect(down, "largest first, missing still last").toEqual([1, -2, null]);
  });
  it("sorts names with numbers as people do", () => {
    const names = sorted(rows.slice(0, 2), columns, { key: "name", down: false }).map((r) => r.name);
    expect(names, "9 before 10").toEqual(["model-9", "model-10"]);
  });
});
