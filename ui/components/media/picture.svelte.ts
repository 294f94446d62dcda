// One picture as a view holds it: how it is shown now (the bytes, or a PNG in their place), which page or frame, and
// whether it moves. A moving picture that plays is the original; one that is held is a single frame of it.
import { media as words } from "$ui/text/media";
import type { AssetSource, Picture, ViewFailure } from "./asset";
import { frameAfter } from "./stage";

const still = (): boolean =>
  typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

export class ShownPicture {
  readonly source: AssetSource;
  readonly name: string;
  /** None while it is on its way. */
  picture: Picture | null = $state.raw(null);
  failure: ViewFailure | null = $state.raw(null);
  playing = $state(true);
  /** The frame that is held, or the page, from 0. */
  at = $state(0);
  #onfailure: ((failure: ViewFailure) => void) | undefined;
  #asked = 0;
  #begun = 0;
  #tried = false;
  #held: boolean;
  #delays: readonly number[] = $state.raw([]);
  #pages = $state(1);

  constructor(
    source: AssetSource,
    name: string,
    onfailure?: (failure: ViewFailure) => void,
    begin: { at: number; held: boolean } = { at: 0, held: still() },
  ) {
    this.source = source;
    this.name = name;
    this.#onfailure = onfailure;
    this.at = begin.at;
    this.#held = begin.held;
    void this.#load();
  }

  get moves(): boolean {
    return this.#delays.length > 1;
  }
  get pages(): number {
    return this.#pages;
  }
  /** How many frames or pages there are to step through. */
  get steps(): number {
    return this.moves ? this.#delays.length : this.#pages;
  }
  /** A new address plays from the start: nothing else makes a web view do that. */
  get url(): string {
    const url = this.picture?.url ?? "";
    return this.moves && this.playing && this.#begun > 0 ? `${url}?${this.#begun}` : url;
  }

  /** The web view has it: frames are counted from now. */
  loaded(): void {
    if (this.playing && this.#begun === 0) this.#began();
  }
  /** The web view cannot show the bytes: a converted picture stands in, and if that fails too there is a reason. */
  refused(): void {
    if (!this.picture?.original || this.#tried || !this.source.picture) {
      this.#fail({ code: "decode", message: words.failures.decode });
      return;
    }
    this.#tried = true;
    void this.#load();
  }
  toggle(): boolean {
    if (!this.moves) return false;
    if (this.playing) {
      this.at = frameAfter(performance.now() - this.#start, this.#delays);
      this.playing = false;
    } else {
      this.playing = true;
      this.#began();
    }
    void this.#load();
    return true;
  }
  step(by: number): boolean {
    if (this.steps < 2) return false;
    if (this.playing && this.moves) this.toggle();
    const next = this.moves ? (this.at + by + this.steps) % this.steps : this.at + by;
    this.at = Math.min(Math.max(next, 0), this.steps - 1);
    void this.#load();
    return true;
  }

  #start = 0;
  #began(): void {
    this.#start = performance.now();
    this.#begun = Math.round(this.#start) + 1;
  }
  #fail(failure: ViewFailure): void {
    this.failure = failure;
    this.#onfailure?.(failure);
  }
  async #load(): Promise<void> {
    const ask = ++this.#asked;
    const ofMany = this.moves ? !this.playing : this.at > 0;
    try {
      const found = await (this.source.picture?.({
        ...(ofMany ? { frame: this.at } : {}),
        ...(this.#tried ? { convert: true } : {}),
      }) ??
        Promise.resolve({
          url: this.source.url,
          original: true,
          width: null,
          height: null,
          scaled: false,
          pages: 1,
          delays_ms: [],
        }));
      if (ask !== this.#asked) return;
      const first = this.picture === null;
      this.picture = found;
      this.#delays = found.delays_ms;
      this.#pages = found.pages;
      if (first && this.moves && this.#held) {
        this.playing = false;
        void this.#load();
      }
    } catch (thrown) {
      if (ask !== this.#asked) return;
      const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "refused";
      this.#fail({ code, message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }
}
