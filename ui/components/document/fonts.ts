// Which of the fonts that a document asks for this machine lacks: a word is set in the font with two different fallbacks,
// and a font that is there gives it one width.
let canvas: CanvasRenderingContext2D | null | undefined;

const WORD = "mmmmWWlliiMM@#0123";

function width(family: string): number {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return 0;
  canvas.font = `72px ${family}`;
  return canvas.measureText(WORD).width;
}

/** The names that are not installed, in order. `measure` stands in for the browser's in tests. */
export function missingFonts(
  names: readonly string[],
  measure: (family: string) => number = width,
): string[] {
  const generic = ["monospace", "serif", "sans-serif"] as const;
  return names.filter((name) => {
    // A subset of a PDF has six letters before the name; styles follow a comma or a hyphen.
    const family =
      name
        .replace(/^[A-Z]{6}\+/, "")
        .split(",")[0]
        ?.trim() ?? "";
    if (family === "") return false;
    const quoted = `"${family.replace(/["\\]/g, "")}"`;
    return generic.every((fallback) => measure(`${quoted}, ${fallback}`) === measure(fallback));
  });
}
