// What a card learns of the views: that its modality could not be shown here.
import { viewFor, type ShownAsset } from "$ui/components/media/asset";

/**
 * Why something of a modality was not shown or played here, as a code; empty if all was. `failed` holds what the views
 * said, by asset; bytes that no view is for are known without one.
 */
export function unshownOf(
  assets: readonly (ShownAsset & { modality: string })[],
  modality: string,
  failed: ReadonlyMap<string, string>,
): string {
  for (const asset of assets) {
    if (asset.modality !== modality) continue;
    const said = failed.get(asset.key);
    if (said) return said;
    if (asset.source && viewFor(asset.format) === "none") return "unknown_format";
  }
  return "";
}
