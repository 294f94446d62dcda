// How long waveforms take. Peaks of an hour of MP3 and of WAV against ffmpeg decoding the same file to nothing, which is the
// practical limit, in turns; and a WAV of three hours through the loopback host: the first waveform, the whole one, and the
// memory of host and worker.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { command, host, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { mb, measured, median, watched } from './measure.mjs';

const program = process.env.ASSIZE;
const folder = temporaryFolder();
const at = (name) => path.join(folder, name);

/** A stereo WAV of 16 bits: noise that swells and fades, so that there is something to see. */
function wav(file, rate, seconds) {
  const bytes = rate * 4 * seconds;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 4, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  const minute = Buffer.alloc(rate * 4 * 60);
  let state = 1;
  for (let n = 0; n < minute.length; n += 2) {
    state = (state * 1103515245 + 12345) >>> 0;
    minute.writeInt16LE(Math.round(((state >>> 16) / 65536 - 0.5) * 40000 * Math.sin((Math.PI * n) / minute.length)), n);
  }
  const to = openSync(file, 'w');
  writeSync(to, head);
  for (let n = 0; n < seconds / 60; n++) writeSync(to, minute);
  closeSync(to);
}

const ffmpeg = ['-hide_banner', '-loglevel', 'error', '-nostdin'];
wav(at('hour.wav'), 44100, 3600);
execFileSync('ffmpeg', [...ffmpeg, '-i', at('hour.wav'), '-b:a', '128k', at('hour.mp3')]);
execFileSync('ffmpeg', [...ffmpeg, '-i', at('hour.wav'), '-q:a', '4', at('hour-vbr.mp3')]);
for (const name of ['hour.mp3', 'hour-vbr.mp3', 'hour.wav']) {
  const [own, peer, worker] = [[], [], []];
  for (let n = 0; n < 5; n++) {
    const peaks = await measured(program, ['media', 'peaks', at(name), '--json']);
    own.push(peaks.seconds);
    worker.push(peaks.workers);
    peer.push((await measured('ffmpeg', [...ffmpeg, '-i', at(name), '-f', 'null', '-'])).seconds);
  }
  console.log(`${name}: peaks ${median(own).toFixed(2)} s, ffmpeg to nothing ${median(peer).toFixed(2)} s: ratio ${(median(own) / median(peer)).toFixed(2)} (worker ${mb(Math.max(...worker))} MB)`);
}

// Three hours, 48 kHz, stereo: 2.07 GB.
const run = at('run');
mkdirSync(path.join(run, 'input_files'), { recursive: true });
wav(path.join(run, 'input_files/p1.wav'), 48000, 3 * 3600);
writeFileSync(path.join(run, 'dataset.jsonl'), `${JSON.stringify({
  prompt_id: 'p1', prompt_text: 'Cut it.', input_modalities: 'Text, Audio', output_modalities: 'Text', input_files: 'p1.wav', rubrics: '{"criteria":[]}',
})}\n`);
const data = at('data');
const study = at('bench.assize');
command(['new', study], data);
command(['import', study, run], data);
writeFileSync(at('plan.json'), JSON.stringify({ people: [{ name: 'ann', role: 'author' }], tasks: [{ kind: 'author', who: ['ann'], seed: 1 }] }));
command(['assign', study, '--plan', at('plan.json')], data);
const app = await host({ data, args: ['--study', study, '--as', 'ann', '--role', 'author'] });
const { item } = await app.call('author_item', {});
const { blob } = item.prompt.inputs[0];
const memory = watched(app.child.pid);
const began = performance.now();
const look = () => app.call('waveform', { blob, columns: 1000 });
let wave = await look();
const first = performance.now() - began;
const loud = wave.columns.filter(([low, high]) => high - low > 0.01).length;
while (!wave.whole) {
  await new Promise((done) => setTimeout(done, 20));
  wave = await look();
}
const whole = performance.now() - began;
const close = performance.now();
await app.call('waveform', { blob, columns: 1000, from_ms: 8_640_000, to_ms: 8_650_000 });
const closer = performance.now() - close;
const { own, workers } = memory.stop();
console.log(`three hours of WAV (48 kHz, stereo, 2.07 GB): first waveform ${first.toFixed(0)} ms (${loud} of ${wave.columns.length} columns), whole ${(whole / 1000).toFixed(1)} s, ten seconds at 80 % looked at closely ${closer.toFixed(0)} ms`);
console.log(`  peak memory: host ${mb(own)} MB, worker ${mb(workers)} MB`);
await app.stop();
