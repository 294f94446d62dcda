// A text that is pasted into one line of a rubric: several lines of it become as many lines of the rubric.
import { toast } from "$ui/components/toast.svelte";
import { authoring as words } from "$ui/text/authoring";

/** So many lines are taken at one paste, and so long a line; more is a file, and comes through the import. */
export const MOST_LINES = 1000;
export const LONGEST_LINE = 20_000;

const MARK = /^(?:[-*•·–—]|\(?(?:\d{1,3}|[a-z])[.)])\s+/i;

/** The lines that say something, without the bullets or numbers that all of them begin with. */
export function pastedLines(text: string): string[] {
  const lines = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter(Boolean);
  const listed = lines.length > 1 && lines.every((line) => MARK.test(line));
  return listed ? lines.map((line) => line.replace(MARK, "")) : lines;
}

/** Takes several pasted lines; a single one is left to the field, and what is too much for it is refused with a word. */
export function takeLines(
  event: ClipboardEvent & { currentTarget: HTMLTextAreaElement },
  ontake: (lines: string[]) => void,
): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const lines = pastedLines(text);
  const long = lines.some((line) => line.length > LONGEST_LINE);
  if (lines.length < 2 && !long) return;
  event.preventDefault();
  if (long || lines.length > MOST_LINES) {
    toast(words.pastedTooMuch(lines.length, MOST_LINES), { kind: "error" });
    return;
  }
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  lines[0] = value.slice(0, selectionStart) + (lines[0] ?? "");
  lines.push((lines.pop() ?? "") + value.slice(selectionEnd));
  ontake(lines);
}
