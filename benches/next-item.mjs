// How long a judge waits from a verdict to the next item: `submit_judgement` and the item after it over the loopback host,
// every verdict synced to disk, for studies of 100 and of 1,000 responses.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { command, host, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const print = (what, times) => {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(`  ${what.padEnd(34)} p50 ${at(sorted, 0.5).toFixed(1)} ms   p95 ${at(sorted, 0.95).toFixed(1)} ms   max ${sorted.at(-1).toFixed(1)} ms`);
};

for (const responses of (process.env.BENCH_ITEMS ?? '100,1000').split(',').map(Number)) {
  const folder = temporaryFolder();
  const data = path.join(folder, 'data');
  const study = path.join(folder, 'bench.assize');
  generate(path.join(folder, 'run'), { responses });
  command(['new', study], data);
  command(['import', study, path.join(folder, 'run')], data);
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ people: [{ name: 'ann', role: 'judge' }], tasks: [{ kind: 'judge', who: ['ann'], seed: 1 }] }));
  command(['assign', study, '--plan', plan], data);
  const app = await host({ data, args: ['--study', study, '--as', 'ann', '--role', 'judge'] });
  const submits = [];
  const items = [];
  const both = [];
  let { item } = await app.call('judge_item', {});
  while (item) {
    const verdicts = item.response.expected.map((modality) => ({ modality, verdict: 'correct', comment: 'As asked.' }));
    const began = performance.now();
    const submitted = (await app.call('submit_judgement', { task: item.task, verdicts, active_ms: 1000 })).value;
    const between = performance.now();
    ({ item } = await app.call('judge_item', submitted.next_open ? { task: submitted.next_open } : {}));
    const ended = performance.now();
    submits.push(between - began);
    items.push(ended - between);
    both.push(ended - began);
    if (!submitted.next_open) break;
  }
  if (both.length !== responses) throw new Error(`${both.length} of ${responses} items were judged`);
  console.log(`${responses} items`);
  print('verdict on disk (submit)', submits);
  print('next item', items);
  print('from verdict to next item', both);
  await app.stop();
}
