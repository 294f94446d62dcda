// Formulas in Markdown: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on their own, set as MathML by Temml. Nothing is
// trusted: no links, no pictures, bounded expansion. What is no formula stays as it was written.
import type MarkdownIt from "markdown-it";
import type { StateBlock, StateInline } from "markdown-it";
import temml from "temml";

/** MathML of a formula; null where it is none. */
export function mathml(formula: string, display: boolean): string | null {
  if (formula.length > 4000) return null;
  try {
    return temml.renderToString(formula, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
      maxSize: [20, 40],
      annotate: false,
    });
  } catch {
    return null;
  }
}

/** The elements and attributes of MathML that may pass. None of them links, loads or acts. */
export const MATH_TAGS =
  "math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle mpadded mphantom mover munder munderover msub msup msubsup mmultiscripts mprescripts none mtable mtr mtd menclose merror".split(
    " ",
  );
export const MATH_ATTRIBUTES =
  "display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize stretchy fence form separator lspace rspace minsize maxsize symmetric largeop movablelimits accent accentunder linethickness width height depth voffset columnalign rowalign columnspacing rowspacing columnlines rowlines frame columnspan rowspan notation intent arg".split(
    " ",
  );

/** In a line. A dollar opens before a character that is no space, and closes after one, with no digit behind it, so that "$5
 *  and $10" are sums of money. */
function inline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const bracket = src.startsWith("\\(", pos);
  const double = src.startsWith("$$", pos);
  if (!bracket && src[pos] !== "$") return false;
  const open = bracket || double ? 2 : 1;
  const close = bracket ? "\\)" : double ? "$$" : "$";
  let end = pos + open;
  for (;;) {
    end = src.indexOf(close, end);
    if (end < 0 || end >= state.posMax) return false;
    let escapes = 0;
    while (src[end - 1 - escapes] === "\\") escapes += 1;
    if (bracket || escapes % 2 === 0) break;
    end += 1;
  }
  const formula = src.slice(pos + open, end);
  if (formula.trim() === "" || formula.includes("\n\n")) return false;
  if (!bracket && !double) {
    if (/^\s|\s$/.test(formula) || /^\d/.test(src.slice(end + 1, end + 2))) return false;
  }
  if (!silent) {
    const token = state.push("math_inline", "math", 0);
    token.content = formula;
    token.markup = close;
    token.meta = { display: double, raw: src.slice(pos, end + close.length) };
  }
  state.pos = end + close.length;
  return true;
}

/** On lines of its own. */
function block(state: StateBlock, start: number, last: number, silent: boolean): boolean {
  const line = (n: number): string =>
    state.src.slice((state.bMarks[n] ?? 0) + (state.tShift[n] ?? 0), state.eMarks[n]);
  const first = line(start);
  const open = ["$$", "\\["].find((mark) => first.startsWith(mark));
  if (!open) return false;
  const close = open === "$$" ? "$$" : "\\]";
  let at = start;
  let text = first.slice(2);
  while (!text.trimEnd().endsWith(close)) {
    at += 1;
    if (at >= last || (state.sCount[at] ?? 0) < state.blkIndent) return false;
    text += `\n${line(at)}`;
  }
  const formula = text.trimEnd().slice(0, -close.length);
  if (formula.trim() === "" || formula.includes(close)) return false;
  if (!silent) {
    const token = state.push("math_block", "math", 0);
    token.block = true;
    token.content = formula.trim();
    token.map = [start, at + 1];
    token.meta = { display: true, raw: `${open}${formula}${close}` };
  }
  state.line = at + 1;
  return true;
}

/** Adds formulas to a parser. `shown` makes what is no formula safe to show; so is a formula shown that `asWritten` asks for. */
export function withMath(
  md: InstanceType<typeof MarkdownIt>,
  shown: (text: string) => string,
  asWritten: (formula: string) => boolean,
): void {
  md.inline.ruler.before("escape", "math_inline", inline);
  md.block.ruler.before("fence", "math_block", block, { alt: ["paragraph", "blockquote", "list"] });
  const render =
    (tag: "span" | "p") => (tokens: readonly { content: string; meta: unknown }[], index: number) => {
      const token = tokens[index];
      const { display, raw } = token?.meta as { display: boolean; raw: string };
      const set = asWritten(raw) ? null : mathml(token?.content ?? "", display);
      return set === null ? `<code>${shown(raw)}</code>` : `<${tag} class="math">${set}</${tag}>`;
    };
  md.renderer.rules["math_inline"] = render("span");
  md.renderer.rules["math_block"] = render("p");
}
