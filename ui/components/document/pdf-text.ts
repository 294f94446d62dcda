// The text of a PDF's page as pdf.js gives it in pieces, joined as it reads, with the place where each piece begins.

export interface Piece {
  str: string;
  hasEOL: boolean;
}

/** Joins pieces; a piece at a line's end is followed by a line break. */
export function join(pieces: readonly Piece[]): { text: string; starts: number[] } {
  let text = "";
  const starts: number[] = [];
  for (const piece of pieces) {
    starts.push(text.length);
    text += piece.str;
    if (piece.hasEOL) text += "\n";
  }
  return { text, starts };
}
