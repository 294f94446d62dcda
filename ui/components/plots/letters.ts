// How much room words take in a plot. SVG text cannot be measured before it is drawn, so that a letter's width is a rule of thumb.

/** What a letter of 12 units takes at most, as a rule. */
export const LETTER = 6.8;
/** The height of a line of such letters. */
const LINE = 14;

export const roomOf = (text: string): number => text.length * LETTER;

/** As much of a label as there is room for. */
export function cut(label: string, room: number): string {
  const most = Math.max(2, Math.floor(room / LETTER + 0.01));
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}

/** A label in at most so many lines, broken between words; a word without room is cut, and so is what has no line. */
export function broken(label: string, room: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of label.split(" ")) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || (roomOf(longer) > room && lines.length < most)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => cut(line, room));
}

export interface Name {
  text: string;
  /** Where it begins, or ends. */
  x: number;
  y: number;
  anchor: "start" | "end";
}

/** Names beside points, moved up or down within [top, bottom] by as little as keeps them off those before. */
export function apart(names: readonly Name[], top: number, bottom: number): Name[] {
  const placed: Name[] = [];
  const span = (name: Name): [number, number] => {
    const wide = roomOf(name.text);
    return name.anchor === "start" ? [name.x, name.x + wide] : [name.x - wide, name.x];
  };
  const free = (name: Name): boolean => {
    const [from, to] = span(name);
    return placed.every((other) => {
      const [start, end] = span(other);
      return to <= start || from >= end || Math.abs(name.y - other.y) >= LINE;
    });
  };
  for (const name of names) {
    const steps = Array.from(
      { length: 2 * names.length },
      (_, at) => (at % 2 === 0 ? 1 : -1) * (Math.floor(at / 2) + 1),
    );
    const y = [0, ...steps]
      .map((step) => name.y + step * LINE)
      .find((at) => at >= top && at <= bottom && free({ ...name, y: at }));
    placed.push({ ...name, y: y ?? name.y });
  }
  return placed;
}
