// The pixels of a screenshot: PNG of eight bits a channel, as WebDriver gives it.
import { inflateSync } from 'node:zlib';

/** Width, height, and `at(x, y)` as [red, green, blue]. */
export function pixels(png) {
  let at = 8;
  const parts = [];
  let head;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') head = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), depth: body[8], colour: body[9], interlaced: body[12] };
    if (kind === 'IDAT') parts.push(body);
    at += length + 12;
  }
  const channels = { 2: 3, 6: 4 }[head.colour];
  if (!channels || head.depth !== 8 || head.interlaced) throw new Error(`a screenshot of another kind: ${JSON.stringify(head)}`);
  const raw = inflateSync(Buffer.concat(parts));
  const line = head.width * channels;
  const out = Buffer.alloc(line * head.height);
  const paeth = (a, b, c) => {
    const [da, db, dc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return da <= db && da <= dc ? a : db <= dc ? b : c;
  };
  for (let y = 0; y < head.height; y++) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x < channels ? 0 : out[y * line + x - channels];
      const above = y === 0 ? 0 : out[(y - 1) * line + x];
      const corner = x < channels || y === 0 ? 0 : out[(y - 1) * line + x - channels];
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      out[y * line + x] = (raw[y * (line + 1) + 1 + x] + guess) & 255;
    }
  }
  return {
    width: head.width,
    height: head.height,
    at: (x, y) => [...out.subarray(y * line + x * channels, y * line + x * channels + 3)],
  };
}

/** Is a colour within a few steps of another? */
export const near = (one, other, within = 24) => one.every((value, channel) => Math.abs(value - other[channel]) <= within);
