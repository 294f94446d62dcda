// Pages that were HTML, made inert: DOMPurify takes away everything that could run, load or lead elsewhere, and what is
// left is shown in a frame without any permission, under a policy that lets nothing load. Either lock would do.
import DOMPurify from "dompurify";
import { hostOf } from "./markdown";

/** What such a frame may do: draw, with its own styles and the pictures inside of it. */
export const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

const FORBIDDEN_TAGS =
  "form iframe frame frameset object embed applet link meta base script noscript template video audio source track portal dialog picture".split(
    " ",
  );
const FORBIDDEN_ATTRIBUTES =
  "srcset ping action formaction background poster autofocus target download usemap manifest contenteditable tabindex accesskey".split(
    " ",
  );
const inside = /^data:image\/(png|jpe?g|gif|webp|bmp|svg\+xml)[;,]/i;

let own: ReturnType<typeof DOMPurify> | undefined;

/** An instance of our own, so that its hooks meet nothing else. */
function purifier(): ReturnType<typeof DOMPurify> {
  if (own) return own;
  own = DOMPurify(window);
  own.addHook("uponSanitizeAttribute", (element, attribute) => {
    const name = attribute.attrName;
    if (name === "href" || name === "xlink:href") {
      // An address is told, not followed.
      attribute.keepAttr = false;
      if (attribute.attrValue.startsWith("#")) return;
      element.setAttribute("title", attribute.attrValue);
      const host = hostOf(attribute.attrValue);
      if (host) element.setAttribute("data-host", host);
    } else if (name === "src" && !inside.test(attribute.attrValue)) {
      attribute.keepAttr = false;
      element.setAttribute("title", attribute.attrValue.slice(0, 500));
    }
  });
  return own;
}

/** The clean document of an HTML text. Nothing is attached to the page, so nothing loads on the way. */
export function cleaned(html: string): Element {
  return purifier().sanitize(html, {
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
    ALLOW_UNKNOWN_PROTOCOLS: false,
    ADD_ATTR: ["data-host"],
  });
}

const LOOKS = `
  html { background: #fff; color: #1a1d21; color-scheme: light; }
  a[data-host] { color: #0b6b62; text-decoration: underline; }
  a[data-host]::after { content: " ↗ " attr(data-host); font-size: 0.8em; opacity: 0.7; }
  img:not([src]) { display: inline-block; min-width: 2rem; min-height: 1rem; border: 1px dashed #868b88; }`;

/** The source of the frame: the policy stands first, then our looks, then the document's. */
export function frameSource(html: string, looks = ""): string {
  const root = cleaned(html);
  const head = root.querySelector("head");
  const owner = root.ownerDocument;
  const policy = owner.createElement("meta");
  policy.setAttribute("http-equiv", "Content-Security-Policy");
  policy.setAttribute("content", POLICY);
  const charset = owner.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  const style = owner.createElement("style");
  style.textContent = LOOKS + looks;
  head?.prepend(policy, charset, style);
  return `<!doctype html>${root.outerHTML}`;
}
