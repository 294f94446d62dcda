// How long a lead waits for packages to come back: 20 judges with 500 verdicts each, given through the real actions from
// devices of their own, merged by one call of the command line, its start included.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { command, host, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';

process.env.ASSIZE_PASSPHRASE = 'a passphrase for a bench';
const judges = Array.from({ length: Number(process.env.BENCH_JUDGES ?? 20) }, (_, n) => `judge-${n + 1}`);
const each = Number(process.env.BENCH_VERDICTS ?? 500);
const folder = temporaryFolder();
const data = path.join(folder, 'data');
const study = path.join(folder, 'bench.assize');
const seconds = (from) => ((performance.now() - from) / 1000).toFixed(2);

generate(path.join(folder, 'run'), { responses: (judges.length * each) / 2, pictures: false });
command(['new', study], data);
command(['import', study, path.join(folder, 'run')], data);
const plan = path.join(folder, 'plan.json');
writeFileSync(plan, JSON.stringify({
  people: judges.map((name) => ({ name, role: 'judge' })), tasks: [{ kind: 'judge', who: judges, overlap: 2, balance: ['modality'], seed: 1 }],
}));
let began = performance.now();
command(['assign', study, '--plan', plan], data);
console.log(`  handing out ${judges.length * each} tasks to ${judges.length} people, balanced   ${seconds(began)} s`);

const back = [];
const packing = [];
for (const name of judges) {
  const away = path.join(folder, name);
  const file = path.join(folder, `${name}.assizepack`);
  began = performance.now();
  command(['pack', study, '--for', name, '--role', 'judge', '-o', file], data);
  packing.push((performance.now() - began) / 1000);
  const app = await host({ data: away, args: ['--study', file, '--as', name, '--role', 'judge'] });
  let { item } = await app.call('judge_item', {});
  let done = 0;
  while (item) {
    const verdicts = item.response.expected.map((modality) => ({ modality, verdict: 'correct', comment: 'As asked.' }));
    const submitted = (await app.call('submit_judgement', { task: item.task, verdicts, active_ms: 1000 })).value;
    done += 1;
    if (!submitted.next_open) break;
    ({ item } = await app.call('judge_item', { task: submitted.next_open }));
  }
  await app.stop();
  if (done !== each) throw new Error(`${name} judged ${done} of ${each}`);
  back.push(path.join(folder, `${name}.back`));
  command(['pack', file, '-o', back.at(-1)], away);
}
console.log(`  packing for one person (${each} tasks)                ${(packing.reduce((a, b) => a + b) / packing.length).toFixed(2)} s`);
for (const what of ['the first time', 'again']) {
  began = performance.now();
  const report = JSON.parse(command(['merge', study, ...back, '--json'], data));
  const merged = Object.values(report.merged).reduce((a, b) => a + b, 0);
  if (merged + report.already !== judges.length * each) throw new Error(JSON.stringify(report).slice(0, 500));
  console.log(`  merging ${judges.length} packages of ${each} verdicts, ${what.padEnd(14)} ${seconds(began)} s   (${merged} new, ${report.already} known)`);
}
