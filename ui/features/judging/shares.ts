// How much of a modality was played, paged through and looked at, in words: for its card.
import { clock } from "$ui/components/media/clock";
import { judging as words } from "$ui/text/judging";
import type { responseAssets } from "./assets";
import type { JudgingSession } from "./session.svelte";

type Assets = ReturnType<typeof responseAssets>;
interface Share {
  done: string;
  total: string;
  kind: "played" | "pages";
}

/** What was played and seen of a modality, in one: "0:04 of 0:10", "2 of 3". */
function shareOf(session: JudgingSession, assets: Assets, of: string): Share | null {
  void session.perceived;
  const shares = assets.flatMap((asset) =>
    asset.modality === of ? (session.exposures.share(asset) ?? []) : [],
  );
  const first = shares[0];
  if (!first) return null;
  const done = shares.reduce((sum, one) => sum + one.done, 0);
  const total = shares.reduce((sum, one) => sum + one.of, 0);
  return first.kind === "played"
    ? { kind: "played", done: clock(done / 1000, 0), total: total > 0 ? clock(total / 1000, 0) : "–" }
    : { kind: "pages", done: String(done), total: total > 0 ? String(total) : "–" };
}

export function playedOf(session: JudgingSession, assets: Assets, of: string): string {
  const share = shareOf(session, assets, of);
  if (!share || share.total === "–" || share.total === "1") return "";
  if (share.kind === "pages") return words.seen(Number(share.done), Number(share.total));
  return share.done === "0:00" ? "" : words.played(share.done, share.total);
}

/** What the study's rules still ask for. */
export function lackingOf(session: JudgingSession, assets: Assets, of: string): string {
  if (!session.lacking(of)) return "";
  if (of === "Text") return words.lackingText(session.exposures.readPercent, session.least.text);
  if (of === "Image") {
    const looked = assets.filter(({ modality }) => modality === "Image");
    const shortest = Math.min(...looked.map(({ hash }) => session.exposures.lookedAt(hash ?? null)));
    return words.lackingPicture(Math.floor(shortest / 1000), session.least.picture);
  }
  const share = shareOf(session, assets, of);
  if (!share) return "";
  return words.lacking(share.done, share.total, session.least[share.kind]);
}

/** What may hold something of a modality that is absent. */
export function insideOf(assets: Assets, of: string): string {
  const outer = assets.find(
    ({ modality }) =>
      (of === "Audio" && modality === "Video") ||
      ((of === "Text" || of === "Image") && modality === "Document"),
  );
  return outer ? words.inside(of, outer.modality) : "";
}
