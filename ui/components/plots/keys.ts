// Where the keys of a plot stand below it: in lines, as many as fit.
import { roomOf } from "./letters";

/** The height of a line of keys, in the plot's units. */
export const KEY_LINE = 20;
/** The room for a key's sign. */
export const SIGN = 30;
const GAP = 18;

/** The upper left corner of every key, below a plot of this width. */
export function keyPlaces(keys: readonly string[], width: number): { x: number; y: number }[] {
  let [x, y] = [0, 0];
  return keys.map((key) => {
    const wide = SIGN + roomOf(key);
    if (x > 0 && x + wide > width) [x, y] = [0, y + KEY_LINE];
    const place = { x, y };
    x += wide + GAP;
    return place;
  });
}
