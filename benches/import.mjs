// How long `assize import` takes per MB, and how much memory it and its worker take: a run of about 50 MB in 500 rows,
// and the same with one row that holds a `raw_response` of 100 MB.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { command, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';

const program = process.env.ASSIZE;

/** Runs the program, sampling the resident memory of it and its children; bytes. */
async function measured(args, env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const began = performance.now();
  const peaks = new Map();
  const peak = (pid) => {
    try {
      const found = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+) kB/);
      if (found) peaks.set(pid, Number(found[1]) * 1024);
      for (const task of readdirSync(`/proc/${pid}/task`)) {
        for (const other of readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean)) peak(other);
      }
    } catch {
      // It ended meanwhile; what was seen of it counts.
    }
  };
  const sampling = setInterval(() => peak(child.pid), 5);
  const code = await new Promise((done) => child.on('exit', done));
  const seconds = (performance.now() - began) / 1000;
  clearInterval(sampling);
  if (code !== 0) throw new Error(`assize ${args.join(' ')} ended with ${code}`);
  const own = peaks.get(child.pid) ?? 0;
  peaks.delete(child.pid);
  return { seconds, own, workers: Math.max(0, ...peaks.values()) };
}

const mb = (bytes) => (bytes / 1e6).toFixed(0);
for (const [what, size] of [
  ['500 rows of 100 kB', { responses: 500, raw: 97_000, pictures: false }],
  ['the same, and 100 MB in one row', { responses: 500, raw: 97_000, heavy: 100_000_000, pictures: false }],
  ['1,000 rows with a picture each', { responses: 1000 }],
]) {
  const folder = temporaryFolder();
  const data = path.join(folder, 'data');
  const study = path.join(folder, 'bench.assize');
  const run = generate(path.join(folder, 'run'), size);
  command(['new', study], data);
  const env = { ...process.env, ASSIZE_DATA: data };
  const first = await measured(['import', study, run.folder], env);
  const again = await measured(['import', study, run.folder], env);
  const speed = (run.bytes / 1e6 / first.seconds).toFixed(1);
  console.log(`${what}: ${mb(run.bytes)} MB in ${first.seconds.toFixed(2)} s = ${speed} MB/s (${((first.seconds * 1e9) / run.bytes).toFixed(1)} ms per MB)`);
  console.log(`  peak memory: import ${mb(first.own)} MB, worker ${mb(first.workers)} MB; importing again: ${again.seconds.toFixed(2)} s`);
}
