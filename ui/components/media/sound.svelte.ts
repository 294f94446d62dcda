// One sound, two engines. The sound card plays what the app decoded: seeks, repeats and comparisons are exact. The web view
// knows codecs that the app lacks and keeps the pitch at other speeds. The better one for what is wanted is chosen, a
// person may choose otherwise, and which one played is told.
//
// The page goes by currentTime, seeked and paused of the <audio> element: play() may stay pending for ever after a seek in
// WebKitGTK, so nothing waits for it.
import type { Engine, SoundCard, SoundCardLoad, SoundCardState, ViewFailure } from "./asset";
import { addRange, covered, type Range } from "./ranges";

/** What a page learned of this machine's sound device: asked once, by the first sound that wants it. */
export const device = $state({ missing: false, why: "" });

const CARD_LACKS = new Set(["opus", "he-aac", "heaac"]);

export interface SoundOptions {
  card: () => SoundCard | undefined;
  /** Its codec, where the probe knows it. */
  codec: () => string | null | undefined;
  /** Its length in seconds, as well as it is known elsewhere. */
  expected: () => number;
  onplayed: (seconds: number, of: number, engine: Engine, ranges: readonly Range[]) => void;
  onfailure: (failure: ViewFailure) => void;
}

export class Sound {
  time = $state(0);
  length = $state(Number.NaN);
  playing = $state(false);
  speed = $state(1);
  volume = $state(1);
  looping = $state(false);
  region = $state.raw<Range | null>(null);
  failure = $state.raw<ViewFailure | null>(null);
  /** The clip that it is compared with. */
  beside = $state.raw<SoundCard | null>(null);
  /** Is the clip beside heard? */
  other = $state(false);
  gain = $state(0);
  /** What a person chose over what fits best. */
  wanted = $state.raw<Engine | null>(null);
  #cardFailure = $state.raw<ViewFailure | null>(null);
  #webFailure = $state.raw<ViewFailure | null>(null);
  #element: HTMLAudioElement | undefined;
  #options: SoundOptions;
  #ranges: Range[] = [];
  #last = 0;
  #turn = 0;
  #onCard = false;

  constructor(options: SoundOptions) {
    this.#options = options;
  }

  /** Can the sound card play it, as far as is known? */
  get cardFits(): boolean {
    const codec = this.#options.codec()?.toLowerCase();
    return (
      this.#options.card() !== undefined &&
      !device.missing &&
      this.#cardFailure === null &&
      !(codec && CARD_LACKS.has(codec))
    );
  }
  get engine(): Engine {
    if (this.beside && this.cardFits) return "sound_card";
    if (this.#webFailure) return this.cardFits ? "sound_card" : "web_view";
    if (!this.cardFits || this.speed !== 1) return "web_view";
    return this.wanted ?? "sound_card";
  }
  get total(): number {
    return Number.isFinite(this.length) && this.length > 0 ? this.length : this.#options.expected();
  }

  /** The <audio> element, when there is one. */
  attach(element: HTMLAudioElement | undefined): void {
    this.#element = element;
    if (!element) return;
    element.preservesPitch = true;
    element.playbackRate = this.speed;
    element.volume = this.volume;
  }

  #fail(found: ViewFailure): void {
    this.failure = found;
    this.playing = false;
    this.#options.onfailure(found);
  }
  /** The web view cannot play it. */
  webFailed(found: ViewFailure): void {
    const was = this.engine;
    this.#webFailure = found;
    if (!this.cardFits) this.#fail(found);
    else if (was === "web_view") void this.#move(was, this.playing);
  }

  // The web view may say a length of 0 at first and tell of the true one by no event of its own.
  measure(): void {
    const found = this.#element?.duration ?? Number.NaN;
    if (this.engine === "web_view" && found > 0 && found !== this.length) this.length = found;
  }

  /** Time went on; counts what was played. */
  passed(at: number): void {
    const step = at - this.#last;
    if (step > 0 && step < 1.5 * Math.max(1, this.speed) && !this.other) {
      this.#ranges = addRange(this.#ranges, [this.#last, at]);
      this.#options.onplayed(covered(this.#ranges), this.total, this.engine, this.#ranges);
    }
    this.#last = at;
    this.time = at;
    const end = this.region;
    if (this.looping && end && this.engine === "web_view" && at >= end[1]) this.seek(end[0]);
  }

  /** For a frame's clock while the web view plays. */
  tick(): void {
    if (this.engine === "web_view" && this.#element) this.passed(this.#element.currentTime);
  }
  webState(playing: boolean): void {
    if (this.engine === "web_view") this.playing = playing;
  }
  webSeeked(): void {
    if (this.engine === "web_view") this.time = this.#element?.currentTime ?? 0;
  }

  #take(state: SoundCardState): void {
    if (state.failure) {
      const was = this.engine;
      if (state.failure.code === "no_device") {
        device.missing = true;
        device.why = state.failure.message;
      } else this.#cardFailure = state.failure;
      this.beside = null;
      this.other = false;
      if (this.#webFailure) this.#fail(state.failure);
      else void this.#move(was, this.playing);
      return;
    }
    if (!state.mine) {
      this.playing = false;
      this.#onCard = false;
      return;
    }
    if (state.duration_ms > 0 && !state.other) this.length = state.duration_ms / 1000;
    this.playing = state.playing;
    this.other = state.other;
    this.gain = state.gain_db;
    this.passed(state.position_ms / 1000);
  }
  async #command(how: SoundCardLoad): Promise<void> {
    const turn = ++this.#turn;
    const part = this.looping
      ? (this.region ?? (Number.isFinite(this.total) ? ([0, this.total] as const) : null))
      : null;
    this.playing = how.play;
    try {
      const state = await this.#options.card()?.load({
        ...how,
        volume: this.volume,
        repeat_ms: part ? [part[0] * 1000, part[1] * 1000] : undefined,
        beside: this.beside?.id,
        other: how.other ?? this.other,
      });
      this.#onCard = true;
      if (state && turn === this.#turn) this.#take(state);
    } catch (thrown) {
      if (turn !== this.#turn) return;
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      this.#take({
        mine: true,
        position_ms: 0,
        duration_ms: 0,
        playing: false,
        other: false,
        gain_db: 0,
        failure: { code: "sound_card", message },
      });
    }
  }
  /** Asks the sound card how far it is; for a clock while it plays. */
  async ask(): Promise<void> {
    const turn = this.#turn;
    try {
      const state = await this.#options.card()?.state();
      if (state && turn === this.#turn) this.#take(state);
    } catch {
      this.playing = false;
    }
  }

  /** The other engine goes on where this one was. */
  async #move(from: Engine, play: boolean): Promise<void> {
    const at = this.time;
    if (from === this.engine) return;
    if (from === "web_view") {
      this.#element?.pause();
      await this.#command({ at_ms: at * 1000, play });
    } else {
      this.#turn += 1;
      if (this.#onCard)
        this.#options
          .card()
          ?.stop()
          .catch(() => undefined);
      this.#onCard = false;
      this.playing = false;
      this.seek(at);
      if (play) this.#element?.play().catch(() => undefined);
    }
  }
  /** Changes what decides on the engine, and moves over if it is another one then. */
  #change(what: () => void): void {
    const was = this.engine;
    const played = this.playing;
    what();
    if (this.engine !== was) void this.#move(was, played);
    else if (this.engine === "sound_card" && this.#onCard) void this.#command({ play: played });
  }

  seek(to: number): void {
    this.measure();
    const at = Math.min(Math.max(to, 0), Number.isFinite(this.total) ? this.total : to);
    this.#last = at;
    this.time = at;
    const onCard = this.engine === "sound_card" && (this.#onCard || this.playing);
    if (onCard) void this.#command({ at_ms: at * 1000, play: this.playing });
    // Whichever engine is to play in the end, it begins here.
    else if (this.#element) this.#element.currentTime = at;
  }
  toggle(): void {
    const at = Number.isFinite(this.total) && this.time >= this.total - 0.02 ? 0 : this.time;
    if (this.engine === "sound_card") void this.#command({ at_ms: at * 1000, play: !this.playing });
    else if (this.#element) {
      // It may have been sought while the sound card was to play it.
      if (this.#element.paused && Math.abs(this.#element.currentTime - at) > 0.05) this.seek(at);
      if (this.#element.paused) this.#element.play().catch(() => undefined);
      else this.#element.pause();
    }
  }
  pause(): void {
    if (!this.playing) return;
    if (this.engine === "sound_card") void this.#command({ play: false });
    else this.#element?.pause();
  }
  setSpeed(speed: number): void {
    this.#change(() => {
      this.speed = speed;
      if (speed !== 1) this.beside = null;
      if (this.#element) this.#element.playbackRate = speed;
    });
  }
  setVolume(volume: number): void {
    this.#change(() => {
      this.volume = volume;
      if (this.#element) this.#element.volume = volume;
    });
  }
  setLooping(looping: boolean): void {
    this.#change(() => (this.looping = looping));
  }
  setRegion(region: Range | null): void {
    this.#change(() => {
      this.region = region;
      this.looping = region !== null;
    });
    if (region && (this.time < region[0] || this.time > region[1])) this.seek(region[0]);
  }
  /** A person's choice of the engine; trying the sound card again forgets that it failed. */
  choose(engine: Engine): void {
    this.#change(() => {
      this.wanted = engine;
      this.beside = null;
      this.other = false;
      this.failure = null;
      if (engine === "sound_card") {
        device.missing = false;
        this.#cardFailure = null;
        this.speed = 1;
      } else this.#webFailure = null;
    });
  }
  /** Compares with another clip, or with none any more. */
  compare(clip: SoundCard | null): void {
    if (clip) this.setSpeed(1);
    this.beside = clip;
    this.other = false;
    this.gain = 0;
    if (clip) void this.#command({ at_ms: this.time * 1000, play: this.playing, other: false });
    else if (this.engine === "sound_card")
      void this.#command({ at_ms: this.time * 1000, play: this.playing });
    else void this.#move("sound_card", this.playing);
  }
  /** Hears the other of two clips that are compared, at the same place. */
  changeOver(): void {
    if (this.beside) void this.#command({ play: this.playing, other: !this.other });
  }
  retry(): void {
    this.failure = null;
    this.#webFailure = null;
    this.#cardFailure = null;
    this.#element?.load();
  }
  /** The player goes away. */
  end(): void {
    this.#turn += 1;
    if (this.#onCard)
      this.#options
        .card()
        ?.stop()
        .catch(() => undefined);
  }
}
