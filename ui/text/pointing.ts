// Words of pointing at a place and of naming one.
export const pointing = {
  pointing: "Mark the place",
  ends: "Enter takes it, Esc leaves it",
  text: "arrows choose a sentence, Shift adds more",
  lines: "arrows choose a line, Shift adds more",
  box: "arrows move, Shift and arrows size",
  quote: (text: string) => `“${text}”`,
  boxAt: (width: number, height: number, x: number, y: number) => `${width}×${height} px at ${x}, ${y}`,
  frame: (n: number) => `frame ${n}`,
  page: (n: number) => `page ${n}`,
  sheet: (n: number, cells: string) => (n > 1 ? `sheet ${n}, ${cells}` : cells),
  range: (from: string, to: string) => (from === to ? `at ${from}` : `${from}–${to}`),
} as const;
