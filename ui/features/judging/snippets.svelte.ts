// A judge's own comments, to be used again. Kept with the person's own work; nobody else sees them.
import { call } from "$ui/backend";

/** A text with a comment of one's own put behind it. */
export const withSnippet = (text: string, snippet: string): string =>
  text.trim() === "" ? snippet : `${text.trimEnd()} ${snippet}`;
/** One a line, each once, without empty ones. */
export const snippetLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line, at, all) => line !== "" && all.indexOf(line) === at);

export class Snippets {
  texts: readonly string[] = $state.raw([]);

  async load(): Promise<void> {
    this.texts = (await call("judge_snippets")).texts ?? [];
  }
  async save(texts: readonly string[]): Promise<void> {
    await call("save_judge_snippets", { texts: [...texts] });
    this.texts = texts;
  }
  /** Keeps one more, at the end; one that is there already stays where it is. */
  async keep(text: string): Promise<void> {
    const one = text.replace(/\s+/g, " ").trim();
    if (one !== "" && !this.texts.includes(one)) await this.save([...this.texts, one]);
  }
}
