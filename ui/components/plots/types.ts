// What every plot shares: the words of its frame, and a file that it is kept as.

export type PlotTheme = "light" | "dark";

export interface PlotFile {
  name: string;
  svg: string;
  /** The PNG in hexadecimal digits, where a PNG was asked for. */
  png?: string;
}

export interface PlotWords {
  saveAs: string;
  /** Opens the table of figures. */
  figures: string;
  file: (kind: "SVG" | "PNG", theme: PlotTheme) => string;
}
