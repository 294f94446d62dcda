// How long a seek takes in a video of 2 GB, in the real window: from the pointer on the film strip until the element has the
// picture; and beside it in its first 20 seconds as a file of their own, where only the decoder counts. Noisy pictures of
// 10 Mbit/s with a whole picture every second; the index stands at the end, where ffmpeg leaves it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, command, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { median } from './measure.mjs';

const folder = temporaryFolder();
const at = (name) => path.join(folder, name);
const ffmpeg = (...args) => execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args]);
const patience = 120_000;

ffmpeg(
  '-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=30:d=20,noise=alls=20:allf=t', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=20',
  '-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '10M', '-maxrate', '10M', '-bufsize', '10M', '-g', '30', '-pix_fmt', 'yuv420p', '-c:a', 'aac', at('part.mp4'),
);
const times = Math.ceil(2.1e9 / statSync(at('part.mp4')).size);
ffmpeg('-stream_loop', String(times - 1), '-i', at('part.mp4'), '-c', 'copy', at('film.mp4'));

/** Opens a study whose one prompt gives the file, and seeks in it eight times; milliseconds. */
async function seeks(name) {
  const run = at(`run-${name}`);
  mkdirSync(path.join(run, 'input_files'), { recursive: true });
  execFileSync('cp', ['--reflink=auto', at(name), path.join(run, 'input_files', name)]);
  writeFileSync(path.join(run, 'dataset.jsonl'), `${JSON.stringify({
    prompt_id: 'p1', prompt_text: 'Cut it.', input_modalities: 'Text, Video', output_modalities: 'Text', input_files: name, rubrics: '{"criteria":[]}',
  })}\n`);
  const data = at(`data-${name}`);
  const study = at(`${name}.assize`);
  command(['new', study], data);
  command(['import', study, run], data);
  writeFileSync(at('plan.json'), JSON.stringify({ people: [{ name: 'ann', role: 'author' }], tasks: [{ kind: 'author', who: ['ann'], seed: 1 }] }));
  command(['assign', study, '--plan', at('plan.json')], data);
  const page = await Page.window({ data, args: [study, '--as', 'ann', '--role', 'author'] });
  try {
    await page.until('the video', () => page.run(`return document.querySelector('[data-main] video')?.readyState >= 2`), patience);
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
    return took;
  } finally {
    await page.close();
  }
}

const took = { 'part.mp4': await seeks('part.mp4'), 'film.mp4': await seeks('film.mp4') };
for (const [name, all] of Object.entries(took)) {
  console.log(`${name}, ${(statSync(at(name)).size / 1e9).toFixed(2)} GB, eight seeks: median ${median(all).toFixed(0)} ms (${all.map((t) => t.toFixed(0)).join(', ')})`);
}
console.log(`ratio ${(median(took['film.mp4']) / median(took['part.mp4'])).toFixed(2)}`);
