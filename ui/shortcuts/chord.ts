// Chords: how a key press becomes a name such as `Ctrl+Shift+K`, and how that name is shown. `Mod` in the table is Ctrl,
// or ⌘ on a Mac. Letters are read from the key's place when the layout gives no Latin letter, so that the keys work
// under Cyrillic, Greek, Hebrew and Arabic layouts too.

export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

export const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

const named: Record<string, string> = { " ": "Space", Esc: "Escape", Del: "Delete" };

function keyName(press: KeyPress): string {
  const { key, code } = press;
  if (key.length > 1 || key === " ") return named[key] ?? key;
  const latin = key.codePointAt(0) ?? 0;
  // Alt on a Mac writes "å" for A; other layouts write their own letters. The place of the key decides then.
  if (latin > 0x7e || (isMac && press.altKey)) {
    if (/^Key[A-Z]$/.test(code)) return code.slice(3);
    if (/^Digit\d$/.test(code)) return code.slice(5);
  }
  return key.toUpperCase();
}

/** The chord of a key press; empty for a lone modifier. */
export function chordOf(press: KeyPress, mac = isMac): string {
  const name = keyName(press);
  if (["Control", "Alt", "Shift", "Meta", "AltGraph", "Dead", "Process", "Unidentified"].includes(name))
    return "";
  const parts: string[] = [];
  if (mac ? press.metaKey : press.ctrlKey) parts.push("Mod");
  if (mac && press.ctrlKey) parts.push("Ctrl");
  if (!mac && press.metaKey) parts.push("Meta");
  if (press.altKey) parts.push("Alt");
  // Shift is already in a printed sign such as "?"; it counts for letters and named keys.
  if (press.shiftKey && (name.length > 1 || /^[A-Z]$/.test(name))) parts.push("Shift");
  parts.push(name);
  return parts.join("+");
}

/** One form per chord, so that `Shift+Mod+k` and `Mod+Shift+K` are the same key. */
export function canonical(chord: string): string {
  const key = chord.endsWith("+") ? "+" : (chord.split("+").at(-1) ?? "");
  const held = new Set(chord.slice(0, -key.length).split("+"));
  const order = ["Mod", "Ctrl", "Meta", "Alt", "Shift"].filter((m) => held.has(m));
  return [...order, key.length === 1 ? key.toUpperCase() : key].join("+");
}

const signs: Record<string, string> = {
  Enter: "↵",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Backspace: "⌫",
  Delete: "Del",
};

/** What a person reads on the key cap: `Mod+Enter` is "Ctrl ↵". */
export function chordLabel(chord: string, mac = isMac): string {
  const key = chord.endsWith("+") ? "+" : (chord.split("+").at(-1) ?? "");
  const held = chord.slice(0, -key.length).split("+").filter(Boolean);
  return [...held, key]
    .map((part) => (part === "Mod" ? (mac ? "⌘" : "Ctrl") : (signs[part] ?? part)))
    .join(" ");
}
