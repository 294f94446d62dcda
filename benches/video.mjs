// How long a seek takes in a video of 2 GB, in the real window: from the pointer on the film strip until the element has the
// picture. Noise at a high bit rate, so that the file is large for its length as a camera's is; its index stands at the end,
// where ffmpeg leaves it, and in a second file at the front.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, command, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { median } from './measure.mjs';

const folder = temporaryFolder();
const at = (name) => path.join(folder, name);
const ffmpeg = (...args) => execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args]);
const patience = 120_000;

ffmpeg(
  '-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=30:d=20,noise=alls=70:allf=t', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=20',
  '-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '40M', '-minrate', '40M', '-maxrate', '40M', '-bufsize', '40M', '-g', '60', '-pix_fmt', 'yuv420p', '-c:a', 'aac', at('part.mp4'),
);
const times = Math.ceil(2.1e9 / statSync(at('part.mp4')).size);
const files = { 'index at the end': 'end.mp4', 'index at the front': 'front.mp4' };
ffmpeg('-stream_loop', String(times - 1), '-i', at('part.mp4'), '-c', 'copy', at('end.mp4'));
ffmpeg('-i', at('end.mp4'), '-c', 'copy', '-movflags', '+faststart', at('front.mp4'));

const run = at('run');
mkdirSync(path.join(run, 'input_files'), { recursive: true });
const rows = Object.values(files).map((file, n) => {
  linkSync(at(file), path.join(run, 'input_files', file));
  return JSON.stringify({
    prompt_id: `p${n}`, prompt_text: 'Cut it.', input_modalities: 'Text, Video', output_modalities: 'Text', input_files: file, rubrics: '{"criteria":[]}',
  });
});
writeFileSync(path.join(run, 'dataset.jsonl'), `${rows.join('\n')}\n`);
const data = at('data');
const study = at('bench.assize');
command(['new', study], data);
command(['import', study, run], data);
writeFileSync(at('plan.json'), JSON.stringify({ people: [{ name: 'ann', role: 'author' }], tasks: [{ kind: 'author', who: ['ann'], seed: 1 }] }));
command(['assign', study, '--plan', at('plan.json')], data);

const page = await Page.window({ data, args: [study, '--as', 'ann', '--role', 'author'] });
try {
  for (let n = 0; n < rows.length; n++) {
    if (n > 0) await page.click(`p${n}`);
    await page.until('the video', () => page.run(`
      const video = document.querySelector('[data-main] video');
      return video && video.readyState >= 2 && video.src !== window.before && (window.before = video.src);`), patience);
    const name = await page.run(`return document.querySelector('[data-main] .player').innerText`);
    const took = [];
    for (const share of [0.8, 0.2, 0.95, 0.5, 0.1, 0.7, 0.3, 0.8]) {
      const place = await page.run(`
        const video = document.querySelector('[data-main] video'), strip = document.querySelector('[data-main] .player .strip');
        strip.scrollIntoView({ block: 'center' });
        window.began = window.reached = 0;
        if (!video.heard) {
          video.heard = true;
          addEventListener('pointerdown', () => (window.began = performance.now()), { capture: true });
          video.addEventListener('seeked', () => (window.reached = performance.now()));
        }
        const box = strip.getBoundingClientRect();
        return [Math.round(box.x + box.width * arguments[0]), Math.round(box.y + box.height / 3)];`, share);
      await page.ask('POST', `${page.session}/actions`, { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [
        { type: 'pointerMove', duration: 0, x: place[0], y: place[1], origin: 'viewport' }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 },
      ] }] });
      took.push(await page.until(`a seek to ${share}`, () => page.run(`
        const video = document.querySelector('[data-main] video');
        return !video.seeking && Math.abs(video.currentTime / video.duration - arguments[0]) < 0.02 && window.reached > window.began && window.reached - window.began;`, share), patience));
    }
    const [label, file] = Object.entries(files).find(([, file]) => name.includes(file)) ?? Object.entries(files)[n];
    console.log(`${label}: ${(statSync(at(file)).size / 1e9).toFixed(2)} GB, eight seeks: median ${median(took).toFixed(0)} ms (${took.map((t) => t.toFixed(0)).join(', ')})`);
  }
} finally {
  await page.close();
}
