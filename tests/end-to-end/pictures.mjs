// Pictures as a judge sees them: upright, converted where the web view cannot show them, held, enlarged and compared. In Chromium
// on the loopback host and, with `window`, in the real window: `node pictures.mjs [window] [dark]`. What counts is the screen.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';
import { near, pixels } from './pixels.mjs';

const inWindow = process.argv.includes('window');
const dark = process.argv.includes('dark');
const folder = temporaryFolder();
const data = path.join(folder, 'data');
const shots = path.join(root, 'target/end-to-end');
mkdirSync(shots, { recursive: true });
const fixtures = path.join(root, 'tests/fixtures/media/images');
const upright = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `orientation-${n}.jpg`)
  .concat('orientation-6.png', 'orientation-6.webp', 'orientation-6.tiff', 'two-page.tiff', 'rle8.bmp', 'letter.avif', 'letter.svg', 'cmyk.jpg');
const files = ['animated.gif', ...upright, 'alpha.png', 'wide.png', 'letter.heic'];

/** A run of one prompt with an input picture, and one answer with every file. */
function run() {
  const results = path.join(folder, 'run/results/r');
  const stem = '20260612_093015_model-a';
  const place = path.join(results, `${stem}_assets/p100001`);
  mkdirSync(place, { recursive: true });
  mkdirSync(path.join(folder, 'run/input_files'), { recursive: true });
  copyFileSync(path.join(fixtures, 'rgb8.png'), path.join(folder, 'run/input_files/p100001.png'));
  const criteria = [{ id: '1', criterion: 'The letter F stands upright.', modality: 'image' }];
  writeFileSync(path.join(folder, 'run/dataset.jsonl'), JSON.stringify({
    prompt_id: 'p100001', prompt_text: 'Give this picture back in every format.', input_modalities: 'Image', output_modalities: 'Image',
    input_files: 'p100001.png', rubrics: JSON.stringify({ criteria }),
  }) + '\n');
  const assets = files.map((file, n) => {
    const bytes = readFileSync(path.join(fixtures, file));
    const name = `p100001_output_${n}_image${path.extname(file)}`;
    writeFileSync(path.join(place, name), bytes);
    return {
      asset_id: `p100001_output_${n}`, prompt_id: 'p100001', modality: 'Image', source_type: 'image_generation_call', delivery: 'provider_tool',
      mime_type: 'image/png', modality_hint: '', local_path: `results/r/${stem}_assets/p100001/${name}`, source_url: '',
      sha256: createHash('sha256').update(bytes).digest('hex'), size_bytes: bytes.length, capture_status: 'captured', error: '', metadata: {},
    };
  });
  writeFileSync(path.join(results, `${stem}.jsonl`), JSON.stringify({
    prompt_id: 'p100001', run_name: 'model-a', provider: 'openai', model: 'model-a-2026', expected_modalities: ['Image'],
    per_modality: { Image: { detected_native: true, detected_via_url: false, detected_via_judge: false, pass_strict: true, pass_lenient: true } },
    judge_used: false, judge_model: '', judge_reasoning: '', is_error: false, error_message: '', error_type: '', raw_response: {},
    response_text: '', output_assets: assets, tool_calls: [], rubric_used: true, rubric_grades: [], rubric_judge_model: 'judge-1',
    produced_modalities: ['Image'],
  }) + '\n');
  return path.join(folder, 'run');
}

const study = path.join(folder, 'pictures.assize');
command(['new', study], data);
command(['import', study, run(), '--input-files', path.join(folder, 'run/input_files')], data);
const plan = path.join(folder, 'plan.json');
writeFileSync(plan, JSON.stringify({ people: [{ name: 'ann', role: 'judge' }], tasks: [{ kind: 'judge', who: ['ann'], seed: 1 }] }));
command(['assign', study, '--plan', plan], data);
const args = ['--study', study, '--as', 'ann', '--role', 'judge'];
const served = inWindow ? null : await host({ data, args });
const page = inWindow
  ? await Page.window({ data, args: [study, '--as', 'ann', '--role', 'judge'], env: dark ? { GTK_THEME: 'Adwaita:dark' } : {} })
  : await Page.browser({ address: served.address, dark });
const shot = (name) => page.picture(path.join(shots, `pictures-${inWindow ? 'window' : 'browser'}-${dark ? 'dark' : 'light'}-${name}.png`));
const screen = async () => pixels(Buffer.from(await page.ask('GET', `${page.session}/screenshot`), 'base64'));

/** The n-th picture of the answer, scrolled into view: where it is, in pixels of the screenshot; none until it is loaded. */
const place = (n) => page.run(`
  const section = document.querySelectorAll('main [data-modality=Image]')[arguments[0]];
  const image = section?.querySelector('img');
  if (!image || !image.complete || image.naturalWidth === 0) return null;
  image.scrollIntoView({ block: 'center' });
  const box = image.getBoundingClientRect(), dpr = devicePixelRatio;
  return { x: box.x * dpr, y: box.y * dpr, width: box.width * dpr, height: box.height * dpr, src: image.currentSrc };`, n);
const [red, blue, white] = [[255, 0, 0], [0, 0, 255], [255, 255, 255]];
/** Do the corners of a box on the screen show the letter, upright? */
const letter = (seen, box) => {
  const at = (x, y) => seen.at(Math.round(box.x + box.width * x), Math.round(box.y + box.height * y));
  return near(at(0.06, 0.08), red, 40) && near(at(0.94, 0.92), blue, 40) && near(at(0.94, 0.08), white, 40) && near(at(0.06, 0.92), white, 40);
};

try {
  console.log(`pictures, ${inWindow ? 'in the window' : 'in a browser'}`);
  for (const file of upright) {
    const n = files.indexOf(file);
    await page.until(`${file} upright`, async () => {
      const box = await place(n);
      return box && box.width > 40 && letter(await screen(), box);
    });
  }
  check(true, `${upright.length} pictures show the letter upright on the screen, orientations 1 to 8 among them`);
  await page.see('Nothing here can show this kind of file');
  await page.see('It is HEIC');
  check(true, 'HEIC is a state in words');
  await page.until('wide.png reduced', () => place(files.indexOf('wide.png')));
  await page.see('reduced');
  check(true, 'a picture of 20,000 pixels is shown reduced, and that is said');
  await shot('judging');

  await page.run(`document.querySelectorAll('main [data-modality=Image]')[0].scrollIntoView()`);
  await page.click('Hold', { within: 'main [data-modality=Image]' });
  await page.see(/frame [123] of 3/);
  const held = await page.run(`return document.querySelector('main [data-modality=Image] img').currentSrc`);
  check(/f[012]/.test(held), 'a held picture is one frame of it');
  await page.click('One frame on', { within: 'main [data-modality=Image]' });
  await page.until('another frame', async () => (await page.run(`return document.querySelector('main [data-modality=Image] img').currentSrc`)) !== held);
  await page.click('Play', { within: 'main [data-modality=Image]' });
  await page.see('3 frames');

  await page.run('document.activeElement.blur()');
  await page.click('Enlarge: image 2', { within: 'main' });
  await page.find('dialog [role=application]');
  const percent = () => page.run(`return document.querySelector('dialog .percent').innerText.replace(/\\s/g, '')`);
  const shows = (wanted) => page.until(wanted, async () => (await percent()) === wanted);
  await shows('100%');
  await page.press('+');
  await shows('125%');
  await page.press('-');
  await shows('100%');
  for (let n = 0; n < 6; n++) await page.press('+');
  await page.press(keys.right);
  await page.see('64 × 48 px');
  await shot('zoomed');
  await page.press('0');
  await shows('100%');
  const sheet = () => page.run(`
    const box = document.querySelector('dialog .pane .sheet').getBoundingClientRect(), dpr = devicePixelRatio;
    return { x: box.x * dpr, y: box.y * dpr, width: box.width * dpr, height: box.height * dpr };`);
  // The keys were taken; the window paints a moment later.
  await page.until('the enlarged picture upright', async () => letter(await screen(), await sheet()));
  check(true, 'enlarged it is upright too');
  await page.press('r');
  await page.until('a quarter turn', async () => { const box = await sheet(); return box.height > box.width; });
  await page.until('the red block at the top right', async () => {
    const [seen, box] = [await screen(), await sheet()];
    const corner = (x, y) => seen.at(Math.round(box.x + box.width * x), Math.round(box.y + box.height * y));
    return near(corner(0.92, 0.06), red, 40) && near(corner(0.08, 0.94), blue, 40);
  });
  check(true, 'turned clockwise, the red block is at the top right');
  for (let n = 0; n < 3; n++) await page.press('r');
  for (let n = 0; n < 8; n++) await page.press('+');
  await page.press('s');
  await page.until('two panes', async () => (await page.run(`return document.querySelectorAll('dialog .pane.beside').length`)) === 1);
  await page.until('the input at the right', () => page.run(`return document.querySelector('dialog .tag.right').innerText.includes('p100001.png')`));
  await page.until('it is loaded', () => page.run(`return document.querySelectorAll('dialog .facts span').length > 1`));
  await shot('beside');
  await page.press('b');
  await page.see('Showing: p100001.png');
  await page.press('b');
  await page.until('back again', async () => !/Showing:/.test(await page.text()));
  check(true, 'the input picture beside it, and blinking in its place');
  await page.press('?');
  await page.see('Zoom in');
  await page.see('The other picture in its place, and back');
  await shot('keys');
  await page.press(keys.escape);
  await page.until('only the picture is open', async () => (await page.run(`return document.querySelectorAll('dialog').length`)) === 1);
  await page.press(keys.escape);
  await page.until('the picture is closed', async () => (await page.run(`return document.querySelectorAll('dialog').length`)) === 0);

  await page.click(`Enlarge: image ${files.indexOf('wide.png') + 1}`, { within: 'main' });
  await page.find('dialog [role=application]');
  await page.see('20000 × 1 px');
  await page.press('1');
  await page.see('all pixels');
  check(true, 'at 100 % the part in view of a large picture is there in all its pixels');
  await page.press(keys.escape);
  await page.click(`Enlarge: image ${files.indexOf('alpha.png') + 1}`, { within: 'main' });
  await page.find('dialog .sheet.checker');
  for (let n = 0; n < 6; n++) await page.press('+');
  await shot('alpha');
  await page.press('k');
  await page.find('dialog .sheet.white');
  check(true, 'a checkerboard, white or black behind transparency');
} catch (error) {
  await shot('failed').catch(() => {});
  throw error;
} finally {
  await page.close();
  await served?.stop();
}
