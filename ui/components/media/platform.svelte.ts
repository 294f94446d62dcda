// What this machine lacks for playing, as the app found at its start: players that fail name it.
import { media as words } from "$ui/text/media";

interface MissingPlugins {
  package: string;
  what: string[];
}

let missing: readonly MissingPlugins[] = $state.raw([]);

export function setMissing(found: readonly MissingPlugins[]): void {
  missing = found;
}

/** A sentence that names what cannot be played and what to install; empty when nothing is known to be missing. */
export function lacking(): string {
  if (missing.length === 0) return "";
  const all = missing.flatMap((one) => one.what);
  const what = all.filter((one, at) => all.indexOf(one) === at);
  return words.missingPlugins(missing.map((one) => one.package).join(" "), what.join(", "));
}
