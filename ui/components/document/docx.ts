// The pages of a docx, drawn by docx-preview into a document that is never shown, so that nothing in them loads or runs;
// then made clean for a frame.
import { renderDocument, parseAsync, type HElement } from "docx-preview";
import { documents as words } from "$ui/text/document";
import { drawFrames, withWords } from "./docx-words";
import { frameSource } from "./frame";

/** Its own builder makes elements in the page's document, where a picture would load at once; this one's does not. */
function builder(inert: Document): (element: HElement | Node | string) => Node {
  const build = (element: HElement | Node | string): Node => {
    if (typeof element === "string") return inert.createTextNode(element);
    if (element instanceof Node) return element;
    const { ns, tagName, className, style, children, ...rest } = element;
    if (tagName === "#comment") return inert.createComment("");
    const made: DocumentFragment | HTMLElement =
      tagName === "#fragment"
        ? inert.createDocumentFragment()
        : ((ns ? inert.createElementNS(ns, tagName) : inert.createElement(tagName)) as HTMLElement);
    if ("setAttribute" in made) {
      if (className) made.setAttribute("class", className);
      if (typeof style === "string") made.setAttribute("style", style);
      else if (style) Object.assign(made.style, style);
      for (const [key, value] of Object.entries(rest))
        if (value !== undefined && value !== null) (made as unknown as Record<string, unknown>)[key] = value;
    }
    for (const child of children ?? []) made.appendChild(build(child));
    return made;
  };
  return build;
}

const LOOKS = `
  body { margin: 0; }
  .docx-wrapper { background: transparent !important; padding: 16px !important; }
  .docx-wrapper > section.docx { box-shadow: 0 0 0 1px #c9cbc7 !important; margin-bottom: 16px !important; }
  .text-box { border: 1px solid #868b88; padding: 2pt 5pt; margin: 2pt 0 6pt; width: fit-content; max-width: 100%; box-sizing: border-box; }`;

/**
 * The marks of lists that Word takes from Symbol and Wingdings, by their places in those fonts (from U+F000), which no other font
 * has: as characters that every font has.
 */
const MARKS: Readonly<Record<string, string>> = {
  "\uf06c": "●",
  "\uf06d": "❍",
  "\uf06e": "■",
  "\uf06f": "□",
  "\uf071": "❑",
  "\uf075": "◆",
  "\uf076": "❖",
  "\uf09f": "•",
  "\uf0a7": "▪",
  "\uf0a8": "◻",
  "\uf0b7": "•",
  "\uf0d8": "➢",
  "\uf0e0": "→",
  "\uf0e8": "➔",
  "\uf0fb": "✗",
  "\uf0fc": "✓",
  "\uf0fe": "☑",
};

/** Marks of lists in characters that can be drawn. */
export const withMarks = (text: string): string =>
  text.replace(/[\uf06c-\uf0fe]/g, (found) => MARKS[found] ?? found);

/** The source of a frame, and the width of its first page in CSS pixels. */
export async function docxFrame(
  bytes: ArrayBuffer,
): Promise<{ source: string; width: number; pages: number }> {
  const inert = document.implementation.createHTMLDocument();
  const options = {
    className: "docx",
    inWrapper: true,
    breakPages: true,
    ignoreLastRenderedPageBreak: false,
    ignoreFonts: true,
    useBase64URL: true,
    renderHeaders: true,
    renderFooters: true,
    renderFootnotes: true,
    renderEndnotes: true,
    renderChanges: false,
    renderComments: false,
    renderAltChunks: false,
    experimental: false,
    h: builder(inert),
  };
  const nodes = await renderDocument(await parseAsync(await withWords(bytes), options), options);
  inert.body.append(...nodes);
  drawFrames(inert, words.textBox);
  const sections = inert.querySelectorAll<HTMLElement>("section.docx");
  const points = parseFloat(sections[0]?.style.width ?? "");
  const html = withMarks(inert.documentElement.outerHTML);
  return {
    source: frameSource(html, LOOKS),
    width: (Number.isFinite(points) ? (points * 96) / 72 : 816) + 34,
    pages: sections.length,
  };
}
