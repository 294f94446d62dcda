// Characters that change a text without being seen: direction marks, zero-width and control characters, fillers, tags, and
// variation selectors where they choose no variant.

const names: Record<number, string> = {
  0x00ad: "SHY",
  0x034f: "CGJ",
  0x061c: "ALM",
  0x115f: "HCF",
  0x1160: "HJF",
  0x180e: "MVS",
  0x200b: "ZWSP",
  0x200c: "ZWNJ",
  0x200d: "ZWJ",
  0x200e: "LRM",
  0x200f: "RLM",
  0x2028: "LSEP",
  0x2029: "PSEP",
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
  0x206a: "ISS",
  0x206b: "ASS",
  0x206c: "IAFS",
  0x206d: "AAFS",
  0x206e: "NADS",
  0x206f: "NODS",
  0x3164: "HF",
  0xfeff: "BOM",
  0xffa0: "HHF",
  0xfff9: "IAA",
  0xfffa: "IAS",
  0xfffb: "IAT",
  0x00a0: "NBSP",
};

/** A selector is in ordinary use right behind what it chooses a variant of: a symbol, a keycap, a Chinese character. */
const chosen =
  "(?![\\u0000-\\u007f])[\\p{S}\\p{Extended_Pictographic}][\\ufe0e\\ufe0f]|(?![\\u0000-\\u007f])\\p{Sm}\\ufe00|" +
  "[0-9#*]\\ufe0f(?=\\u20e3)|\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]";
const hidden = new RegExp(
  "\\u034f|\\u17b4|\\u17b5|[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u00a0\\u00ad\\u061c\\u115f\\u1160\\u180e" +
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1d173}-\\u{1d17a}" +
    "\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}]" +
    `|[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}](?<!${chosen})`,
  "gu",
);

/** The short name of a hidden character: `RLO`, `VS16`, `TAG a`, or its number. */
export function hiddenName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xfe00 && code <= 0xfe0f) return `VS${code - 0xfe00 + 1}`;
  if (code >= 0xe0100 && code <= 0xe01ef) return `VS${code - 0xe0100 + 17}`;
  // A tag stands for a character of ASCII, so that words can be written in tags.
  if (code > 0xe0020 && code < 0xe007f) return `TAG ${String.fromCharCode(code - 0xe0000)}`;
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** How many there are; a no-break space is not counted, since it is common and harmless. */
export const countHidden = (text: string): number =>
  (text.match(hidden) ?? []).filter((character) => character !== "\u00a0").length;

/** Replaces each by what `show` gives for its name. */
export const revealed = (text: string, show: (name: string) => string): string =>
  text.replace(hidden, (character) => show(hiddenName(character)));
