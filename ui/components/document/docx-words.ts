// docx-preview knows neither text boxes nor moved text nor some wrappings of words, and leaves their words out without a
// sign. So before it gets a file, its words are put where it looks for them: those of a text box below the paragraph that
// anchors it, in a table of one cell that becomes a frame; those inside a wrapping in its place.
import JSZip from "jszip";

const WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main";
const VML = "urn:schemas-microsoft-com:vml";
const BOTH = "http://schemas.openxmlformats.org/markup-compatibility/2006";

/** The parts of a document that are drawn, and so hold words. */
const drawn = /^\/?word\/(document|header|footer|footnotes|endnotes)\w*\.xml$/i;
/** What only wraps words; inserted and moved ones are shown as accepted. */
const wrappings = ["ins", "moveTo", "customXml", "smartTag", "fldSimple", "dir", "bdo"];
/** A quick look whether a part has any of these, before it is taken apart. */
const worthIt = new RegExp(`[<:](txbxContent|${wrappings.join("|")})[\\s>]`);
/** In these, `ins` and `moveTo` are marks that wrap nothing. */
const marked = ["rPr", "trPr", "numPr", "ctrlPr"];

const all = (under: Document | Element, name: string): Element[] => [
  ...under.getElementsByTagNameNS(WORDS, name),
  ...under.getElementsByTagNameNS(STRICT, name),
];

/** What the tables are called that stand for text boxes: a style that no document has. */
const BOX = "text-box-of-its-own";

/** The nearest element above with that name of Word's own. */
function above(element: Element, name: string): Element | null {
  let at = element.parentElement;
  while (at && !(at.localName === name && (at.namespaceURI === WORDS || at.namespaceURI === STRICT)))
    at = at.parentElement;
  return at;
}

/** Takes a text box out of the drawing that holds it; a shape of the older kind would lie over other words. */
function takeOut(box: Element): void {
  const shape = box.parentElement?.parentElement;
  box.remove();
  if (shape?.namespaceURI === VML && shape.getElementsByTagNameNS(VML, "imagedata").length === 0)
    shape.remove();
}

/** A table of one cell with what is in a text box; a box without anything to see gets none. */
function framed(box: Element): Node[] {
  // A cell may hold paragraphs and tables; what else groups them in a box would be left out of one.
  for (const group of all(box, "sdt")) {
    group.replaceWith(
      ...all(group, "sdtContent")
        .slice(0, 1)
        .flatMap((held) => [...held.childNodes]),
    );
  }
  const inside = [...box.childNodes];
  const seen =
    (box.textContent ?? "").trim() !== "" || ["drawing", "pict"].some((what) => all(box, what).length > 0);
  if (!seen) return inside;
  const make = (name: string, ...held: Node[]): Element => {
    const made = box.ownerDocument.createElementNS(box.namespaceURI, `w:${name}`);
    made.append(...held);
    return made;
  };
  const style = make("tblStyle");
  style.setAttributeNS(box.namespaceURI, "w:val", BOX);
  return [make("tbl", make("tblPr", style), make("tr", make("tc", ...inside)))];
}

/** Makes the frames out of the tables that stand for text boxes, once they are drawn. */
export function drawFrames(page: Document, name: string): void {
  for (const table of page.querySelectorAll(`table[class~="docx_${BOX}"]`)) {
    const frame = page.createElement("div");
    frame.className = "text-box";
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", name);
    frame.append(...(table.querySelector("td")?.childNodes ?? []));
    table.replaceWith(frame);
  }
}

/** Changes one part; `false` where all its words stand where they are looked for. */
export function liftWords(part: Document): boolean {
  let changed = false;
  // The same box is written twice, for newer and for older readers; one is kept.
  for (const choices of [...part.getElementsByTagNameNS(BOTH, "AlternateContent")]) {
    const kept = [...choices.children].find((choice) => all(choice, "txbxContent").length > 0);
    for (const choice of choices.children) if (choice !== kept) all(choice, "txbxContent").forEach(takeOut);
  }
  for (const name of wrappings)
    for (const wrapping of all(part, name)) {
      if (marked.includes(wrapping.parentElement?.localName ?? "")) continue;
      while (wrapping.firstChild) wrapping.before(wrapping.firstChild);
      wrapping.remove();
      changed = true;
    }
  for (const moved of all(part, "moveFrom"))
    if (!marked.includes(moved.parentElement?.localName ?? "")) moved.remove();
  // From the last to the first, so that a box inside another is lifted before the outer one.
  const first = new Map<Element, Node>();
  for (const box of all(part, "txbxContent").reverse()) {
    const anchor = above(box, "p");
    const parent = anchor?.parentNode;
    if (!anchor || !parent) continue;
    // A paragraph that ends a section stays its last.
    const next = first.get(anchor) ?? (all(anchor, "sectPr").length > 0 ? anchor : anchor.nextSibling);
    const words = framed(box);
    for (const node of words) parent.insertBefore(node, next);
    if (words[0]) first.set(anchor, words[0]);
    takeOut(box);
    changed = true;
  }
  return changed;
}

/** The file with all its words where docx-preview looks for them; the file itself where they are there already. */
export async function withWords(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const zip = await JSZip.loadAsync(bytes);
  let changed = false;
  for (const file of zip.file(drawn)) {
    const xml = (await file.async("string")).replace(/^\ufeff/, "");
    if (!worthIt.test(xml)) continue;
    const part = new DOMParser().parseFromString(xml, "application/xml");
    // A broken part is told of where it is drawn.
    if (part.getElementsByTagName("parsererror").length > 0 || !liftWords(part)) continue;
    zip.file(file.name, new XMLSerializer().serializeToString(part));
    changed = true;
  }
  // What was packed this way already is taken over as it is.
  return changed ? zip.generateAsync({ type: "arraybuffer", compression: "DEFLATE" }) : bytes;
}
