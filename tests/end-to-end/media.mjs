// Sound and video in the real window: every format plays and seeks, the shown frame numbers are those in the picture, what
// was played and by what goes with the judgement, and a machine without the codecs says what to install. Fixtures are
// ffmpeg's; a frame's number stands in it as eight black or white blocks, lowest bit first, inverted below.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, root, temporaryFolder } from './driver.mjs';
import { pixels } from './pixels.mjs';

const fixtures = path.join(root, 'tests/fixtures/media');
const pictures = path.join(root, 'target/end-to-end');
mkdirSync(pictures, { recursive: true });
/** A watchdog, no measure: how long anything here may take on a busy machine. */
const PATIENCE = 30_000;

const audio = ['tone.mp3', 'tone.wav', 'tone.ogg', 'tone.flac', 'tone.m4a', 'tone.opus'];
/** In a study of their own: each player holds a decoder. */
const otherAudio = ['audio/adts.aac'];
const others = ['video/h264.mkv', 'video/h264.mov', 'video/mpeg4-mp3.avi'];
/** ADTS says no length: the web view guesses it anew as it goes, the waveform that is clicked at counts it (88 frames of 1,024 at 44.1 kHz). */
const counted = { 'audio/adts.aac': 2.043 };
const unseekable = ['video/h264.ts'];
const frames = ['frames-12.mp4', 'frames-29.97.mp4'];
const video = ['film.mp4', 'film.webm', ...frames, 'captions.mp4'];
const isAudio = (file) => audio.includes(file) || otherAudio.includes(file);

/** A run of one response that returned all of these files. */
function run(folder, files) {
  const at = (file) => path.join(folder, file);
  const assets = 'results/media/20260612_093015_model-a_assets/p1';
  mkdirSync(at(assets), { recursive: true });
  const kind = (file) => (isAudio(file) ? 'Audio' : 'Video');
  const output = files.map((file, index) => {
    const name = `p1_output_${index}_${kind(file).toLowerCase()}${path.extname(file)}`;
    copyFileSync(path.join(fixtures, file), at(`${assets}/${name}`));
    const bytes = readFileSync(path.join(fixtures, file));
    return {
      asset_id: `p1_output_${index}`, prompt_id: 'p1', modality: kind(file), source_type: 'tool', delivery: 'provider_tool', mime_type: '',
      modality_hint: '', local_path: `${assets}/${name}`, source_url: '', sha256: createHash('sha256').update(bytes).digest('hex'),
      size_bytes: bytes.length, capture_status: 'captured', error: '', metadata: {},
    };
  });
  const expected = ['Audio', 'Video'];
  writeFileSync(at('dataset.jsonl'), `${JSON.stringify({
    prompt_id: 'p1', prompt_text: 'Play it.', input_modalities: 'Text', output_modalities: expected.join(', '), input_files: '',
    rubrics: JSON.stringify({ criteria: [] }),
  })}\n`);
  const there = (modality) => expected.includes(modality);
  writeFileSync(at('results/media/20260612_093015_model-a.jsonl'), `${JSON.stringify({
    prompt_id: 'p1', run_name: 'model-a', provider: 'openai', model: 'model-a-1', expected_modalities: expected,
    per_modality: Object.fromEntries(['Text', 'Image', 'Audio', 'Video', 'Document'].map((modality) => [modality, {
      detected_native: there(modality), detected_via_url: false, detected_via_judge: false, pass_strict: there(modality), pass_lenient: there(modality),
    }])),
    judge_used: false, judge_model: '', judge_reasoning: '', is_error: false, error_message: '', error_type: '', raw_response: {},
    response_text: '', output_assets: output, tool_calls: [], rubric_used: false, rubric_grades: [], rubric_judge_model: '',
    produced_modalities: expected,
  })}\n`);
}

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const plan = path.join(folder, 'plan.json');
writeFileSync(plan, JSON.stringify({ people: [{ name: 'ann', role: 'judge' }], tasks: [{ kind: 'judge', who: ['ann'], seed: 1 }] }));

/** A study whose judge ann has one response, which returned these files. */
function studyOf(name, files) {
  const study = path.join(folder, `${name}.assize`);
  run(path.join(folder, name), files);
  command(['new', study], data);
  command(['import', study, path.join(folder, name)], data);
  command(['assign', study, '--plan', plan], data);
  command(['guidelines', study, '--comments', 'never'], data); // two keys for two modalities
  return study;
}
const study = studyOf('media', [...audio, ...video]);
const argsOf = (of) => [of, '--as', 'ann', '--role', 'judge'];
const args = argsOf(study);

/** What the page is asked with: the nth player, its element, and what its picture says. */
const helpers = `
  const player = (n) => document.querySelectorAll('[data-main] .player')[n];
  const element = (n) => player(n)?.querySelector('audio, video');
  const pictured = (video) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [128, 32];
    const pen = canvas.getContext('2d');
    pen.drawImage(video, 0, 0, 128, 32);
    const row = (y) => [...Array(8).keys()].reduce((n, bit) => n + (pen.getImageData(bit * 16 + 8, y, 1, 1).data[0] > 128 ? 1 << bit : 0), 0);
    const [number, inverted] = [row(8), row(24)];
    return number + inverted === 255 ? number : null;
  };`;
const ask = (page, script, ...values) => page.run(helpers + script, ...values);

/** Clicks at a share of an element's width, as a person would. */
async function clickAt(page, n, css, share) {
  const place = await ask(page, `
    const found = player(arguments[0]).querySelector(arguments[1]);
    found.scrollIntoView({ block: 'center' });
    const box = found.getBoundingClientRect();
    return [Math.round(box.x + box.width * arguments[2]), Math.round(box.y + box.height / 3)];`, n, css, share);
  const actions = [
    { type: 'pointerMove', duration: 0, x: place[0], y: place[1], origin: 'viewport' }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 },
  ];
  await page.ask('POST', `${page.session}/actions`, { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
}

/** Of a transport stream the web view knows no length, so that it plays and does not seek. */
async function plays(page, n, file) {
  await page.until(`${file} to load`, () => ask(page, `return element(arguments[0])?.readyState >= 2`, n), PATIENCE);
  await ask(page, `player(arguments[0]).scrollIntoView(); player(arguments[0]).querySelector('button[aria-label="Play"]').click();`, n);
  await page.until(`${file} to play`, () => ask(page, `return element(arguments[0]).currentTime > 0.15`, n), PATIENCE);
  check(true, `${file} plays, without seeking`);
}

async function playsAndSeeks(page, n, file) {
  const is = isAudio(file) ? 'audio' : 'video';
  await page.until(`${file} to load`, () => ask(page, `const e = element(arguments[0]); return e && e.readyState >= 1 && e.duration > 0.5`, n), PATIENCE);
  await ask(page, `
    const e = element(arguments[0]);
    e.scrollIntoView?.({ block: 'center' });
    window.began = window.reached = 0;
    addEventListener('pointerdown', () => (window.began = performance.now()), { capture: true });
    e.addEventListener('seeked', () => (window.reached = performance.now()));
    player(arguments[0]).querySelector('button[aria-label="Play"]').click();`, n);
  await page.until(`${file} to play`, () => ask(page, `return element(arguments[0]).currentTime > 0.15`, n), PATIENCE);
  await ask(page, `player(arguments[0]).querySelector('button[aria-label="Pause"]')?.click()`, n);
  await page.until(`${file} to hold`, () => ask(page, `return element(arguments[0]).paused`, n), PATIENCE);
  await ask(page, `window.began = window.reached = 0`);
  await clickAt(page, n, is === 'audio' ? '.wave' : '.strip', 0.8);
  const took = await page.until(`${file} to seek`, () => ask(page, `
    const e = element(arguments[0]);
    return !e.seeking && Math.abs(e.currentTime / (arguments[1] ?? e.duration) - 0.8) < 0.02 && window.reached > window.began && window.reached - window.began;`, n, counted[file] ?? null), PATIENCE);
  check(true, `${file} plays, and seeks to 80 % (${Math.round(took)} ms)`);
  if (file.startsWith('film.')) await isSeen(page, n, file);
}

/** The picture stands on the screen, not only in the decoder: a film of colour bars has no evenly black place. */
async function isSeen(page, n, file) {
  await page.until(`the picture of ${file} on the screen`, async () => {
    const box = await ask(page, `
      const e = element(arguments[0]);
      e.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = e.getBoundingClientRect();
      return { x, y, width, height, scale: devicePixelRatio };`, n);
    const screen = pixels(Buffer.from(await page.ask('GET', `${page.session}/screenshot`), 'base64'));
    const colours = new Set();
    for (let across = 0.1; across < 1; across += 0.1) {
      const [x, y] = [(box.x + box.width * across) * box.scale, (box.y + box.height / 4) * box.scale].map(Math.round);
      if (y > 0 && y < screen.height && x < screen.width) colours.add(screen.at(x, y).map((c) => c >> 5).join());
    }
    return colours.size > 3;
  }, PATIENCE);
  check(true, `${file} is seen after the seek`);
}

async function framesAgree(page, n, file, steps) {
  await page.until(`${file} to load`, () => ask(page, `return element(arguments[0]).readyState >= 2`, n), PATIENCE);
  // The probe tells whether frames may be counted at all.
  await page.until('a frame number', () => ask(page, `return /frame \\d+/.test(player(arguments[0]).innerText)`, n), PATIENCE);
  const seen = [];
  const step = async (label, wanted) => {
    await ask(page, `player(arguments[0]).querySelector('button[aria-label="' + arguments[1] + '"]').click()`, n, label);
    const both = await page.until(`frame ${wanted} of ${file} (last: ${seen.at(-1)})`, async () => {
      const now = await ask(page, `
        const shown = Number(player(arguments[0]).innerText.match(/frame (\\d+)/)[1]);
        return element(arguments[0]).seeking ? null : [shown, pictured(element(arguments[0]))];`, n);
      seen.push(String(now));
      return now?.[1] === wanted && now;
    }, PATIENCE);
    if (both[0] !== both[1]) throw new Error(`${file} shows frame ${both[1]} and says ${both[0]}`);
  };
  for (let frame = 1; frame <= steps; frame++) await step('One frame on', frame);
  for (let frame = steps - 1; frame >= steps - 10; frame--) await step('One frame back', frame);
  check(true, `${file}: the shown frame number is the one in the picture, over ${steps} steps on and 10 back`);
}

let page = await Page.window({ data, args });
try {
  console.log('sound and video, in the window');
  await page.until('the players', () => ask(page, `return document.querySelectorAll('[data-main] .player').length === arguments[0]`, audio.length + video.length), PATIENCE);
  for (const [n, file] of audio.entries()) await playsAndSeeks(page, n, file);
  if (!existsSync('/dev/snd')) {
    await page.see('No sound device was found');
    check(true, 'without a sound device that is said, and the web view plays');
  }
  await page.picture(path.join(pictures, 'media-sound.png'));
  await ask(page, `[...player(0).querySelectorAll('button')].find((b) => b.innerText.startsWith('Spectrogram')).click(); player(0).scrollIntoView()`);
  await page.until('the spectrogram', () => ask(page, `
    const canvas = player(0).querySelector('canvas');
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height / 2).data;
    return new Set(data).size > 40 && !/on its way/.test(player(0).innerText);`), PATIENCE);
  check(true, 'the spectrogram is drawn');
  await page.picture(path.join(pictures, 'media-spectrogram.png'));
  for (const file of ['film.mp4', 'film.webm']) await playsAndSeeks(page, audio.length + video.indexOf(file), file);
  for (const file of frames) await framesAgree(page, audio.length + video.indexOf(file), file, 50);
  const captioned = audio.length + video.indexOf('captions.mp4');
  await page.until('the captions', () => ask(page, `
    const button = [...player(arguments[0]).querySelectorAll('button')].find((b) => b.innerText.startsWith('Captions'));
    if (button && button.getAttribute('aria-pressed') === 'false') button.click();
    const track = [...element(arguments[0]).textTracks].find((t) => t.mode === 'showing');
    return track?.cues?.length === 2 && track.cues[0].getCueAsHTML().textContent === 'Two  & a pier';`, captioned), PATIENCE);
  check(true, 'captions inside the file are read, and only as text');
  await page.until('the pictures along the film', () => ask(page, `
    const canvas = player(arguments[0]).querySelector('.strip canvas');
    const data = canvas.getContext('2d').getImageData(canvas.width * 0.9, 10, 20, 20).data;
    return new Set(data).size > 3;`, audio.length), PATIENCE);
  check(true, 'pictures along the film are there to its end');
  await ask(page, `player(arguments[0]).scrollIntoView()`, audio.length);
  await page.picture(path.join(pictures, 'media-video.png'));

  await page.press('c', 'c');
  await page.press('\uE007');
  await page.until('the judgement is given', () => page.run(`return !document.querySelector('[data-main] .player')`), PATIENCE);
} catch (error) {
  await page.picture(path.join(pictures, 'media-failed.png')).catch(() => {});
  throw error;
} finally {
  await page.close();
}

const further = [...otherAudio, ...others, ...unseekable];
page = await Page.window({ data, args: argsOf(studyOf('others', further)) });
try {
  await page.until('the players', () => ask(page, `return document.querySelectorAll('[data-main] .player').length === arguments[0]`, further.length), PATIENCE);
  for (const file of [...otherAudio, ...others]) await playsAndSeeks(page, further.indexOf(file), file);
  for (const file of unseekable) await plays(page, further.indexOf(file), file);
  check(!(await ask(page, `return /frame \\d+/.test(player(arguments[0]).innerText)`, further.indexOf('video/h264.ts'))),
    'the frames of a transport stream have no numbers: its clock does not begin where the film does');
  const promised = [...readFileSync(path.join(root, 'docs/media.md'), 'utf8').matchAll(/^\| (\w+) \|.*web view(?:, without seeking)? \| [^|]*\|[^|]*\|[^|]*\|$/gm)].map(([, format]) => format);
  const played = [...audio, 'film.mp4', 'film.webm', ...further].map((file) => path.extname(file).slice(1));
  check(promised.length > 8 && promised.every((format) => played.includes(format)), `what docs/media.md says the web view plays was played: ${promised.join(', ')}`);
} catch (error) {
  await page.picture(path.join(pictures, 'media-failed.png')).catch(() => {});
  throw error;
} finally {
  await page.close();
}

const served = await host({ data, args: ['--study', study, '--as', 'ann', '--role', 'judge'] });
try {
  const task = (await served.call('judge_queue', {})).rows[0].task;
  const { item } = await served.call('judge_item', { task });
  const exposures = item.judgement?.exposures ?? [];
  const first = exposures.find((one) => one.asset === item.response.assets.find((asset) => asset.modality === 'Video').blob);
  check(first?.engines.includes('web_view') && first.played_ms > 0 && Math.abs(first.length_ms - 20_000) < 200,
    'what was played, how much of it, and by what, stands in the judgement');
} finally {
  await served.stop();
}

const system = readdirSync('/usr/lib', { withFileTypes: true }).map((entry) => `/usr/lib/${entry.name}/gstreamer-1.0`).find((dir) => existsSync(path.join(dir, 'libgstlibav.so')));
if (system) {
  const some = path.join(folder, 'plugins');
  mkdirSync(some);
  for (const file of readdirSync(system)) {
    const from = path.join(system, file);
    if (statSync(from).isFile() && file !== 'libgstlibav.so') symlinkSync(from, path.join(some, file));
  }
  page = await Page.window({
    data, args, env: { GST_PLUGIN_SYSTEM_PATH_1_0: some, GST_REGISTRY_1_0: path.join(folder, 'registry.bin') },
  });
  try {
    await page.see('Install gstreamer1.0-libav', PATIENCE);
    check(true, 'a machine without a package for H.264 and AAC is told which one');
  } finally {
    await page.close();
  }
}
