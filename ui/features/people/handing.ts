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

/** A day in UTC that is not over, as it was typed; "" for none; nothing for what is no such day. */
export function dayAhead(text: string, now: Date): string | undefined {
  const plain = text.trim();
  if (plain === "") return "";
  if (!/^\d{4}-\d{2}-\d{2}$/.test(plain)) return undefined;
  const end = new Date(`${plain}T23:59:59.999Z`);
  // 2026-02-31 reads as a day in March: no such day.
  if (Number.isNaN(end.getTime()) || end.toISOString().slice(0, 10) !== plain) return undefined;
  return end > now ? plain : undefined;
}
