// @vitest-environment jsdom
/** What model text turns into: nothing that runs, loads, or follows a link. */
import { describe, expect, it } from "vitest";
import { countHidden, revealed } from "./hidden";
import { countCharacters, countHiddenIn, countWords, hostOf, markdownHtml } from "./markdown";
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
  it("counts selectors, tags, fillers and separators", () => {
    for (const one of Array.from(
      "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u2028\u2029\u206a\u206f\u3164\uffa0\ufff9\ufffa\ufffb" +
        "\ufe00\ufe0f\u{e0100}\u{e01ef}\u{e0001}\u{e0041}\u{e007f}",
    ))
      expect(countHidden(`a${one}b`), one.codePointAt(0)?.toString(16)).toBe(1);
  });
  it("leaves a selector alone that chooses a variant", () => {
    for (const text of [
      "❤\ufe0f",
      "☎\ufe0e",
      "1\ufe0f\u20e3",
      "葛\u{e0100}",
      "𠮟\ufe00",
      "👍🏽\ufe0f",
      "≨\ufe00",
    ])
      expect(countHidden(text), text).toBe(0);
    expect(countHidden("❤\ufe0f\ufe01\ufe0f"), "but not those behind it").toBe(2);
    expect(countHidden("❤\u{e0101}"), "nor one that no symbol has").toBe(1);
    expect(countHidden("❤\u00a0\ufe0f"), "nor one behind a space").toBe(1);
    expect(countHidden("1\ufe0f+\ufe0f"), "nor behind plain digits and signs").toBe(2);
  });
  it("reads words written in tags and selectors", () =>
    expect(revealed("x\u{e0068}\u{e0069}\ufe0f\u{e0100}", (n) => `<${n}>`)).toBe(
      "x<TAG h><TAG i><VS16><VS17>",
    ));
  it("are shown in formulas and descriptions of pictures too", () => {
    const marks = (text: string): string[] =>
      [...dom(text, true).querySelectorAll(".hidden-char")].map((mark) => mark.textContent);
    expect(marks("$a\u202eb$ and\n\n$$\nc\u2066d\n$$"), "in a line and on its own").toEqual(["RLO", "LRI"]);
    expect(marks("![a\u202eb](https://a.example/x.png)")).toEqual(["RLO"]);
    expect(dom("$a\u202eb$").querySelector("math"), "a formula while nobody asks").not.toBeNull();
    expect(dom("$ab$", true).querySelector("math"), "and where nothing is hidden").not.toBeNull();
  });
  it("are counted and shown where they are written as references", () => {
    expect(countHiddenIn("a&#8238;b&#x202e;c&rlm;d&nbsp;e\u200b"), "four, and a space that is harmless").toBe(
      4,
    );
    expect(dom("a&#8238;b", true).querySelector(".hidden-char")?.textContent).toBe("RLO");
  });
  it("bring no markup along", () => {
    const box = dom("a\u{e003c}b\u{e0026}", true);
    expect([...box.querySelectorAll(".hidden-char")].map((m) => m.textContent)).toEqual(["TAG <", "TAG &"]);
  });
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
