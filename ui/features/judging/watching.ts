// What of a response is in view: how long its pictures, and how far its text. Looked at a few times a second while the judge is
// there, so that what is only scrolled past in a blink does not count.

/** A block or a window on it, from top to bottom, in any unit. */
export interface Span {
  top: number;
  bottom: number;
}

/** Is it in view: half of it, or as much of it as fills half of the window? */
export function isInView(block: Span, within: Span): boolean {
  const shown = Math.min(block.bottom, within.bottom) - Math.max(block.top, within.top);
  return shown > 0 && shown * 2 >= Math.min(block.bottom - block.top, within.bottom - within.top);
}

/** How far down a block the window reaches, whole percent; a last pixel is not waited for. */
export function furthest(block: Span, within: Span): number {
  const height = block.bottom - block.top;
  if (height <= 0 || within.bottom <= within.top) return 0;
  const reached = Math.min(within.bottom, block.bottom) - block.top;
  if (block.bottom - within.bottom < 2) return 100;
  return Math.min(Math.max(Math.floor((reached / height) * 100), 0), 99);
}

/** Something that was seen since the last look. */
export interface Look {
  /** Pictures in view, by asset; `closer` where it is shown enlarged. */
  pictures: { asset: string; closer: boolean }[];
  /** How long, in milliseconds. */
  ms: number;
  /** How far down the text, percent; null without one in view. */
  text: number | null;
}

const EVERY_MS = 250;

/** Looks at the sections of a response: `[data-modality]`, with `data-asset` where they show an asset. Answers how to stop. */
export function watch(root: HTMLElement, isThere: () => boolean, onlook: (look: Look) => void): () => void {
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    // A timer that was held back counts for no more than it can vouch for.
    const ms = Math.min(now - last, 2 * EVERY_MS);
    last = now;
    if (document.hidden || !isThere()) return;
    const box = root.getBoundingClientRect();
    const within = { top: Math.max(box.top, 0), bottom: Math.min(box.bottom, window.innerHeight) };
    const pictures: Look["pictures"] = [];
    let text: number | null = null;
    const large = document.querySelector("dialog[open]");
    for (const section of root.querySelectorAll<HTMLElement>("[data-modality]")) {
      const asset = section.dataset["asset"];
      if (large) {
        // What lies behind a dialog is not seen; a picture that is enlarged in it is.
        if (asset && section.dataset["modality"] === "Image" && section.contains(large))
          pictures.push({ asset, closer: true });
        continue;
      }
      const at = section.getBoundingClientRect();
      if (section.dataset["modality"] === "Image" && asset && isInView(at, within))
        pictures.push({ asset, closer: false });
      if (section.dataset["modality"] === "Text" && asset === undefined) text = furthest(at, within);
    }
    if (pictures.length > 0 || text !== null) onlook({ pictures, ms, text });
  };
  const timer = setInterval(look, EVERY_MS);
  return () => clearInterval(timer);
}
