// The one listener. Components register what they can do by id; the innermost layer is asked first, a modal layer (a
// dialog) silences everything below it but the few rows that say so (`?`). Nothing fires while a text is being composed (IME) or, unless the table says so,
// typed; and Enter and Space stay with the button that has the focus.
import { untrack } from "svelte";
import { chordOf } from "./chord";
import { shortcut, table, type IdsOf, type Scope, type Shortcut, type ShortcutId } from "./table";

/** Returns `false` when there was nothing to do, so that the key goes on to the page. */
export type Handler = () => unknown;
export type Handlers<S extends Scope> = Partial<Record<IdsOf<S>, Handler>>;

interface Layer {
  scope: Scope | null;
  handlers: () => Partial<Record<string, Handler>>;
  modal: boolean;
}

// What is shown of the stack follows a plain list: while effects are torn down, Svelte reads state as it was before, so that
// a layer that came in the same breath as another goes would be lost.
const stack: Layer[] = [];
let layers: readonly Layer[] = $state.raw([]);

function push(layer: Layer): () => void {
  stack.push(layer);
  layers = [...stack];
  return () => {
    const at = stack.indexOf(layer);
    if (at >= 0) stack.splice(at, 1);
    layers = [...stack];
  };
}

/** Call while a component is set up: these keys work as long as it is on the page. */
export function keys<S extends Scope>(scope: S, handlers: Handlers<S> | (() => Handlers<S>)): void {
  const get = (typeof handlers === "function" ? handlers : () => handlers) as Layer["handlers"];
  $effect.pre(() => untrackedPush({ scope, handlers: get, modal: false }));
}

/** Call while a dialog is set up: nothing outside it answers keys. */
export function silenceOthers(): void {
  $effect.pre(() => untrackedPush({ scope: null, handlers: () => ({}), modal: true }));
}

// The stack is state (the foot shows it), but pushing must not make the pushing effect depend on it.
function untrackedPush(layer: Layer): () => void {
  const undo = untrack(() => push(layer));
  return () => untrack(undo);
}

/** What can be done right now, innermost first: the palette and the `?` overlay show it. */
export function available(beneathModal = false): { shortcut: Shortcut; run: Handler }[] {
  const found: { shortcut: Shortcut; run: Handler }[] = [];
  let silenced = false;
  for (const layer of [...layers].reverse()) {
    if (layer.modal) {
      silenced ||= !beneathModal;
      continue;
    }
    const handlers = layer.handlers();
    for (const row of table as readonly Shortcut[]) {
      const run = row.scope === layer.scope ? handlers[row.id] : undefined;
      if (run && (!silenced || row.overDialogs)) found.push({ shortcut: row, run });
    }
  }
  return found;
}

/** Does the element take typed text? */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return (
    target instanceof HTMLInputElement &&
    !["button", "checkbox", "radio", "range", "submit", "reset", "color", "file"].includes(target.type)
  );
}

const ownsEnterAndSpace = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("button, a[href], summary, [role=button], [role=tab], [role=menuitem], [role=option]") !==
    null;

/** Acts on a key press; true when something answered. */
export function dispatch(event: KeyboardEvent): boolean {
  // keyCode 229 is how some input methods say "composing" when isComposing is not yet or no longer set.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return false;
  if (event.getModifierState("AltGraph")) return false;
  const chord = chordOf(event);
  if (!chord) return false;
  const typing = takesText(event.target);
  const onButton = (chord === "Enter" || chord === "Space") && ownsEnterAndSpace(event.target);
  for (const { shortcut: row, run } of available()) {
    if (!row.keys.includes(chord)) continue;
    if (typing && !row.typing) continue;
    if (onButton && !row.overButtons) continue;
    if (run() === false) continue;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
  return false;
}

/** What would leave or reload the page and lose what is on it. */
export function leavesThePage(event: KeyboardEvent): boolean {
  const chord = chordOf(event);
  return (
    ["F5", "Mod+F5", "Shift+F5", "Mod+R", "Mod+Shift+R", "BrowserBack", "BrowserRefresh"].includes(chord) ||
    (["Alt+ArrowLeft", "Alt+ArrowRight"].includes(chord) && !takesText(event.target)) ||
    (chord === "Backspace" && !takesText(event.target))
  );
}

/** Starts listening; the answer stops it. `block` refuses reload and back, as a released window must. */
export function listen(block: boolean): () => void {
  const onkeydown = (event: KeyboardEvent): void => {
    if (!dispatch(event) && block && leavesThePage(event)) event.preventDefault();
  };
  const onmenu = (event: MouseEvent): void => {
    if (block && !takesText(event.target)) event.preventDefault(); // its "Reload" would lose the page
  };
  const onmouse = (event: MouseEvent): void => {
    if (block && (event.button === 3 || event.button === 4)) event.preventDefault(); // back and forward buttons
  };
  window.addEventListener("keydown", onkeydown);
  window.addEventListener("contextmenu", onmenu);
  window.addEventListener("mouseup", onmouse);
  return () => {
    window.removeEventListener("keydown", onkeydown);
    window.removeEventListener("contextmenu", onmenu);
    window.removeEventListener("mouseup", onmouse);
  };
}

/** Runs a shortcut by id, as the palette does. */
export function run(id: ShortcutId): void {
  const wanted = shortcut(id);
  available()
    .find((a) => a.shortcut === wanted)
    ?.run();
}
