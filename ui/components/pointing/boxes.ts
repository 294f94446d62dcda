// A box in shares (0 to 1) of the width and height of what it lies on.
export interface Share {
  x: number;
  y: number;
  width: number;
  height: number;
}
const STEP = 0.02;
const SMALLEST = 0.01;
const within = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** A step to the right and down; it stays inside. */
export const moved = (box: Share, x: number, y: number): Share => ({
  ...box,
  x: within(box.x + x * STEP, 0, 1 - box.width),
  y: within(box.y + y * STEP, 0, 1 - box.height),
});
/** A step wider and taller; its upper left corner stays. */
export const sized = (box: Share, x: number, y: number): Share => ({
  ...box,
  width: within(box.width + x * STEP, SMALLEST, 1 - box.x),
  height: within(box.height + y * STEP, SMALLEST, 1 - box.y),
});
/** The box between two corners. */
export function drawn(from: { x: number; y: number }, to: { x: number; y: number }): Share {
  const x = within(Math.min(from.x, to.x), 0, 1 - SMALLEST);
  const y = within(Math.min(from.y, to.y), 0, 1 - SMALLEST);
  return {
    x,
    y,
    width: within(Math.abs(to.x - from.x), SMALLEST, 1 - x),
    height: within(Math.abs(to.y - from.y), SMALLEST, 1 - y),
  };
}

/** In whole pixels of a picture: never empty, never outside. */
export function pixels(box: Share, size: { width: number; height: number }): Share {
  const x = Math.min(Math.floor(box.x * size.width), Math.max(0, size.width - 1));
  const y = Math.min(Math.floor(box.y * size.height), Math.max(0, size.height - 1));
  return {
    x,
    y,
    width: within(Math.round(box.width * size.width), 1, size.width - x),
    height: within(Math.round(box.height * size.height), 1, size.height - y),
  };
}
/** Whole thousandths. */
export const thousandths = (box: Share): Share => pixels(box, { width: 1000, height: 1000 });
/** Back to shares. */
export const shares = (box: Share, size: { width: number; height: number }): Share => ({
  x: box.x / size.width,
  y: box.y / size.height,
  width: box.width / size.width,
  height: box.height / size.height,
});
