// Short messages at the foot, with one thing to do about them (undo). They wait while the pointer or the focus is on them.

export interface Toast {
  id: number;
  message: string;
  kind: "plain" | "error";
  action?: { label: string; keys?: string; run: () => void } | undefined;
}

export const toasts: Toast[] = $state([]);
let next = 1;

export function dismiss(id: number): void {
  const at = toasts.findIndex((t) => t.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

/** Shows a message; one at a time, the newest wins. */
export function toast(message: string, more: Partial<Omit<Toast, "id" | "message">> = {}): void {
  toasts.splice(0, toasts.length, { id: next++, message, kind: "plain", ...more });
}
