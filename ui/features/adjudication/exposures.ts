// What a person played and saw of the assets in dispute, as the app measured it, in words.
import type { T } from "$ui/backend";
import type { ShownAsset } from "$ui/components/media/asset";
import { figure } from "$ui/text";
import { disagreements as words } from "$ui/text/disagreements";

const seconds = (ms: number): string => figure(ms / 1000, ms % 1000 === 0 ? 0 : 1);

/** 1, 2, 3, 5 as "1–3, 5". */
export function ranges(pages: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const page of pages) {
    const last = parts.at(-1);
    if (last?.[1] === page - 1) last[1] = page;
    else parts.push([page, page]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}

/** "8.2 of 12 s played, by the web view"; "pages 1–3 of 7 seen". */
export function exposureText(seen: T.Exposure): string {
  const parts: string[] = [];
  const { played_ms: played = 0, length_ms: length, pages = [], page_count: of, engines = [] } = seen;
  if (played > 0 || typeof length === "number")
    parts.push(
      words.exposure.played(seconds(played), typeof length === "number" ? seconds(length) : undefined),
      ...engines.map((engine) => words.exposure.by[engine]),
    );
  if (pages.length > 0)
    parts.push(words.exposure.pages(ranges(pages), typeof of === "number" ? String(of) : undefined));
  if (seen.failure) parts.push(words.exposure.failed(seen.failure));
  return parts.join(", ") || words.exposure.opened;
}

export interface ExposureLine {
  name: string;
  text: string;
}

/** A line for each asset that the app measured; an asset of two uses is named once. */
export const exposureLines = (
  exposures: readonly T.Exposure[],
  assets: readonly Pick<ShownAsset, "hash" | "name">[],
): ExposureLine[] =>
  exposures.map((seen) => ({
    name: assets.find((asset) => asset.hash === seen.asset)?.name ?? "",
    text: exposureText(seen),
  }));

/** Can this be played or paged through, so that nothing measured means that nobody did? */
export const isMeasured = (modality: T.Modality): boolean =>
  modality === "Audio" || modality === "Video" || modality === "Document";
