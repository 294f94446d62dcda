// Where pages stand when they are drawn below one another, and which of them are near the eye. Sizes in CSS pixels.

export interface Size {
  width: number;
  height: number;
}
export interface Layout {
  /** The upper edge of each page, and the end as one more. */
  tops: Float64Array;
  /** The widest page. */
  width: number;
}
export type Fit = "width" | "page" | "none";

export const GAP = 12;
const ZOOMS = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4];

/** Stacks pages of these sizes (in PDF points) at a scale. */
export function stack(sizes: readonly Size[], scale: number): Layout {
  const tops = new Float64Array(sizes.length + 1);
  let width = 0;
  sizes.forEach((size, index) => {
    tops[index + 1] = (tops[index] ?? 0) + Math.round(size.height * scale) + GAP;
    width = Math.max(width, Math.round(size.width * scale));
  });
  return { tops, width };
}

/** The page at a height: the last whose upper edge is not below it. */
export function pageAt(layout: Layout, y: number): number {
  let low = 0;
  let high = Math.max(0, layout.tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((layout.tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** First and one past the last page that show between two heights, with a page more on each side. */
export function near(layout: Layout, top: number, height: number): { first: number; end: number } {
  const count = layout.tops.length - 1;
  if (count <= 0) return { first: 0, end: 0 };
  return {
    first: Math.max(0, pageAt(layout, top) - 1),
    end: Math.min(count, pageAt(layout, top + height) + 2),
  };
}

/** The scale at which a page fits the room; 96/72 is its true size. */
export function fitting(fit: Fit, page: Size, room: Size, zoom: number): number {
  const across = Math.max(40, room.width) / Math.max(1, page.width);
  if (fit === "width") return across;
  if (fit === "page") return Math.min(across, Math.max(40, room.height) / Math.max(1, page.height));
  return (zoom * 96) / 72;
}

/** The next zoom up or down from any scale. */
export function otherZoom(zoom: number, by: number): number {
  const last = ZOOMS.length - 1;
  if (by > 0) return ZOOMS.find((z) => z > zoom + 0.005) ?? ZOOMS[last] ?? 4;
  return ZOOMS.findLast((z) => z < zoom - 0.005) ?? ZOOMS[0] ?? 0.25;
}
