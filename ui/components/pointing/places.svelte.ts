// Places that can be pointed at and shown again: a span of text, a box on a picture, a time, a region of a page, cells. Each
// view says what it can do; who points asks the one that was used last.
import { getContext, setContext, tick } from "svelte";

export type Place =
  | { kind: "text"; start: number; end: number; quote: string }
  | { kind: "box"; frame: number; x: number; y: number; width: number; height: number }
  | { kind: "time"; from_ms: number; to_ms: number }
  | { kind: "page"; page: number; left: number; top: number; width: number; height: number }
  | { kind: "cells"; sheet: number; cells: string };

export interface Pointable {
  readonly element: HTMLElement;
  /** The content's hash; none for the response's own text. */
  readonly asset: string | null;
  /** Takes what is chosen here already (a selection, where it plays, a cell), or lets the person choose first. */
  take(done: (place: Place) => void): void;
  /** Brings a place into sight. */
  show(place: Place): void;
}

const all: Pointable[] = [];
let used: Pointable | undefined;

/** A view on the page; the answer takes it off again. */
export function joinPointables(view: Pointable): () => void {
  all.push(view);
  const touched = (): void => void (used = view);
  const { element } = view;
  element.addEventListener("focusin", touched);
  element.addEventListener("pointerdown", touched);
  return () => {
    all.splice(all.indexOf(view), 1);
    if (used === view) used = undefined;
    element.removeEventListener("focusin", touched);
    element.removeEventListener("pointerdown", touched);
  };
}

const inOrder = (views: readonly Pointable[]): Pointable[] =>
  [...views].sort((a, b) =>
    a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );

/**
 * The view that is meant: the one in which something is selected or has the focus, else, among those inside `within`, the one
 * used last or the first; without any there, the first in the main part, then any.
 */
export function pointableIn(within: readonly Element[]): Pointable | undefined {
  const selection = document.getSelection();
  const node = selection && !selection.isCollapsed ? selection.anchorNode : null;
  const chosen = all.find(
    (view) => (node && view.element.contains(node)) || view.element.contains(document.activeElement),
  );
  if (chosen) return chosen;
  const inside = inOrder(all.filter((view) => within.some((part) => part.contains(view.element))));
  if (used && inside.includes(used)) return used;
  const main = inOrder(all.filter((view) => view.element.closest("[data-main]")));
  return inside[0] ?? main[0] ?? inOrder(all)[0];
}

/** Shows a place of an asset (none: the response's text); false when no view on the page holds it. */
export async function showPlace(asset: string | null | undefined, place: Place): Promise<boolean> {
  await tick();
  const views = all.filter((one) => one.asset === (asset ?? null));
  const view = inOrder(views.filter((one) => one.element.closest("[data-main]")))[0] ?? views[0];
  if (!view) return false;
  used = view;
  view.element.scrollIntoView({ block: "nearest" });
  view.show(place);
  return true;
}

const KEY = Symbol("asset");
/** Tells the views inside which content they show. */
export const setAsset = (hash: () => string | null): void => void setContext(KEY, hash);
/** The content's hash; undefined where nothing is said of it. */
export function assetHere(): () => string | null | undefined {
  return getContext<(() => string | null) | undefined>(KEY) ?? (() => undefined);
}
