// The arithmetic of looking at a picture: how large it is drawn, where, and which part of it is in view. Lengths of the
// view are in CSS pixels, those of the picture in its own.

export interface Size {
  width: number;
  height: number;
}
export interface Place {
  x: number;
  y: number;
}
export type Zoom = number | "fit";
/** Quarter turns of the view, clockwise. */
export type Turn = 0 | 90 | 180 | 270;

/** What is seen through transparency: a checkerboard, or a plain ground against which faint edges show. */
export type Ground = "checker" | "white" | "black";
const GROUNDS: readonly Ground[] = ["checker", "white", "black"];
export const nextGround = (ground: Ground): Ground =>
  GROUNDS[(GROUNDS.indexOf(ground) + 1) % GROUNDS.length] ?? "checker";

export const LEAST_ZOOM = 0.01;
export const MOST_ZOOM = 32;

/** The scale at which all of a picture is in view; never more than 100 %. */
export function fitScale(picture: Size, view: Size, turn: Turn): number {
  if (picture.width <= 0 || picture.height <= 0 || view.width <= 0 || view.height <= 0) return 1;
  const [wide, tall] = turn % 180 === 0 ? [picture.width, picture.height] : [picture.height, picture.width];
  return Math.min(1, view.width / wide, view.height / tall);
}

/** A scale within bounds; the least is lower for pictures that fit only below it. */
export const boundedZoom = (zoom: number, fit: number): number =>
  Math.min(Math.max(zoom, Math.min(LEAST_ZOOM, fit)), MOST_ZOOM);

/**
 * Where the picture must be moved so that what lies under `pointer` stays there when the scale changes. Places are of the
 * picture's middle and of the pointer, from the middle of the view, in CSS pixels.
 */
export function zoomAbout(at: Place, pointer: Place, before: number, after: number): Place {
  const grow = after / before;
  return { x: pointer.x - (pointer.x - at.x) * grow, y: pointer.y - (pointer.y - at.y) * grow };
}

const GRID = 256;
/** The longest side of a part that the backend gives. */
export const LONGEST_PART = 4096;

/**
 * The part of a picture that is in view, widened to a grid so that a small move needs no new part; none where it would be
 * larger than the backend gives.
 */
export function partInView(
  picture: Size,
  view: Size,
  at: Place,
  scale: number,
  turn: Turn,
): { x: number; y: number; width: number; height: number } | null {
  const angle = (-turn * Math.PI) / 180;
  const [cos, sin] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
  const middle = {
    x: picture.width / 2 + (-at.x * cos + at.y * sin) / scale,
    y: picture.height / 2 + (-at.x * sin - at.y * cos) / scale,
  };
  const [wide, tall] = turn % 180 === 0 ? [view.width, view.height] : [view.height, view.width];
  const down = (n: number): number => Math.max(0, Math.floor(n / GRID) * GRID);
  const up = (n: number, most: number): number => Math.min(most, Math.ceil(n / GRID) * GRID);
  const x = down(middle.x - wide / 2 / scale);
  const y = down(middle.y - tall / 2 / scale);
  const width = up(middle.x + wide / 2 / scale, picture.width) - x;
  const height = up(middle.y + tall / 2 / scale, picture.height) - y;
  if (width <= 0 || height <= 0 || width > LONGEST_PART || height > LONGEST_PART) return null;
  return { x, y, width, height };
}

/** How long web views show a frame: what asks for a hundredth of a second or less gets a tenth. */
export const shownMs = (delay: number): number => (delay <= 10 ? 100 : delay);

/** The frame that is on show so long after the first one was. */
export function frameAfter(ms: number, delays: readonly number[]): number {
  const round = delays.reduce((sum, delay) => sum + shownMs(delay), 0);
  if (round <= 0) return 0;
  let left = Math.max(0, ms) % round;
  for (const [frame, delay] of delays.entries()) {
    left -= shownMs(delay);
    if (left < 0) return frame;
  }
  return delays.length - 1;
}
