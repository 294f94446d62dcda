// One picture out of a film that seeks. A web view may say that it has sought before the picture there can be drawn
// (WebKitGTK throws the last one away when it seeks and gets the next from another thread), and draws nothing then, without a
// word; so the picture is waited for, and what was drawn is looked at.

/** The film as far as it is asked; a fake one in tests. */
export interface Film extends EventTarget {
  currentTime: number;
  readonly readyState: number;
  requestVideoFrameCallback?(done: () => void): number;
}

/** The `readyState` from which on the picture at the current time is there. */
const HAS_PICTURE = 2;
/** One that says when it shows a frame says so within this time, if it says it of a film that nobody sees. */
const TOLD_MS = 250;
const AGAIN_MS = 40;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The next event of a name; or nothing, when it takes too long. */
export function happens(on: EventTarget, name: string, patience: number): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      on.removeEventListener(name, end);
      done();
    };
    const timer = setTimeout(end, patience);
    on.addEventListener(name, end);
  });
}

/**
 * Seeks, and draws the picture there as soon as there is one: `draw` says whether it drew something. `false` when that took
 * longer than `patience` milliseconds, or nobody wants it any more.
 */
export async function pictureAt(
  film: Film,
  time: number,
  draw: () => boolean,
  patience: number,
  gone: () => boolean,
): Promise<boolean> {
  const end = performance.now() + patience;
  const shown = film.requestVideoFrameCallback
    ? new Promise<void>((done) => film.requestVideoFrameCallback?.(done))
    : undefined;
  const sought = happens(film, "seeked", patience);
  film.currentTime = time;
  await sought;
  if (shown) await Promise.race([shown, pause(Math.min(TOLD_MS, end - performance.now()))]);
  while (!gone()) {
    if (film.readyState >= HAS_PICTURE && draw()) return true;
    if (performance.now() + AGAIN_MS >= end) return false;
    await pause(AGAIN_MS);
  }
  return false;
}
