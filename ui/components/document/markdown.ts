// Markdown that came from a model or a file, as inert HTML. Three locks: the parser takes no raw HTML; pictures become
// words and links become buttons without an address to follow; DOMPurify then lets only a short list of tags through.
import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import { media as words } from "$ui/text/media";
import { countHidden, revealed } from "./hidden";
import { MATH_ATTRIBUTES, MATH_TAGS, withMath } from "./math";

const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** The host of an address as it may be shown; the scheme where there is no host. */
export function hostOf(address: string): string {
  try {
    const url = new URL(address);
    return url.host || url.protocol;
  } catch {
    return "";
  }
}

const TAGS =
  "p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s del table thead tbody tr th td button span sub sup".split(
    " ",
  );
const ATTRIBUTES = ["class", "dir", "data-link", "type", "start", "title", "data-align"];
const directed = "paragraph_open heading_open list_item_open blockquote_open td_open th_open".split(" ");

function parser(reveal: boolean): InstanceType<typeof MarkdownIt> {
  const md = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false });
  // Every address may be shown, since none is followed.
  md.validateLink = () => true;
  const shown = (text: string): string =>
    reveal
      ? revealed(escape(text), (name) => `<span class="hidden-char">${escape(name)}</span>`)
      : escape(text);
  withMath(md, shown, (formula) => reveal && countHidden(formula) > 0);
  const rules = md.renderer.rules;
  rules["image"] = (tokens, index) => {
    const token = tokens[index];
    const source = String(token?.attrGet("src") ?? "");
    return `<span class="picture">[${shown(words.imageInText(token?.content ?? ""))}]</span> ${button(source, shown(hostOf(source) || source))}`;
  };
  rules["link_open"] = (tokens, index) => {
    const address = String(tokens[index]?.attrGet("href") ?? "");
    return `<button type="button" class="link" data-link="${escape(address)}" title="${escape(address)}">`;
  };
  rules["link_close"] = (tokens, index) => {
    let depth = 0;
    for (let at = index; at >= 0; at--) {
      const token = tokens[at];
      if (token?.type === "link_close") depth += 1;
      if (token?.type === "link_open" && --depth === 0) {
        const address = String(token.attrGet("href") ?? "");
        return `</button><span class="host">${shown(hostOf(address) || address.slice(0, 80))}</span>`;
      }
    }
    return "</button>";
  };
  rules["text"] = (tokens, index) => shown(tokens[index]?.content ?? "");
  // Code hides characters as well as text does.
  rules["code_inline"] = (tokens, index) => `<code>${shown(tokens[index]?.content ?? "")}</code>`;
  rules["fence"] = rules["code_block"] = (tokens, index) =>
    `<pre><code>${shown(tokens[index]?.content ?? "")}</code></pre>\n`;
  for (const name of directed) {
    rules[name] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      token?.attrSet("dir", "auto");
      const style = String(token?.attrGet("style") ?? "");
      if (token && style) {
        // Alignment as a class of ours: the page allows no style attributes.
        token.attrSet("data-align", style.replace("text-align:", ""));
        token.attrs = (token.attrs ?? []).filter(([key]) => key !== "style");
      }
      return self.renderToken(tokens, index, options);
    };
  }
  return md;
}
const button = (address: string, label: string): string =>
  `<button type="button" class="link" data-link="${escape(address)}" title="${escape(address)}">${label}</button>`;

const plain = parser(false);
const revealing = parser(true);

/** Inert HTML of a Markdown text. Links are `button[data-link]`. */
export function markdownHtml(text: string, reveal = false): string {
  const html = (reveal ? revealing : plain).render(text);
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...TAGS, ...MATH_TAGS],
    ALLOWED_ATTR: [...ATTRIBUTES, ...MATH_ATTRIBUTES],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

/** How many hidden characters a Markdown text has, also those that are written as `&#8238;` or `&rlm;`. */
export const countHiddenIn = (text: string): number => countHidden(plain.utils.unescapeAll(text));

/** Words as people count them, also where no spaces part them. */
export function countWords(text: string, language?: string): number {
  const segmenter = new Intl.Segmenter(language && language !== "und" ? language : undefined, {
    granularity: "word",
  });
  let words = 0;
  for (const segment of segmenter.segment(text)) if (segment.isWordLike) words += 1;
  return words;
}

/** Characters as people count them: an emoji of several parts is one. */
export function countCharacters(text: string): number {
  // Plain ASCII is the common case, and the segmenter is slow on long texts.
  // eslint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.replaceAll("\r\n", "\n").length;
  return Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)).length;
}
