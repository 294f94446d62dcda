// How long `assize import` takes per MB, and how much memory it and its worker take: a run of about 50 MB in 500 rows,
// and the same with one row that holds a `raw_response` of 100 MB.
import path from 'node:path';
import { command, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';
import { mb, measured } from './measure.mjs';

const program = process.env.ASSIZE;

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
  const first = await measured(program, ['import', study, run.folder], env);
  const again = await measured(program, ['import', study, run.folder], env);
  const speed = (run.bytes / 1e6 / first.seconds).toFixed(1);
  console.log(`${what}: ${mb(run.bytes)} MB in ${first.seconds.toFixed(2)} s = ${speed} MB/s (${((first.seconds * 1e9) / run.bytes).toFixed(1)} ms per MB)`);
  console.log(`  peak memory: import ${mb(first.own)} MB, worker ${mb(first.workers)} MB; importing again: ${again.seconds.toFixed(2)} s`);
}
