/**
 * Active time on an item: the time a person is there, not the time the window is open.
 *
 * The clock comes in as an argument. A gap longer than the idle limit without any sign of life counts only up
 * to the limit, unless something plays: listening is work.
 */
export const IDLE_MS = 60_000;

export interface ActiveClock {
  /** A key, a pointer, a tick of something that plays. */
  sign(): void;
  /** The window is hidden or the item is left. */
  pause(): void;
  /** The window is shown again. */
  resume(): void;
  /** Whole milliseconds so far. */
  total(): number;
}

export function activeClock(now: () => number, already_ms = 0, idle_ms = IDLE_MS): ActiveClock {
  let total = already_ms;
  let last: number | null = now();
  const settle = (): void => {
    if (last === null) return;
    const at = now();
    total += Math.min(Math.max(at - last, 0), idle_ms);
    last = at;
  };
  return {
    sign() {
      if (last === null) last = now();
      settle();
    },
    pause() {
      settle();
      last = null;
    },
    resume() {
      if (last === null) last = now();
    },
    total() {
      const running = last === null ? 0 : Math.min(Math.max(now() - last, 0), idle_ms);
      return Math.round(total + running);
    },
  };
}
