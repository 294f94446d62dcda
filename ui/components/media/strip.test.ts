/** A picture along a film is drawn when it is there, and not before. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pictureAt, type Film } from "./strip";

/** A film that seeks, tells of it after 10 ms and has a picture only later. */
class Fake extends EventTarget implements Film {
  readyState = 1;
  at = 0;
  drawn: number[] = [];
  /** Times at which something was asked to be drawn. */
  asked: number[] = [];
  constructor(
    readonly pictureAfter: number,
    readonly readyAfter = 10,
    readonly seeks = true,
  ) {
    super();
  }
  get currentTime(): number {
    return this.at;
  }
  set currentTime(to: number) {
    this.readyState = 1;
    if (!this.seeks) return;
    setTimeout(() => this.dispatchEvent(new Event("seeked")), 10);
    setTimeout(() => (this.readyState = 4), this.readyAfter);
    setTimeout(() => (this.at = to), this.pictureAfter);
  }
  draw = (): boolean => {
    this.asked.push(performance.now());
    if (this.at === 0) return false;
    this.drawn.push(this.at);
    return true;
  };
}
class Telling extends Fake {
  requestVideoFrameCallback(done: () => void): number {
    setTimeout(done, this.pictureAfter + 1);
    return 1;
  }
}

async function taken(film: Fake, gone = (): boolean => false): Promise<boolean> {
  const done = pictureAt(film, 5, film.draw, 1000, gone);
  await vi.advanceTimersByTimeAsync(3000);
  return done;
}

describe("a picture along a film", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("is drawn once when the picture comes after the word that it was sought", async () => {
    const film = new Fake(300);
    expect(await taken(film)).toBe(true);
    expect(film.drawn).toEqual([5]);
    expect(film.asked.length, "and tried for before").toBeGreaterThan(2);
  });
  it("is not drawn while the film has none for its time", async () => {
    const film = new Fake(20, 200);
    await taken(film);
    expect(film.drawn).toEqual([5]);
    expect(film.asked.length, "asked for once, when it was ready").toBe(1);
  });
  it("waits for the word that a frame shows, where the web view gives it", async () => {
    const film = new Telling(200);
    expect(await taken(film)).toBe(true);
    expect(film.asked.length, "so it is not tried for before").toBe(1);
  });
  it("is left out where none ever comes", async () => {
    expect(await taken(new Fake(60_000))).toBe(false);
    expect(await taken(new Fake(1, 1, false)), "nor is it sought").toBe(false);
  });
  it("is left alone when the strip is gone", async () => {
    const film = new Fake(300);
    expect(await taken(film, () => true)).toBe(false);
    expect(film.asked).toEqual([]);
  });
});
