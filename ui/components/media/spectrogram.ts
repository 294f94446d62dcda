// The spectrogram's bytes as the loopback server sends them: sampling rate and rows, then a byte a cell, column by column
// from the lowest pitch up.

export interface Spectrogram {
  sampleRate: number;
  rows: number;
  columns: number;
  cells: Uint8Array;
}

export class NoSpectrogram extends Error {}

export function parseSpectrogram(bytes: ArrayBuffer): Spectrogram {
  if (bytes.byteLength < 8) throw new NoSpectrogram("cut off");
  const head = new DataView(bytes);
  const rows = head.getUint32(4, true);
  const cells = new Uint8Array(bytes, 8);
  if (rows === 0 || cells.length % rows !== 0) throw new NoSpectrogram("cut off");
  return { sampleRate: head.getUint32(0, true), rows, columns: cells.length / rows, cells };
}

export async function fetchSpectrogram(
  url: string,
  from: number,
  to: number,
  columns: number,
  rows: number,
): Promise<Spectrogram> {
  const answer = await fetch(`${url}/spectrogram?from=${from}&to=${to}&columns=${columns}&rows=${rows}`);
  if (!answer.ok) {
    const why: unknown = await answer.json().catch(() => null);
    const message = why !== null && typeof why === "object" && "message" in why ? String(why.message) : "";
    throw new NoSpectrogram(message || String(answer.status));
  }
  return parseSpectrogram(await answer.arrayBuffer());
}

/** As a picture of its own size; `colours` has 256 times three bytes. */
export function picture(seen: Spectrogram, colours: Uint8ClampedArray): ImageData {
  const image = new ImageData(seen.columns, seen.rows);
  for (let x = 0; x < seen.columns; x++)
    for (let row = 0; row < seen.rows; row++) {
      const colour = (seen.cells[x * seen.rows + row] ?? 0) * 3;
      const at = ((seen.rows - 1 - row) * seen.columns + x) * 4;
      image.data[at] = colours[colour] ?? 0;
      image.data[at + 1] = colours[colour + 1] ?? 0;
      image.data[at + 2] = colours[colour + 2] ?? 0;
      image.data[at + 3] = 255;
    }
  return image;
}

const mel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);

/** Where a pitch lies in the picture's height, 0 at the top; rows are even on the mel scale. */
export const heightOf = (hertz: number, sampleRate: number): number => 1 - mel(hertz) / mel(sampleRate / 2);
