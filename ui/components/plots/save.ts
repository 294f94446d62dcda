// A plot as a file of its own: the SVG with every style written into it, so that it looks the same outside of the page, and
// the same drawn as a PNG.

import type { PlotTheme } from "./types";

/** What of an element's style makes the look of a plot. */
const styles = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-opacity",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "font-variant-numeric",
  "text-anchor",
  "dominant-baseline",
] as const;

function inline(from: Element, to: Element): void {
  const computed = getComputedStyle(from);
  for (const name of styles) {
    const value = computed.getPropertyValue(name);
    if (value) to.setAttribute(name, value);
  }
  to.removeAttribute("class");
  to.removeAttribute("style");
  to.removeAttribute("tabindex");
  for (const [at, child] of [...from.children].entries()) {
    const copy = to.children[at];
    if (copy) inline(child, copy);
  }
}

/** The plot as SVG text in one theme. The page's theme is changed for the reading of styles alone; nothing is painted between. */
export function svgText(svg: SVGSVGElement, theme: PlotTheme): string {
  const root = document.documentElement;
  const before = root.getAttribute("data-theme");
  const copy = svg.cloneNode(true) as SVGSVGElement;
  let ground: string;
  try {
    root.setAttribute("data-theme", theme);
    inline(svg, copy);
    ground = getComputedStyle(root).getPropertyValue("--panel").trim();
  } finally {
    if (before === null) root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", before);
  }
  // What is there to be pressed or to follow the pointer is no part of the picture.
  for (const aside of copy.querySelectorAll("[data-aside]")) aside.remove();
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", ground);
  copy.insertBefore(paper, copy.firstChild);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** The SVG drawn at `scale` times its size; the bytes of a PNG. */
export async function png(text: string, width: number, height: number, scale = 3): Promise<Uint8Array> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, "image/png");
  });
  if (!blob) throw new Error("the picture could not be drawn");
  return new Uint8Array(await blob.arrayBuffer());
}

/** Bytes as hexadecimal digits. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
