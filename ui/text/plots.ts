// Words around every plot.
export const plots = {
  saveAs: "Save plot",
  figures: "The figures of the plot",
  file: (kind: "SVG" | "PNG", theme: "light" | "dark") => `${kind}, ${theme}`,
  saved: (path: string) => `Saved as ${path}`,
} as const;
