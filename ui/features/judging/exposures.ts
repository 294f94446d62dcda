// What was played of an item's assets, and by what: it goes with the judgement.
import type { T } from "$ui/backend";
import type { Engine, ShownAsset, ViewFailure } from "$ui/components/media/asset";

export class Exposures {
  readonly #all = new Map<string, T.Exposure>();

  #of(asset: ShownAsset): T.Exposure | undefined {
    if (!asset.hash) return undefined;
    const found = this.#all.get(asset.hash) ?? {
      asset: asset.hash,
      engines: [],
      played_ms: 0,
      length_ms: null,
      failure: null,
    };
    this.#all.set(asset.hash, found);
    return found;
  }

  /** So many seconds of an asset were played in all. The same content shown twice counts as its longer playing. */
  played(asset: ShownAsset, seconds: number, of: number, engine: Engine): void {
    const found = this.#of(asset);
    if (!found) return;
    found.played_ms = Math.max(found.played_ms ?? 0, Math.round(seconds * 1000));
    if (Number.isFinite(of) && of > 0) found.length_ms = Math.round(of * 1000);
    if (!found.engines?.includes(engine)) found.engines = [...(found.engines ?? []), engine];
  }

  /** It cannot be played or shown here. */
  failed(asset: ShownAsset, failure: ViewFailure): void {
    const found = this.#of(asset);
    if (found) found.failure = failure.code;
  }

  list(): T.Exposure[] {
    return [...this.#all.values()].map((one) => ({ ...one }));
  }
  clear(): void {
    this.#all.clear();
  }
}
