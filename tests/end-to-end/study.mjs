// A small harness run cut out of the demo: three prompts, one model, people's verdicts, no settlements.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './driver.mjs';

const prompts = ['p790019', 'p427760', 'p992650'];
const model = 'model-a';

/** Writes the run below `folder`; answers its path. */
export function smallRun(folder) {
  const from = path.join(root, 'assets/demo');
  const to = path.join(folder, 'run');
  const results = path.join(to, 'results/demo');
  mkdirSync(results, { recursive: true });
  const keep = (file, key) =>
    readFileSync(path.join(from, file), 'utf8').split('\n').filter((line) => line && prompts.includes(key(line))).join('\n') + '\n';
  writeFileSync(path.join(to, 'dataset.jsonl'), keep('dataset.jsonl', (line) => JSON.parse(line).prompt_id));
  const rows = `results/demo/20260612_093015_${model}.jsonl`;
  writeFileSync(path.join(to, rows), keep(rows, (line) => JSON.parse(line).prompt_id));
  for (const prompt of prompts) {
    const assets = `results/demo/20260612_093015_${model}_assets/${prompt}`;
    try {
      cpSync(path.join(from, assets), path.join(to, assets), { recursive: true });
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // a prompt whose answer is prose alone
    }
  }
  cpSync(path.join(from, 'input_files'), path.join(to, 'input_files'), { recursive: true });
  // A quoted comment may hold line breaks: a record ends where its quotes are closed.
  const verdicts = [];
  for (const line of readFileSync(path.join(from, 'human_verdicts.csv'), 'utf8').split('\n')) {
    const open = verdicts.length > 0 && (verdicts.at(-1).split('"').length - 1) % 2 === 1;
    if (open) verdicts.push(`${verdicts.pop()}\n${line}`);
    else verdicts.push(line);
  }
  const kept = verdicts.filter((line, at) => at === 0 || prompts.some((prompt) => line.includes(`,${prompt},${model},`)));
  writeFileSync(path.join(to, 'human_verdicts.csv'), kept.join('\n') + '\n');
  return to;
}
