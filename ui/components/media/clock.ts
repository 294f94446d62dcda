// Times as players show them. A time that is not known is a dash, never zero.

const whole = (n: number): string => String(n).padStart(2, "0");

/** `0:05.2`; with hours `1:02:03.4`. */
export function clock(seconds: number, digits: 0 | 1 | 3 = 1): string {
  if (!Number.isFinite(seconds) || seconds < 0) return "–";
  const scale = 10 ** digits;
  // Cut, not rounded: a player never shows a time that it has not reached.
  const units = Math.floor(seconds * scale + 1e-6);
  const total = Math.floor(units / scale);
  const rest = digits === 0 ? "" : `.${String(units % scale).padStart(digits, "0")}`;
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  return hours > 0
    ? `${hours}:${whole(minutes)}:${whole(total % 60)}${rest}`
    : `${minutes}:${whole(total % 60)}${rest}`;
}

/** The 0-based frame shown at a time, for constant frame rates only; `start` is when the first shows. */
export function frameAt(seconds: number, fps: number, start = 0): number {
  return Math.max(0, Math.floor((seconds - start) * fps + 1e-3));
}

/** The middle of a frame: a seek there shows that frame whatever way the player rounds. */
export function middleOf(frame: number, fps: number, start = 0): number {
  return start + (Math.max(0, frame) + 0.5) / fps;
}
