// What a view does not show faithfully: the worker finds what the file holds, and each view shows some of it.

export type ViewName = "outline" | "pages" | "printed" | "grid" | "pdf" | "static" | "source";

/** What docx-preview draws, though the outline does not. */
const drawn = new Set(["headers", "footnotes", "images", "equations", "shapes", "layout"]);
/** What LibreOffice prints. */
const printed = new Set([
  ...drawn,
  "charts",
  "smart_art",
  "number_formats",
  "cell_styles",
  "conditional_formats",
  "embedded_objects",
  "pivot_tables",
]);

/** The codes that hold for a view, in order, each once. */
export function lostIn(view: ViewName, held: readonly string[]): string[] {
  if (view === "source") return held.filter((code) => code === "undecodable");
  if (view === "pages") return [...held.filter((code) => !drawn.has(code)), "page_breaks"];
  if (view === "printed") return [...held.filter((code) => !printed.has(code)), "page_breaks"];
  return [...held];
}
