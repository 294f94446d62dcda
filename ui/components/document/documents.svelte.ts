// Who answers the keys of documents: the one that was used last, or else the first on the page. A text is a document too.
import type { Place } from "$ui/components/pointing/places.svelte";
import { keys } from "$ui/shortcuts";

/** What a view can do; a key whose act a view lacks goes on to the next that has it. */
export interface DocumentActs {
  readonly element: HTMLElement;
  find?(): void;
  hit?(by: number): void;
  zoom?(by: number): void;
  fit?(to: "width" | "page"): void;
  page?(by: number): void;
  goTo?(): void;
  thumbnails?(): void;
  other?(): void;
  notes?(): void;
  hidden?(): void;
  source?(): void;
  compare?(): void;
  /** Takes or asks for a place in it; shows one. */
  point?(done: (place: Place) => void): void;
  reveal?(place: Place): void;
}
type Act = Exclude<keyof DocumentActs, "element" | "point" | "reveal">;

const all: DocumentActs[] = [];
let used: HTMLElement | undefined;

/** A view on the page; the answer takes it off again. */
export function joinDocuments(view: DocumentActs): () => void {
  all.push(view);
  return () => void all.splice(all.indexOf(view), 1);
}

/** This view was touched: keys go to it first. A view around it says so before it does, by listening on the way in. */
export function useDocument(view: DocumentActs): void {
  used = view.element;
}

const inOrder = (views: readonly DocumentActs[]): DocumentActs[] =>
  [...views].sort((a, b) =>
    a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );

/** The view that an act is for: the one that was used, those in the main part, then the rest, in their order. */
export function viewFor(act: Act): DocumentActs | undefined {
  const able = all.filter((view) => view[act] !== undefined);
  const sorted = inOrder(able);
  const last = used?.isConnected ? used : undefined;
  // A view inside another leaves to it what it lacks.
  const own = last && sorted.findLast((view) => view.element.contains(last));
  if (own) return own;
  return sorted.find((view) => view.element.closest("[data-main]")) ?? sorted[0];
}

/** The keys of documents; a screen that shows assets calls this while it is set up. */
export function documentKeys(): void {
  const act = (name: Act, run: (view: DocumentActs) => void) => (): boolean => {
    const view = viewFor(name);
    if (view) run(view);
    return view !== undefined;
  };
  keys("document", () => ({
    "document.find": act("find", (v) => v.find?.()),
    "document.nextHit": act("hit", (v) => v.hit?.(1)),
    "document.previousHit": act("hit", (v) => v.hit?.(-1)),
    "document.zoomIn": act("zoom", (v) => v.zoom?.(1)),
    "document.zoomOut": act("zoom", (v) => v.zoom?.(-1)),
    "document.fitWidth": act("fit", (v) => v.fit?.("width")),
    "document.fitPage": act("fit", (v) => v.fit?.("page")),
    "document.nextPage": act("page", (v) => v.page?.(1)),
    "document.previousPage": act("page", (v) => v.page?.(-1)),
    "document.goTo": act("goTo", (v) => v.goTo?.()),
    "document.thumbnails": act("thumbnails", (v) => v.thumbnails?.()),
    "document.other": act("other", (v) => v.other?.()),
    "document.notes": act("notes", (v) => v.notes?.()),
    "document.hidden": act("hidden", (v) => v.hidden?.()),
    "document.source": act("source", (v) => v.source?.()),
    "document.compare": act("compare", (v) => v.compare?.()),
  }));
}
