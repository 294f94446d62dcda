// Characters that change a text without being seen: direction marks, zero-width and control characters.

const names: Record<number, string> = {
  0x00ad: "SHY",
  0x061c: "ALM",
  0x200b: "ZWSP",
  0x200c: "ZWNJ",
  0x200d: "ZWJ",
  0x200e: "LRM",
  0x200f: "RLM",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2060: "WJ",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0xfeff: "BOM",
  0x00a0: "NBSP",
};

const hidden =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00a0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** The short name of a hidden character: `RLO`, or its number. */
export function hiddenName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** How many there are; a no-break space is not counted, since it is common and harmless. */
export const countHidden = (text: string): number =>
  (text.replaceAll("\u00a0", "").match(hidden) ?? []).length;

/** Replaces each by what `show` gives for its name. */
export const revealed = (text: string, show: (name: string) => string): string =>
  text.replace(hidden, (character) => show(hiddenName(character)));
