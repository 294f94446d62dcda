// What was played and seen of an item's assets, and by what: it goes with the judgement. A stretch or page counts once,
// however often, wherever and in whichever window it was played or seen.
import type { T } from "$ui/backend";
import { viewFor, type Engine, type ShownAsset, type ViewFailure } from "$ui/components/media/asset";
import { addRange, covered, type Range } from "$ui/components/media/ranges";

/** What a study asks for; 0 asks for nothing. */
export interface Least {
  /** Percent of a sound or video. */
  played: number;
  /** Percent of a document's pages. */
  pages: number;
  /** Percent of the answer's own text. */
  text: number;
  /** Seconds for each picture. */
  picture: number;
}
/** How much of something was played or seen, and of how much, in the same unit. */
export interface Share {
  kind: "played" | "pages";
  done: number;
  of: number;
}
/** The key of the response's own text among assets. */
const TEXT = "";

export class Exposures {
  readonly #all = new Map<string, T.Exposure>();

  #of(asset: ShownAsset): T.Exposure | undefined {
    if (!asset.hash) return undefined;
    return this.#at(asset.hash);
  }
  #at(key: string): T.Exposure {
    const found = this.#all.get(key) ?? {
      asset: key === TEXT ? null : key,
      engines: [],
      played_ms: 0,
      length_ms: null,
      failure: null,
    };
    this.#all.set(key, found);
    return found;
  }

  /** Takes up what was recorded before the item was left. */
  restore(before: readonly T.Exposure[]): void {
    for (const one of before) this.#all.set(one.asset ?? TEXT, { ...one });
  }

  /** These stretches of an asset (seconds) were played; `of` is its length, not a number while unknown. */
  played(asset: ShownAsset, ranges: readonly Range[], of: number, engine: Engine): void {
    const found = this.#of(asset);
    if (!found) return;
    let all: Range[] = [...(found.played ?? [])];
    for (const [from, to] of ranges) all = addRange(all, [Math.round(from * 1000), Math.round(to * 1000)]);
    found.played = all.map(([from, to]) => [from, to]);
    found.played_ms = covered(all);
    if (Number.isFinite(of) && of > 0) found.length_ms = Math.round(of * 1000);
    if (!found.engines?.includes(engine)) found.engines = [...(found.engines ?? []), engine];
  }

  /** These pages, slides or sheets were seen, of so many. */
  seen(asset: ShownAsset, pages: readonly number[], of: number): void {
    const found = this.#of(asset);
    if (!found) return;
    found.pages = [...new Set([...(found.pages ?? []), ...pages])].sort((a, b) => a - b);
    found.page_count = Math.max(of, found.page_count ?? 0);
  }

  /** A picture was in view for so many milliseconds more; closer: enlarged. */
  looked(hash: string, ms: number, closer: boolean): void {
    const found = this.#at(hash);
    found.visible_ms = (found.visible_ms ?? 0) + Math.round(ms);
    if (closer) found.enlarged_ms = (found.enlarged_ms ?? 0) + Math.round(ms);
  }
  /** The text was in view down to this share of it, percent. */
  read(percent: number): void {
    const found = this.#at(TEXT);
    found.scrolled_percent = Math.max(percent, found.scrolled_percent ?? 0);
  }
  /** How far down the text was in view, percent. */
  get readPercent(): number {
    return this.#all.get(TEXT)?.scrolled_percent ?? 0;
  }
  /** How long a picture was in view, milliseconds. */
  lookedAt(hash: string | null): number {
    return (hash && this.#all.get(hash)?.visible_ms) || 0;
  }
  /** Was anything done for it beside looking: played, turned over, tried in vain? */
  get isWorked(): boolean {
    return [...this.#all.values()].some(
      (one) => (one.played_ms ?? 0) > 0 || (one.pages?.length ?? 0) > 0 || !!one.failure,
    );
  }

  /** It cannot be played or shown here. */
  failed(asset: ShownAsset, failure: ViewFailure): void {
    const found = this.#of(asset);
    if (found) found.failure = failure.code;
  }

  /** How much of an asset was played or seen; null where that is not counted. */
  share(asset: ShownAsset): Share | null {
    const kind = viewFor(asset.format);
    const found = asset.hash ? this.#all.get(asset.hash) : undefined;
    if (kind === "audio" || kind === "video")
      return { kind: "played", done: found?.played_ms ?? 0, of: found?.length_ms ?? 0 };
    if (kind === "pdf" || kind === "document")
      return { kind: "pages", done: found?.pages?.length ?? 0, of: found?.page_count ?? 0 };
    return null;
  }

  /** Is less of a modality played or seen than is asked for? What cannot be shown here asks for nothing. */
  lacks(
    assets: readonly (ShownAsset & { modality: string })[],
    modality: string,
    least: Least,
    hasText = false,
  ): boolean {
    if (modality === "Text") return hasText && this.readPercent < least.text;
    const percent =
      modality === "Audio" || modality === "Video"
        ? least.played
        : modality === "Document"
          ? least.pages
          : least.picture;
    if (percent === 0) return false;
    return assets.some((asset) => {
      if (asset.modality !== modality || !asset.hash || !["ok", "mismatch"].includes(asset.state))
        return false;
      const found = this.#all.get(asset.hash);
      if (found?.failure) return false;
      if (modality === "Image") return this.lookedAt(asset.hash) < least.picture * 1000;
      const done = modality === "Document" ? (found?.pages?.length ?? 0) : (found?.played_ms ?? 0);
      const of = modality === "Document" ? (found?.page_count ?? 0) : (found?.length_ms ?? 0);
      return of === 0 || done * 100 < of * percent;
    });
  }

  list(): T.Exposure[] {
    return [...this.#all.values()].map((one) => ({ ...one }));
  }
  clear(): void {
    this.#all.clear();
  }
}
