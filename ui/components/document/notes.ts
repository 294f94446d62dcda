// What a view does not show faithfully: the worker finds what the file holds, and each view shows some of it.
import type { DocumentView } from "./view";

export type ViewName = "outline" | "pages" | "printed" | "grid" | "pdf" | "static" | "source";

/** What docx-preview draws, though the outline does not. */
const drawn = new Set(["headers", "footnotes", "images", "equations", "layout"]);
/** What LibreOffice prints. */
const printed = new Set([
  ...drawn,
  "shapes",
  "charts",
  "smart_art",
  "number_formats",
  "cell_styles",
  "conditional_formats",
  "embedded_objects",
  "pivot_tables",
]);
/** What a view shows in another way than the outline does goes by a code of its own. */
const otherwise: Partial<Record<ViewName, Record<string, string>>> = {
  pages: { shapes: "shapes_below" },
  printed: { tracked_changes: "changes_marked", hidden_slides: "slides_left_out", fields: "fields_anew" },
};

/** The codes of what a document holds: those that the worker found, and the speaker's notes that its outline has. */
export function heldBy(view: DocumentView): string[] {
  const notes = view.parts.some((part) => part.blocks.some((block) => block.block === "notes"));
  return [...view.not_shown, ...(notes ? ["speaker_notes"] : [])];
}

/** The codes that hold for a view, in order, each once. */
export function lostIn(view: ViewName, held: readonly string[]): string[] {
  if (view === "source") return held.filter((code) => code === "undecodable");
  if (view === "pages" || view === "printed") {
    const shown = view === "pages" ? drawn : printed;
    const named = held.filter((code) => !shown.has(code)).map((code) => otherwise[view]?.[code] ?? code);
    return [...new Set(named), "page_breaks"];
  }
  // The outline has the speaker's notes.
  return held.filter((code) => code !== "speaker_notes");
}
