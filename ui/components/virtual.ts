// Which rows of a long list of equal rows are on screen. Browsers cap an element's height (Chromium and WebKit near 33
// million px), so above `maxHeight` the scrolled way is stretched over the list; nothing else changes.

export const maxHeight = 8_000_000;

export interface Window {
  /** Height of the scrolled element, px. */
  height: number;
  /** First row drawn. */
  first: number;
  /** One past the last row drawn. */
  end: number;
  /** Where the first drawn row begins, px from the top of the scrolled element. */
  top: number;
}

const overscan = 6;

/** The window for `count` rows of `row` px in a viewport of `view` px scrolled to `scroll`. */
export function windowOf(count: number, row: number, view: number, scroll: number): Window {
  const whole = count * row;
  const height = Math.min(whole, maxHeight);
  const room = Math.max(0, height - view);
  const at = Math.min(Math.max(0, scroll), room);
  const offset = room === 0 ? 0 : (at / room) * (whole - view);
  const first = Math.max(0, Math.floor(offset / row) - overscan);
  const end = Math.min(count, Math.ceil((offset + view) / row) + overscan);
  return { height, first, end, top: at - offset + first * row };
}

/** Where to scroll so that a row is wholly seen; the present place when it is already. */
export function scrollTo(index: number, count: number, row: number, view: number, scroll: number): number {
  const whole = count * row;
  const room = Math.max(0, Math.min(whole, maxHeight) - view);
  const travel = whole - view;
  if (room === 0 || travel <= 0) return 0;
  const offset = (Math.min(Math.max(0, scroll), room) / room) * travel;
  const start = index * row;
  const wanted = start < offset ? start : start + row > offset + view ? start + row - view : offset;
  return wanted === offset ? scroll : (wanted / travel) * room;
}
