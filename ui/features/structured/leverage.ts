// Shares and leverage as people read them: points out of 100, with one decimal unless it is zero, and a true minus.
export function points(fraction: number): string {
  const tenths = Math.round(fraction * 1000);
  const text = (Math.abs(tenths) / 10).toFixed(tenths % 10 === 0 ? 0 : 1);
  return tenths < 0 ? `−${text}` : text;
}
