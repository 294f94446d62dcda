// The stretch of a sound that is looked at. Zooming keeps the place under the pointer where it is.
import type { Range } from "./ranges";

/** No closer than this, seconds: some hundred samples on a screen. */
export const CLOSEST = 0.05;

/** The stretch moved so that it lies within the sound. */
export function within([from, to]: Range, total: number): Range {
  const length = Math.min(Math.max(to - from, Math.min(CLOSEST, total)), total);
  const start = Math.min(Math.max(from, 0), total - length);
  return [start, start + length];
}

/** `factor` times as long, with `at` (seconds) staying at its place. */
export function zoomed(range: Range, factor: number, at: number, total: number): Range {
  const length = range[1] - range[0];
  const wanted = Math.min(Math.max(length * factor, Math.min(CLOSEST, total)), total);
  const share = length > 0 ? (at - range[0]) / length : 0.5;
  return within([at - share * wanted, at + (1 - share) * wanted], total);
}

/** The stretch that shows `at`: the same one, or the page after or before. */
export function showing(range: Range, at: number, total: number): Range {
  const length = range[1] - range[0];
  if (at >= range[0] && at < range[1]) return range;
  return at < range[0]
    ? within([at - length * 0.9, at + length * 0.1], total)
    : within([at - length * 0.1, at + length * 0.9], total);
}

/** Ticks of a time scale: about `wanted` of them, at round seconds. */
export function ticks([from, to]: Range, wanted: number): number[] {
  const rough = (to - from) / Math.max(1, wanted);
  if (!(rough > 0)) return [];
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
  const step = steps.find((s) => s >= rough) ?? 7200;
  const first = Math.ceil(from / step - 1e-9);
  return Array.from(
    { length: Math.max(0, Math.floor(to / step + 1e-9) - first + 1) },
    (_, n) => (first + n) * step,
  );
}
