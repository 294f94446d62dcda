/**
 * From the contract's assets to what the views show, and back to the backend when a view asks for content.
 *
 * Names are neutral: a judge sees "audio 1", never a run's file name. Input files keep the dataset's names.
 */
import { blobUrl, call, mediaUrl, BackendError, type T } from "$ui/backend";
import { isDocumentView, plainText } from "$ui/components/document/view";
import type {
  AssetSource,
  ShownAsset,
  SoundCard,
  SoundCardState,
  ViewFailure,
} from "$ui/components/media/asset";
import { media as words } from "$ui/text/media";

/** A failure that a view shows: its code is the backend's. */
class Unshown extends Error {
  readonly code: string;
  constructor(failure: ViewFailure) {
    super(words.worker[failure.code] ?? failure.message);
    this.code = failure.code;
  }
}

// The same asset is asked for once a session: views come and go, answers stay. Failures are asked for again.
const kept = new Map<string, Promise<unknown>>();
const KEPT = 200;
function once<V>(key: string, ask: () => Promise<V>): Promise<V> {
  const found = kept.get(key);
  if (found) return found as Promise<V>;
  const asked = ask();
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return asked;
}

const cardState = (view: T.SoundView, blob: string): SoundCardState => ({
  mine: view.blob === blob || view.beside === blob || view.failure != null,
  position_ms: view.position_ms,
  duration_ms: view.duration_ms,
  playing: view.playing,
  other: view.blob !== blob && view.beside === blob,
  gain_db: view.gain_db,
  failure: view.failure,
});

function soundCard(blob: string): SoundCard {
  return {
    id: blob,
    load: async ({ at_ms, play, repeat_ms, volume, beside, other }) => {
      const [heard, silent] = beside && other ? [beside, blob] : [blob, beside];
      const view = await call("sound_load", {
        blob: heard,
        play,
        at_ms: at_ms ?? null,
        repeat_ms: repeat_ms ? [repeat_ms[0], repeat_ms[1]] : null,
        volume: volume ?? null,
        beside: silent ?? null,
      });
      return cardState(view, blob);
    },
    state: async () => cardState(await call("sound"), blob),
    stop: async () => {
      await call("sound_stop");
    },
  };
}

/** How views get at a blob. */
export function sourceOf(blob: string, name: string): AssetSource {
  return {
    url: blobUrl(blob),
    mediaUrl: mediaUrl(blob),
    facts: () =>
      once(`facts ${blob} ${name}`, async () => {
        const { probe } = await call("probe", { blob, name });
        return probe ?? null;
      }),
    picture: (wish) =>
      once(`picture ${blob} ${JSON.stringify(wish)}`, async () => {
        const { view, key, failure } = await call("picture", { blob, wish });
        if (failure) throw new Unshown(failure);
        if (!view) throw new BackendError("internal", "The picture came back in an unknown shape.");
        return {
          ...view,
          width: view.width ?? null,
          height: view.height ?? null,
          url: blobUrl(key == null ? blob : `${blob}.${key}`),
        };
      }),
    waveform: async ({ columns, from_ms, to_ms }) => {
      const { failure, ...wave } = await call("waveform", {
        blob,
        columns,
        from_ms: from_ms ?? null,
        to_ms: to_ms ?? null,
      });
      if (failure) throw new Unshown(failure);
      return wave;
    },
    document: (reading = {}) =>
      once(`document ${blob} ${name} ${JSON.stringify(reading)}`, async () => {
        const { view, failure } = await call("document", { blob, name, ...reading });
        if (failure) throw new Unshown(failure);
        if (!isDocumentView(view))
          throw new BackendError("internal", "The document came back in an unknown shape.");
        return view;
      }),
    pages: () =>
      once(`pages ${blob} ${name}`, async () => {
        const { ready, failure } = await call("document_pages", { blob, name });
        if (!ready) throw new Unshown(failure ?? { code: "refused", message: "There are no pages." });
        return blobUrl(`${blob}.pdf`);
      }),
    card: soundCard(blob),
  };
}

/** The assets of a response, named by modality and number, in order. */
export function responseAssets(assets: readonly T.Asset[]): (ShownAsset & { modality: string })[] {
  const seen = new Map<string, number>();
  return assets.map((asset) => {
    const number = (seen.get(asset.modality) ?? 0) + 1;
    seen.set(asset.modality, number);
    const many = assets.filter((other) => other.modality === asset.modality).length > 1;
    const stem = many ? `${asset.modality.toLowerCase()} ${number}` : asset.modality.toLowerCase();
    const named = asset.format && asset.format !== "bin" ? `${stem}.${asset.format}` : stem;
    return {
      key: `${asset.position} ${asset.blob ?? ""}`,
      modality: asset.modality,
      hash: asset.blob ?? null,
      name: named,
      format: asset.format,
      bytes: asset.bytes,
      state: asset.state,
      link: asset.link ?? null,
      source: asset.blob ? sourceOf(asset.blob, asset.format) : null,
    };
  });
}

/** The inputs of a prompt, under the names of the dataset. */
export function inputAssets(inputs: readonly T.InputAsset[]): ShownAsset[] {
  return inputs.map((input, index) => ({
    key: `${index} ${input.blob ?? ""}`,
    hash: input.blob ?? null,
    name: input.name,
    format: input.format,
    bytes: input.bytes,
    state: input.blob ? "ok" : "missing",
    link: null,
    source: input.blob ? sourceOf(input.blob, input.name) : null,
  }));
}

/** The first input that is a text, to be compared with an answer. */
export function inputText(
  inputs: readonly ShownAsset[],
): { name: string; load: () => Promise<string> } | undefined {
  const found = inputs.find((input) => input.source && /^(txt|md|html|docx|odt|rtf)$/.test(input.format));
  const load = found?.source?.document;
  return found && load ? { name: found.name, load: async () => plainText(await load()) } : undefined;
}

/** Warms what the next item will show: pictures into the cache, documents and waveforms into the worker's. */
export function prefetch(assets: readonly ShownAsset[]): void {
  for (const { format, source, state } of assets) {
    if (!source || (state !== "ok" && state !== "mismatch")) continue;
    source.facts?.().catch(() => undefined);
    if (/^(png|jpe?g|gif|webp|avif|svg|bmp|tiff)$/.test(format))
      source.picture?.({}).then(
        ({ url }) => (new Image().src = url),
        () => undefined,
      );
    else if (/^(wav|mp3|ogg|flac|m4a|opus|aac)$/.test(format))
      source.waveform?.({ columns: 1 }).catch(() => undefined);
    else if (/^(pptx|odt|rtf)$/.test(format)) source.pages?.().catch(() => undefined);
    else if (/^(docx|xlsx|csv|txt|md|html)$/.test(format)) source.document?.().catch(() => undefined);
  }
}
