// @vitest-environment jsdom
/** The pages of a docx: the words that docx-preview alone leaves out are there, each once. */
import JSZip from "jszip";
import { describe, expect, it } from "vitest";
import { docxFrame, withMarks } from "./docx";
import { withWords } from "./docx-words";

const SPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml"';
const KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (...targets: [string, string][]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([kind, to], at) => `<Relationship Id="r${at}" Type="${KINDS}/${kind}" Target="${to}"/>`)
    .join("")}</Relationships>`;

async function docx(body: string, header = ""): Promise<ArrayBuffer> {
  const zip = new JSZip();
  zip.file(
    "[Content_Types].xml",
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  );
  zip.file("_rels/.rels", relations(["officeDocument", "word/document.xml"]));
  zip.file("word/_rels/document.xml.rels", relations(["header", "header1.xml"]));
  zip.file("word/header1.xml", `<w:hdr ${SPACES}>${header}</w:hdr>`);
  zip.file(
    "word/document.xml",
    `\ufeff<w:document ${SPACES} xmlns:r="${KINDS}"><w:body>${body}<w:sectPr><w:headerReference w:type="default" r:id="r0"/></w:sectPr></w:body></w:document>`,
  );
  return zip.generateAsync({ type: "arraybuffer", compression: "DEFLATE" });
}
const p = (inner: string): string => `<w:p>${inner}</w:p>`;
const r = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const box = (text: string): string => `<w:txbxContent>${text}</w:txbxContent>`;
const drawing = (text: string): string =>
  `<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>${box(text)}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`;
const pict = (text: string): string =>
  `<w:pict><v:rect style="position:absolute" fillcolor="white"><v:textbox>${box(text)}</v:textbox></v:rect></w:pict>`;
const both = (text: string): string =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${drawing(text)}</mc:Choice><mc:Fallback>${pict(text)}</mc:Fallback></mc:AlternateContent>`;
const run = (inner: string): string => `<w:r>${inner}</w:r>`;

async function words(body: string, header = ""): Promise<string[]> {
  const { source } = await docxFrame(await docx(body, header));
  const page = new DOMParser().parseFromString(source, "text/html");
  // Its pages alone, not the words of its looks.
  const lines = [...page.querySelectorAll("section.docx p")].map((line) => (line.textContent ?? "").trim());
  return lines.filter((line) => line !== "");
}

describe("text boxes in the pages of a docx", () => {
  it("stand below the paragraph that anchors them, in order and once", async () =>
    expect(
      await words(
        p(r("before")) +
          p(r("anchor") + run(both(p(r("one")) + p(r("two")))) + run(drawing(p(r("three"))))) +
          p(run(pict(p(r("older"))))) +
          p(r("after")),
      ),
    ).toEqual(["before", "anchor", "one", "two", "three", "older", "after"]));
  it("also inside one another, in cells and in headers", async () =>
    expect(
      await words(
        p(r("anchor") + run(drawing(p(r("outer") + run(drawing(p(r("inner")))))))) +
          `<w:tbl><w:tr><w:tc>${p(r("cell") + run(both(p(r("boxed")))))}</w:tc></w:tr></w:tbl>`,
        p(r("head") + run(both(p(r("letterhead"))))),
      ),
    ).toEqual(["head", "letterhead", "anchor", "outer", "inner", "cell", "boxed"]));
  it("that only older readers have are shown too", async () =>
    expect(
      await words(
        p(
          run(
            `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing/></mc:Choice><mc:Fallback>${pict(p(r("old")))}</mc:Fallback></mc:AlternateContent>`,
          ),
        ),
      ),
    ).toEqual(["old"]));
  it("stay in the section that their anchor ends", async () =>
    expect(
      await words(
        p(
          '<w:pPr><w:sectPr><w:pgSz w:w="100"/></w:sectPr></w:pPr>' +
            r("last") +
            run(both(p(r("a"))) + both(p(r("b")))),
        ) + p(r("next")),
      ),
    ).toEqual(["a", "b", "last", "next"]));
  it("have a frame each, so that they are seen to be boxes", async () => {
    const { source } = await docxFrame(
      await docx(
        p(
          r("anchor") +
            run(both(p(r("one")) + p(r("two")))) +
            run(drawing(p(r("outer") + run(drawing(p(r("inner"))))))),
        ) + p(r("plain") + run(drawing(p("")))),
      ),
    );
    const page = new DOMParser().parseFromString(source, "text/html");
    const frames = [...page.querySelectorAll(".text-box")];
    const lines = (within: Element): string[] =>
      [...within.querySelectorAll("p")]
        .map((line) => (line.textContent ?? "").trim())
        .filter((line) => line !== "");
    expect(frames.map(lines)).toEqual([["one", "two"], ["outer", "inner"], ["inner"]]);
    expect(frames[0]?.getAttribute("aria-label")).toBe("Text box");
    expect(page.querySelectorAll("table").length, "nothing is left of the tables on the way").toBe(0);
    const outside = [...page.querySelectorAll("section.docx p")].filter((line) => !line.closest(".text-box"));
    expect(outside.map((line) => (line.textContent ?? "").trim()).filter((line) => line !== "")).toEqual([
      "anchor",
      "plain",
    ]);
  });
  it("keep the words of what groups paragraphs in them", async () =>
    expect(
      await words(
        p(
          r("anchor") +
            run(drawing(`<w:sdt><w:sdtPr/><w:sdtContent>${p(r("grouped"))}</w:sdtContent></w:sdt>`)),
        ),
      ),
    ).toEqual(["anchor", "grouped"]));
  it("leave no shape that would lie over their words", async () => {
    const { source } = await docxFrame(await docx(p(run(pict(p(r("older")))))));
    expect(source).not.toContain("<rect");
  });
});

describe("changed words in the pages of a docx", () => {
  it("are shown as accepted, moved ones too", async () =>
    expect(
      await words(
        p(
          r("a ") +
            `<w:ins w:id="1">${r("in ")}</w:ins><w:del w:id="2"><w:r><w:delText>out</w:delText></w:r></w:del>` +
            `<w:moveFrom w:id="3">${r("from")}</w:moveFrom><w:moveTo w:id="4">${r("to ")}</w:moveTo>` +
            `<w:hyperlink w:anchor="x"><w:ins w:id="5">${r("linked")}</w:ins></w:hyperlink>`,
        ) +
          `<w:moveTo w:id="6">${p("<w:pPr><w:rPr><w:moveTo w:id='7'/></w:rPr></w:pPr>" + r("whole"))}</w:moveTo>`,
      ),
    ).toEqual(["a in to linked", "whole"]));
  it("and words in wrappings are there", async () =>
    expect(
      await words(
        p(
          `<w:fldSimple w:instr="PAGE">${r("7")}</w:fldSimple><w:smartTag><w:customXml>${r(" x")}</w:customXml></w:smartTag>`,
        ),
      ),
    ).toEqual(["7 x"]));
});

describe("a docx without such words", () => {
  it("is drawn from its own bytes", async () => {
    const bytes = await docx(p(r("plain")));
    expect(await withWords(bytes)).toBe(bytes);
  });
});

describe("marks of lists", () => {
  it("are drawn by characters that every font has", () => {
    expect(withMarks("\uf0b7 a \uf0fc b \uf0a7 c")).toBe("• a ✓ b ▪ c");
    expect(withMarks("\uf0b6 \ue000"), "what is no mark of a list stays").toBe("\uf0b6 \ue000");
  });
});
