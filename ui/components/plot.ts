// The arithmetic of plots: round ticks, and where a value lies.

/** About `wanted` round ticks that cover [low, high]. */
export function ticks(low: number, high: number, wanted = 5): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((m) => m * power >= raw * 0.999) ?? 10) * power;
  const from = Math.floor(low / step + 1e-9);
  const to = Math.ceil(high / step - 1e-9);
  return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)));
}

/** From [low, high] to [from, to]; a range of nothing goes to the middle. */
export const scale =
  (low: number, high: number, from: number, to: number) =>
  (value: number): number =>
    high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from);

export interface Point {
  x: number;
  /** No value breaks the line. */
  y: number | null;
}

/** An SVG path through the points, interrupted where there is no value. */
export function path(points: readonly Point[], x: (v: number) => number, y: (v: number) => number): string {
  let pen = false;
  let out = "";
  for (const p of points) {
    if (p.y === null) {
      pen = false;
      continue;
    }
    out += `${pen ? "L" : "M"}${x(p.x).toFixed(2)} ${y(p.y).toFixed(2)}`;
    pen = true;
  }
  return out;
}
