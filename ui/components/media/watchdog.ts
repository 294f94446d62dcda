// A media element that never says loadedmetadata, or fails, ends in a named failure: never in a silent black box.
import { media as words } from "$ui/text/media";
import type { ViewFailure } from "./asset";

export const PATIENCE_MS = 15_000;

const codes = ["", "aborted", "network", "decode", "unsupported"] as const;

/** A MediaError as a named failure. */
export function failureOf(error: MediaError | null | undefined): ViewFailure {
  const code = codes[error?.code ?? 4] || "unsupported";
  return { code, message: words.failures[code] };
}

/** Watches until loadedmetadata; the answer stops watching. */
export function watchdog(element: HTMLMediaElement, fail: (failure: ViewFailure) => void): () => void {
  if (element.readyState >= HTMLMediaElement.HAVE_METADATA) return () => undefined;
  const timer = setTimeout(() => {
    if (element.readyState < HTMLMediaElement.HAVE_METADATA)
      fail({ code: "timeout", message: words.failures.timeout });
  }, PATIENCE_MS);
  const loaded = (): void => clearTimeout(timer);
  element.addEventListener("loadedmetadata", loaded);
  element.addEventListener("error", loaded);
  return () => {
    clearTimeout(timer);
    element.removeEventListener("loadedmetadata", loaded);
    element.removeEventListener("error", loaded);
  };
}
