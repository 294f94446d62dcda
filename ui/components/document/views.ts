// Which views a document's format has, the first being the one that is shown at first.
import type { ViewName } from "./notes";

export type PaneView =
  Extract<ViewName, "pages" | "printed" | "outline" | "grid" | "static" | "source"> | "rendered";

/** The views of a format; those that need LibreOffice only where it can be asked. */
export function viewsOf(format: string, printing: boolean): PaneView[] {
  switch (format) {
    case "docx":
      return ["pages", "outline"];
    case "pptx":
    case "odp":
    case "odt":
    case "rtf":
      return printing ? ["printed", "outline"] : ["outline"];
    case "xlsx":
    case "ods":
      return ["grid"];
    case "csv":
      return ["grid", "source"];
    case "html":
      return ["static", "source"];
    case "md":
      return ["rendered", "source"];
    default:
      return ["source"];
  }
}

/** Formats that are plain text, and so have an encoding that somebody may choose. */
export const isPlain = (format: string): boolean => ["csv", "txt", "md", "html", "svg"].includes(format);

/** Encodings to choose from, by their WHATWG names: those of most files first. */
export const ENCODINGS = [
  "UTF-8",
  "windows-1252",
  "UTF-16LE",
  "UTF-16BE",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "ISO-8859-2",
  "ISO-8859-15",
  "KOI8-R",
  "macintosh",
  "Shift_JIS",
  "EUC-JP",
  "ISO-2022-JP",
  "GBK",
  "gb18030",
  "Big5",
  "EUC-KR",
] as const;
