// Spans of a text that is on the page: what is selected in it, and bringing a span into sight.
import { paint, rangeOf, textOf } from "$ui/components/document/find";
import { findPlace, placeOf, type TextPlace } from "./text-places";

/** What a person has selected inside an element; null for nothing. */
export function selectedIn(element: Element): TextPlace | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!element.contains(range.startContainer) || !element.contains(range.endContainer)) return null;
  const { text, nodes } = textOf(element);
  const at = (container: Node, offset: number): number => {
    const own = nodes.find((one) => one.node === container);
    if (own) return own.start + offset;
    // An element: its boundary is where the first text behind it begins.
    const child = container.childNodes[offset];
    const behind = nodes.find(
      (one) =>
        (child && (child === one.node || child.contains(one.node))) ||
        (child ?? container).compareDocumentPosition(one.node) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return behind?.start ?? text.length;
  };
  return placeOf(text, {
    start: at(range.startContainer, range.startOffset),
    end: at(range.endContainer, range.endOffset),
  });
}

/** Marks a span and scrolls to it; false when its words are not there. */
export function showText(owner: object, element: Element, place: TextPlace): boolean {
  const { text, nodes } = textOf(element);
  const hit = findPlace(text, place);
  const range = hit && rangeOf(nodes, hit);
  paint(owner, [], range);
  range?.startContainer.parentElement?.scrollIntoView({ block: "center" });
  return range !== null;
}
