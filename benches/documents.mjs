// A PDF of 300 pages: its text against `pdftotext` on the same file, and its first page on screen, in Chromium on the
// loopback host. The file is written here, the same bytes each time.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { Page, command, host, root, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';

const PAGES = 300;
const words = readFileSync(path.join(root, 'README.md'), 'latin1').match(/[A-Za-z]{2,}/g);

/** A PDF of `pages` pages with 450 words each in Helvetica, compressed as office programs do. */
function longPdf(pages) {
  const objects = [];
  const add = (body) => objects.push(Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'));
  const kids = Array.from({ length: pages }, (_, n) => `${4 + 2 * n} 0 R`).join(' ');
  add('<</Type/Catalog/Pages 2 0 R>>');
  add(`<</Type/Pages/Count ${pages}/Kids[${kids}]>>`);
  add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  for (let page = 0; page < pages; page++) {
    const lines = [`(Page ${page + 1}) Tj T*`];
    for (let line = 0; line < 45; line++) {
      const text = Array.from({ length: 10 }, (_, n) => words[(page * 7919 + line * 101 + n * 13) % words.length]);
      lines.push(`(${text.join(' ')}) Tj T*`);
    }
    const content = deflateSync(Buffer.from(`BT /F1 10 Tf 14 TL 50 790 Td ${lines.join('\n')} ET`, 'latin1'));
    add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${5 + 2 * page} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`);
    add(Buffer.concat([Buffer.from(`<</Length ${content.length}/Filter/FlateDecode>>stream\n`), content, Buffer.from('\nendstream')]));
  }
  const parts = [Buffer.from('%PDF-1.4\n')];
  const places = [];
  let at = parts[0].length;
  objects.forEach((body, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    places.push(at);
    at += part.length;
    parts.push(part);
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`));
  return Buffer.concat(parts);
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
function timed(run, times = 5) {
  run();
  const all = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    run();
    all.push(performance.now() - began);
  }
  return median(all);
}

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const pdf = path.join(folder, 'long.pdf');
writeFileSync(pdf, longPdf(PAGES));
const assize = process.env.ASSIZE ?? path.join(root, 'target/debug/assize');

const textOf = (program, args) => execFileSync(program, args, { maxBuffer: 1 << 28, env: { ...process.env, ASSIZE_DATA: data } }).toString();
const mine = textOf(assize, ['media', 'text', pdf]);
console.log(`text of ${PAGES} pages, ${mine.split(/\s+/).filter(Boolean).length} words`);
const own = timed(() => textOf(assize, ['media', 'text', pdf]));
console.log(`  assize media text   ${own.toFixed(0)} ms (with the worker's start)`);
if (spawnSync('pdftotext', ['-v']).error) {
  console.log('  pdftotext           not installed, no ratio');
} else {
  const theirs = textOf('pdftotext', [pdf, '-']);
  const peer = timed(() => textOf('pdftotext', [pdf, '-']));
  const left = new Map();
  for (const word of mine.split(/\s+/)) left.set(word, (left.get(word) ?? 0) + 1);
  const wanted = theirs.split(/\s+/).filter(Boolean);
  const found = wanted.filter((word) => (left.get(word) ?? 0) > 0 && left.set(word, left.get(word) - 1));
  console.log(`  pdftotext           ${peer.toFixed(0)} ms`);
  console.log(`  ratio               ${(own / peer).toFixed(2)}   of its words found: ${((100 * found.length) / wanted.length).toFixed(2)} %`);
}

// Two items with the PDF as their input: from the key that goes to the other item until its first page is drawn.
const run = path.join(folder, 'run');
const inputs = path.join(folder, 'inputs');
generate(run, { responses: 2, models: 1, pictures: false });
mkdirSync(inputs);
const dataset = path.join(run, 'dataset.jsonl');
const rows = readFileSync(dataset, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
rows.forEach((row, index) => {
  row.input_files = `${index}.pdf`;
  row.input_modalities = 'Text, Document';
  // Unlike in one byte behind its end, so that they are two files.
  writeFileSync(path.join(inputs, row.input_files), Buffer.concat([readFileSync(pdf), Buffer.from(`%${index}\n`)]));
});
writeFileSync(dataset, rows.map((row) => JSON.stringify(row)).join('\n') + '\n');
const study = path.join(folder, 'bench.assize');
command(['new', study], data);
command(['import', study, run, '--input-files', inputs], data);
const plan = path.join(folder, 'plan.json');
writeFileSync(plan, JSON.stringify({ people: [{ name: 'ann', role: 'judge' }], tasks: [{ kind: 'judge', who: ['ann'], seed: 1 }] }));
command(['assign', study, '--plan', plan], data);
const app = await host({ data, args: ['--study', study, '--as', 'ann', '--role', 'judge'] });
const page = await Page.browser({ address: app.address });
const drawn = () => page.run("return document.querySelector('.pdf canvas[data-drawn]') !== null");
await page.until('the first page of the PDF', drawn);
const shown = [];
for (let turn = 0; turn < 8; turn++) {
  await page.run(`
    const old = new Set(document.querySelectorAll('.pdf canvas'));
    const began = performance.now();
    window.firstPage = 0;
    const look = () => {
      const fresh = [...document.querySelectorAll('.pdf canvas[data-drawn]')].some((canvas) => !old.has(canvas));
      if (fresh) window.firstPage = performance.now() - began;
      else requestAnimationFrame(look);
    };
    document.activeElement?.blur();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${turn % 2 ? 'p' : 'n'}', code: '${turn % 2 ? 'KeyP' : 'KeyN'}', bubbles: true, cancelable: true }));
    requestAnimationFrame(look);`);
  shown.push(await page.until('the other PDF', () => page.run('return window.firstPage')));
}
console.log(`first page of ${PAGES} on screen, from the key to the drawn page`);
console.log(`  median ${median(shown.slice(1)).toFixed(0)} ms (${shown.map((t) => t.toFixed(0)).join(', ')})`);
await page.close();
await app.stop();
