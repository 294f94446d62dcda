// Which key press submits a form, besides those for which the page does it by itself.

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing: boolean;
  keyCode: number;
  defaultPrevented: boolean;
  target: EventTarget | null;
}

/** What has no use for Enter of its own: a list, a check box, a radio button. A text field submits by itself. */
const idle = (target: EventTarget | null): boolean =>
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && ["checkbox", "radio", "range"].includes(target.type));

/** Enter on a list or a box, or Ctrl+Enter from anywhere, unless a text is being composed. */
export function submitsForm(press: Press): boolean {
  if (press.key !== "Enter" || press.defaultPrevented || press.altKey || press.shiftKey) return false;
  // keyCode 229 is how some input methods say "composing" when isComposing is not yet or no longer set.
  if (press.isComposing || press.keyCode === 229) return false;
  return press.ctrlKey || press.metaKey || idle(press.target);
}
