/**
 * Active and idle time on an item: the time a person is there, and the time the item is only open.
 *
 * The clock comes in as an argument. A gap longer than the idle limit without any sign of life is active up to the limit,
 * unless something plays (listening is work), and idle from there on. A hidden window is neither. No time counts twice.
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
  /** Whole idle milliseconds so far. */
  idle(): number;
  /** Is the time that passes now active? */
  isActive(): boolean;
}

export function activeClock(
  now: () => number,
  already_ms = 0,
  idle_ms = IDLE_MS,
  alreadyIdle_ms = 0,
): ActiveClock {
  let total = already_ms;
  let idle = alreadyIdle_ms;
  let last: number | null = now();
  const gap = (): number => (last === null ? 0 : Math.max(now() - last, 0));
  const settle = (): void => {
    if (last === null) return;
    const at = now();
    const passed = Math.max(at - last, 0);
    total += Math.min(passed, idle_ms);
    idle += Math.max(passed - idle_ms, 0);
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
    total: () => Math.round(total + Math.min(gap(), idle_ms)),
    idle: () => Math.round(idle + Math.max(gap() - idle_ms, 0)),
    isActive: () => last !== null && gap() < idle_ms,
  };
}

/** Counts while the page is seen and used. Answers how to end it; `leave` is called then, and when the page is left. */
export function attend(
  clock: { pause(): void; resume(): void; sign(): void },
  leave: () => void,
): () => void {
  const seen = (): void => (document.hidden ? clock.pause() : clock.resume());
  const sign = (): void => clock.sign();
  document.addEventListener("visibilitychange", seen);
  window.addEventListener("keydown", sign);
  window.addEventListener("pointerdown", sign);
  window.addEventListener("pagehide", leave);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    window.removeEventListener("keydown", sign);
    window.removeEventListener("pointerdown", sign);
    window.removeEventListener("pagehide", leave);
    leave();
  };
}
