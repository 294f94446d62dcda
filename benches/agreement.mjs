// How long an auditor waits for the Agreement screen of a study with many verdicts: computed for the first time, in a new session
// where nothing came since, and right after a verdict. `node agreement.mjs [VERDICTS]`, a million if not given.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { command, host, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';

const wanted = Number(process.argv[2] ?? 1_000_000);
const people = ['ann', 'bob', 'cleo', 'dan', 'eve'];
const models = 4;
// Two outputs a response, each judged by everybody.
const responses = Math.ceil(wanted / people.length / 2);
const prompts = Math.ceil(responses / models);

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const study = path.join(folder, 'bench.assize');
const run = path.join(folder, 'run');
generate(run, { responses, models, pictures: false });
writeFileSync(path.join(run, 'main_config.txt'), 'bench\n');
const file = openSync(path.join(run, 'human_verdicts.csv'), 'w');
writeSync(file, 'annotator,prompt_id,model,modality,verdict,comment,ai_assisted,seconds\n');
let state = 1;
const draw = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
let verdicts = 0;
for (let made = 0; made < responses; made++) {
  const model = Math.floor(made / prompts);
  const key = `p${String(100000 + (made % prompts) * 7).padStart(6, '0')}`;
  let lines = '';
  for (const modality of ['Text', 'Image']) {
    const right = draw() < 0.6;
    for (const person of people) {
      const says = draw() < 0.85 ? right : !right;
      lines += `${person},${key},model-${model + 1},${modality},${says ? 'correct' : 'incorrect'},,no,20\n`;
      verdicts += 1;
    }
  }
  writeSync(file, lines);
}
closeSync(file);
command(['new', study], data);
const imported = performance.now();
command(['import', study, run], data);
const seconds = (performance.now() - imported) / 1000;
const plan = path.join(folder, 'plan.json');
writeFileSync(plan, JSON.stringify({ people: [{ name: 'zoe', role: 'judge' }], tasks: [{ kind: 'judge', who: ['zoe'], share: 0.01, seed: 1 }] }));
command(['assign', study, '--plan', plan], data);
console.log(`${verdicts.toLocaleString('en')} verdicts on ${(responses * 2).toLocaleString('en')} outputs of ${prompts.toLocaleString('en')} prompts`);
console.log(`  ${'import of run and verdicts'.padEnd(52)} ${seconds.toFixed(1)} s   ${((seconds * 1e6) / verdicts).toFixed(0)} µs a verdict`);

const auditor = () => host({ data, args: ['--study', study, '--as', 'lead', '--role', 'auditor'] });
async function timed(what, resamples, open) {
  const app = open ?? (await auditor());
  const filter = { set: 'all_expected' };
  const began = performance.now();
  const view = await app.call('agreement', { filter, ...(resamples === undefined ? {} : { resamples }) });
  const took = performance.now() - began;
  console.log(`  ${what.padEnd(52)} ${took.toFixed(0)} ms   π ${view.chosen.result.scott_pi.value.toFixed(4)}, n ${view.chosen.result.pairable_units}`);
  if (!open) await app.stop();
}
async function judge() {
  const app = await host({ data, args: ['--study', study, '--as', 'zoe', '--role', 'judge'] });
  const { item } = await app.call('judge_item', {});
  const verdicts = item.response.expected.map((modality) => ({ modality, verdict: 'incorrect', comment: 'Not what was asked.' }));
  await app.call('submit_judgement', { task: item.task, verdicts, active_ms: 1000 });
  await app.stop();
}
await timed('the first time, without intervals', 0);
await timed('the first time, with 10,000 resamples');
await timed('in a new session, nothing came since');
await judge();
await timed('after one verdict of a new person');
await judge();
await timed('after another verdict');
const open = await auditor();
await timed('in a session that stays open', undefined, open);
await judge();
await timed('in it, after another verdict', undefined, open);
await open.stop();
