// Numbers of things, with the word that goes with the number. A number that was written out is a text.
export const many = (n: number | string, one: string, more = `${one}s`): string =>
  `${n} ${String(n) === "1" ? one : more}`;
