// How long a judge waits in a very long queue, beside the same for a short one: until the session and its first page are
// there, on the first opening (the index is made then) and on later ones, and from a verdict to the next item.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { command, host, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const print = (what, times) => {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(`  ${what.padEnd(40)} p50 ${at(sorted, 0.5).toFixed(1)} ms   p95 ${at(sorted, 0.95).toFixed(1)} ms   max ${sorted.at(-1).toFixed(1)} ms`);
};

const sizes = (process.env.BENCH_TASKS ?? '1000,100000').split(',').map(Number);
const items = Number(process.env.BENCH_ITEMS ?? 500);
for (const responses of sizes) {
  const folder = temporaryFolder();
  const data = path.join(folder, 'data');
  const study = path.join(folder, 'bench.assize');
  generate(path.join(folder, 'run'), { responses, pictures: false });
  command(['new', study], data);
  command(['import', study, path.join(folder, 'run')], data);
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ people: [{ name: 'ann', role: 'judge' }], tasks: [{ kind: 'judge', who: ['ann'], seed: 1 }] }));
  command(['assign', study, '--plan', plan], data);
  console.log(`${responses.toLocaleString('en')} tasks`);
  const app = await host({ data, args: ['--study', study] });
  const opening = [];
  for (let n = 0; n < 21; n++) {
    const began = performance.now();
    await app.call('begin_session', { person: 'ann', role: 'judge' });
    const page = await app.call('judge_queue', { limit: 100 });
    await app.call('judge_item', {});
    opening.push(performance.now() - began);
    if (page.rows.length !== Math.min(100, responses) || page.total !== responses) throw new Error(`${page.rows.length} rows of ${page.total}`);
    await app.call('end_session', {});
  }
  console.log(`  ${'opening the queue, the first time'.padEnd(40)} ${opening.shift().toFixed(0)} ms`);
  print('opening the queue', opening);
  await app.call('begin_session', { person: 'ann', role: 'judge' });
  const both = [];
  let { item } = await app.call('judge_item', {});
  for (let n = 0; n < items; n++) {
    const verdicts = item.response.expected.map((modality) => ({ modality, verdict: 'correct', comment: 'As asked.' }));
    const began = performance.now();
    const submitted = (await app.call('submit_judgement', { task: item.task, verdicts, active_ms: 1000 })).value;
    ({ item } = await app.call('judge_item', { task: submitted.next_open }));
    both.push(performance.now() - began);
  }
  print('from verdict to next item', both);
  await app.stop();
}
