// @vitest-environment jsdom
/** What model text turns into: nothing that runs, loads, or follows a link. */
import { describe, expect, it } from "vitest";
import { countHidden, revealed } from "./hidden";
import { countCharacters, countWords, hostOf, markdownHtml } from "./markdown";
import { columnName, isDocumentView } from "./view";

const dom = (text: string, reveal = false): HTMLElement => {
  const box = document.createElement("div");
  box.innerHTML = markdownHtml(text, reveal);
  return box;
};

describe("hostile Markdown", () => {
  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![a](https://example.org/pixel.png)",
    "[x](javascript:alert(1))",
    '<iframe src="https://example.org"></iframe>',
    "<style>*{background:url(https://example.org)}</style>",
    '[x](https://example.org "a\\" onmouseover=alert(1) ")',
    "<svg><animate onbegin=alert(1) /></svg>",
    "<a href='https://example.org'>x</a>",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
  ])("%s runs and loads nothing", (text) => {
    const box = dom(text);
    expect(
      box.querySelectorAll("script, img, iframe, style, svg, a, object, embed, link, video, audio").length,
      "no element that could load or run",
    ).toBe(0);
    const loads = [...box.querySelectorAll("*")].flatMap((e) =>
      [...e.attributes].filter((a) => /^on|^(src|href|style|srcset|action)$/i.test(a.name)),
    );
    expect(loads, "no attribute that could").toEqual([]);
  });
});

describe("Markdown", () => {
  it("a link is a button that names its host", () => {
    const box = dom("see [the shop](https://shop.example.org/a?b=1)");
    const link = box.querySelector("button");
    expect(link?.dataset["link"], "the address, for who asks").toBe("https://shop.example.org/a?b=1");
    expect(box.querySelector(".host")?.textContent, "the host stands beside it").toBe("shop.example.org");
  });
  it("keeps tables with their alignment, lists and code", () => {
    const box = dom("| a | b |\n|---|--:|\n| 1 | 2 |\n\n1. x\n\n```\ncode <b>\n```");
    expect(box.querySelectorAll("td").length, "two cells").toBe(2);
    expect(box.querySelector("td:last-child")?.getAttribute("data-align"), "no style attribute").toBe(
      "right",
    );
    expect(box.querySelector("pre")?.textContent, "markup in code is text").toContain("code <b>");
    expect(box.querySelector("ol li")).not.toBeNull();
  });
  it("every paragraph finds its own direction", () =>
    expect(dom("שלום\n\nhello").querySelectorAll("p[dir=auto]").length).toBe(2));
  it("shows hidden characters in code on request", () =>
    expect(dom("`a\u202eb`", true).querySelector("code .hidden-char")?.textContent).toBe("RLO"));
  it("shows raw HTML as text", () => expect(dom("<b>x</b>").textContent).toContain("<b>x</b>"));
});

describe("formulas", () => {
  it("are set as MathML, in a line and on their own", () => {
    const box = dom("a $x^2$ b\n\n$$\n\\frac{a}{b}\n$$\n\nand \\(y\\) and\n\n\\[z\\]");
    expect(box.querySelectorAll("math").length, "four of them").toBe(4);
    expect(box.querySelector("msup")?.textContent, "x to the power of 2").toBe("x2");
    expect(box.querySelectorAll("math[display=block]").length, "two on their own").toBe(2);
    expect(box.querySelector("mfrac")?.textContent).toBe("ab");
  });
  it("are no sums of money, no code and no escaped dollars", () => {
    for (const text of ["$5 and $10", "`$x$`", "\\$x\\$", "a $ b $ c", "costs 5$ or 6$"])
      expect(dom(text).querySelector("math"), text).toBeNull();
  });
  it("stay as written where they are none", () => {
    expect(dom("$\\frac$").querySelector("code")?.textContent).toBe("$\\frac$");
    expect(dom("an open $$ b").textContent).toContain("$$");
  });
  it("neither link nor load", () => {
    const box = dom(
      "$\\href{javascript:alert(1)}{x}$ $\\includegraphics{https://a.example/x.png}$ $\\url{https://a.example}$",
    );
    expect(box.querySelectorAll("[href], [src], img, a, script").length).toBe(0);
  });
});

describe("hidden characters", () => {
  const tricky = "a\u202eb\u200bc";
  it("counts them", () => expect(countHidden(tricky), "RLO and ZWSP").toBe(2));
  it("leaves line breaks and tabs alone", () => expect(countHidden("a\n\tb")).toBe(0));
  it("names them", () => expect(revealed(tricky, (n) => `<${n}>`)).toBe("a<RLO>b<ZWSP>c"));
  it("is shown in Markdown on request only", () => {
    expect(dom(tricky).querySelector(".hidden-char"), "not by itself").toBeNull();
    expect(dom(tricky, true).querySelector(".hidden-char")?.textContent).toBe("RLO");
  });
});

describe("counts and names", () => {
  it("counts words without spaces too", () => {
    expect(countWords("three short words"), "by spaces").toBe(3);
    expect(countWords("日本語の文章です", "ja"), "by dictionary").toBeGreaterThan(2);
  });
  it("counts characters as people do", () => {
    expect(countCharacters("a\r\nb"), "a line break is one").toBe(3);
    expect(countCharacters("👩‍👩‍👧 é"), "a family, a space, an e with an accent").toBe(3);
  });
  it("an address without a host shows its scheme", () => {
    expect(hostOf("https://a.example/x")).toBe("a.example");
    expect(hostOf("mailto:x@example.org")).toBe("mailto:");
    expect(hostOf("not an address")).toBe("");
  });
});

describe("sheets", () => {
  it("names columns as spreadsheets do", () =>
    expect([0, 25, 26, 701, 702].map(columnName)).toEqual(["A", "Z", "AA", "ZZ", "AAA"]));
  it("takes only what has the shape of a view", () => {
    expect(isDocumentView({ parts: [], not_shown: [] })).toBe(true);
    expect(isDocumentView({ parts: "x" })).toBe(false);
  });
});
