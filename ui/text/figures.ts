// How numbers, shares, sizes and times read. English figures for now; one place to change that.

const whole = new Intl.NumberFormat("en-US");
/** 12,345 */
export const count = (n: number): string => whole.format(n);

/** 0.7083 -> "70.8"; no value -> "–". */
export const percent = (share: number | null | undefined, digits = 1): string =>
  share === null || share === undefined || !Number.isFinite(share)
    ? "–"
    : (share * 100)
        .toFixed(digits)
        .replace(/^-(?=0\.?0*$)/, "")
        .replace("-", "−");

/** A coefficient or score with two digits; the minus is a true minus. */
export const figure = (value: number | null | undefined, digits = 2): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? "–"
    : value
        .toFixed(digits)
        .replace(/^-(?=0\.?0*$)/, "")
        .replace("-", "−");

/** 1,234,567 bytes -> "1.2 MB". */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = n / 1000;
  let at = 0;
  while (value >= 999.95 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[at] ?? ""}`;
}

const stamp = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
/** An RFC 3339 time in the reader's own zone; text that is no time is shown as it is. */
export function when(time: string): string {
  const parsed = new Date(time);
  return Number.isNaN(parsed.getTime()) ? time : stamp.format(parsed);
}
