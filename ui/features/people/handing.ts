// What a hand-out asks for, read from what was typed, and what it comes to.

/** A whole number in a range; nothing otherwise. */
export function whole(text: string, low: number, high: number): number | undefined {
  const plain = text.trim();
  const value = Number(plain);
  return /^\d+$/.test(plain) && value >= low && value <= high ? value : undefined;
}

/** "12.5" (per cent) -> 0.125; above 0, up to 100. A comma reads as a point. */
export function shareOf(text: string): number | undefined {
  const plain = text.trim().replace(",", ".");
  const value = Number(plain);
  return /^\d+(\.\d+)?$/.test(plain) && value > 0 && value <= 100 ? value / 100 : undefined;
}

/** How many items are drawn, and about how many each person gets. */
export function comesTo(
  items: number,
  share: number,
  people: number,
  overlap: number,
): { items: number; each: number } {
  const drawn = Math.ceil(share * items);
  return { items: drawn, each: people === 0 ? 0 : Math.round((drawn * overlap) / people) };
}
