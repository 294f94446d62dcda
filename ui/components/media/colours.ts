// The colours of a spectrogram: from the ground through the accent to the ink, evenly light to the eye (Oklab, Ottosson
// 2020), so that twice as strong looks the same step in light and in dark.

type Three = readonly [number, number, number];

const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const curved = (c: number): number => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);

/** sRGB, 0 to 255 each, as lightness (0 to 1) and two opponent colours. */
export function oklab([r, g, b]: Three): Three {
  const [lr, lg, lb] = [linear(r / 255), linear(g / 255), linear(b / 255)];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function srgb([lightness, a, b]: Three): Three {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const byte = (c: number): number => Math.round(255 * Math.min(1, Math.max(0, curved(Math.max(0, c)))));
  return [
    byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    byte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** `#rrggbb` as three numbers; anything else is grey. */
export function hex(colour: string): Three {
  const found = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour.trim());
  return found
    ? [parseInt(found[1] ?? "", 16), parseInt(found[2] ?? "", 16), parseInt(found[3] ?? "", 16)]
    : [128, 128, 128];
}

/** 256 colours, three bytes each, from `ground` through `accent` to `ink`; their lightness goes evenly from end to end. */
export function ramp(ground: string, accent: string, ink: string): Uint8ClampedArray {
  const [from, over, to] = [oklab(hex(ground)), oklab(hex(accent)), oklab(hex(ink))];
  // The accent lies where its lightness is met.
  const place = Math.min(0.8, Math.max(0.2, (over[0] - from[0]) / (to[0] - from[0] || 1)));
  const table = new Uint8ClampedArray(256 * 3);
  for (let n = 0; n < 256; n++) {
    const share = n / 255;
    const [a, b, t] = share < place ? [from, over, share / place] : [over, to, (share - place) / (1 - place)];
    const mix = (at: 1 | 2): number => a[at] + (b[at] - a[at]) * t;
    table.set(srgb([from[0] + (to[0] - from[0]) * share, mix(1), mix(2)]), n * 3);
  }
  return table;
}
