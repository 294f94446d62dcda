// Which parts of a sound or video were played, without counting a part twice.

export type Range = readonly [from: number, to: number];

/** Adds a stretch; the result is sorted and free of overlaps. */
export function addRange(ranges: readonly Range[], [from, to]: Range): Range[] {
  if (!(to > from)) return [...ranges];
  const merged: Range[] = [];
  let low = from;
  let high = to;
  for (const range of ranges) {
    if (range[1] < low || range[0] > high) merged.push(range);
    else {
      low = Math.min(low, range[0]);
      high = Math.max(high, range[1]);
    }
  }
  merged.push([low, high]);
  return merged.sort((a, b) => a[0] - b[0]);
}

/** Seconds covered. */
export const covered = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, [from, to]) => sum + (to - from), 0);
