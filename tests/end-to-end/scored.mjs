// A study of checklists, samples and single checks: three models' answers, two evaluators, two people who grade, and an interaction
// benchmark; invented, and the same every time.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { command, host, root } from './driver.mjs';

const models = ['alpha-large', 'alpha-small', 'beta-one'];
const lines = (all) => all.map((one) => JSON.stringify(one) + '\n').join('');
const modalities = ['Text', 'Image', 'Audio', 'Video', 'Document'];

function run(folder) {
  const keys = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'];
  const texts = ['Names the bridge that is shown.', 'Gives the year in which it was opened.', 'Says which river it crosses.'];
  const results = path.join(folder, 'run/results/main');
  mkdirSync(results, { recursive: true });
  writeFileSync(path.join(folder, 'run/dataset.jsonl'), lines(keys.map((prompt_id) => ({
    prompt_id, prompt_text: `Describe the bridge of ${prompt_id}.`, input_modalities: 'Text', output_modalities: 'Text', input_files: '',
    rubrics: JSON.stringify({ criteria: texts.map((criterion, at) => ({ id: String(at + 1), criterion, modality: 'text' })) }),
  }))));
  models.forEach((run_name, m) => writeFileSync(path.join(results, `20260101_000000_${run_name}.jsonl`), lines(keys.map((prompt_id, p) => ({
    prompt_id, run_name, provider: 'stub', model: run_name, expected_modalities: ['Text'],
    per_modality: Object.fromEntries(modalities.map((name) => [name, {
      detected_native: name === 'Text', detected_via_url: false, detected_via_judge: false, pass_strict: name === 'Text', pass_lenient: name === 'Text',
    }])),
    judge_used: false, judge_model: '', judge_reasoning: '', is_error: false, error_message: '', error_type: '', raw_response: null,
    response_text: `${prompt_id} by ${run_name}`, output_assets: [], tool_calls: [], rubric_used: true,
    rubric_grades: texts.map((rubric, c) => ({
      index: c + 1, id: String(c + 1), rubric, modality: 'Text', score: (p * 2 + m + c) % 3 === 0 ? 0 : 1, explanation: 'as read', evaluator_error: false,
      payload_status: 'gradeable',
    })),
    rubric_judge_model: 'judge-1', produced_modalities: ['Text'],
  })))));
}

function checklists(folder) {
  mkdirSync(path.join(folder, 'gamut'), { recursive: true });
  const questions = Array.from({ length: 8 }, (_, n) => `g${n + 1}`);
  const items = [
    { id: 'a', type: 'simple', tier: 'AC', text: 'Names the species in the picture.' },
    { id: 'b', type: 'simple', tier: 'V', text: 'Says where it lives.' },
    { id: 'c', type: 'simple', tier: 'C', text: 'Mentions that it is protected.' },
  ];
  writeFileSync(path.join(folder, 'gamut/rubrics.jsonl'), lines(questions.map((id, n) => ({
    schema: 'metarubric/1', id, question: `What is to be seen in picture ${n + 1}?`, items,
  }))));
  const verdicts = ['meets', 'meets', 'partially', 'meets', 'missing', 'contradicts'];
  const grades = [];
  questions.forEach((question_id, q) => models.forEach((model, m) => ['alpha-judge', 'gamma-judge'].forEach((judge, j) =>
    ['multimodal', 'text_only'].filter((variant) => j === 0 || variant === 'multimodal').forEach((variant, v) => items.forEach((item, i) =>
      grades.push({
        question_id, model, judge, variant, check_id: `${item.id}.fact`, explanation: '',
        verdict: verdicts[(q * 5 + m * 2 + i * 3 + j * (m === 0 ? 0 : 1) + v * 2) % verdicts.length],
      }))))));
  writeFileSync(path.join(folder, 'gamut/grades.jsonl'), lines(grades));
}

function samples(folder) {
  mkdirSync(path.join(folder, 'bench'), { recursive: true });
  copyFileSync(path.join(root, 'assets/demo/input_files/p977763_1.png'), path.join(folder, 'bench/one.png'));
  const kinds = ['correct_guidance', 'global_description', 'local_description', 'unrelated', 'misleading'];
  const said = [];
  const all = Array.from({ length: 24 }, (_, n) => {
    const pattern = ['vision', 'text', 'synergy'][n % 3];
    const contexts = pattern === 'synergy' ? [] : kinds.map((kind) => (pattern === 'vision' ? { kind, text: `${kind} of ${n}` } : { kind, image: 'one.png' }));
    models.forEach((model, m) => (contexts.length ? contexts.map((one) => one.kind) : [null]).forEach((context, c) =>
      said.push({ sample_id: `s${n}`, model, context, choice: (n * 3 + m * (c + 1)) % 5 < 3 ? 'A' : 'B' })));
    return {
      sample_id: `s${n}`, pattern, level: (n % 4) % 3 + 1, task: ['counting', 'reading a chart', 'finding the place'][n % 4 % 3], question: 'Which one?',
      options: { A: 'this', B: 'that' }, answer: 'A', contexts,
      ...(pattern === 'text' ? {} : { image: 'one.png' }), ...(pattern === 'vision' ? {} : { text: `A text about ${n}.` }),
    };
  });
  writeFileSync(path.join(folder, 'bench/samples.jsonl'), lines(all));
  writeFileSync(path.join(folder, 'bench/predictions.jsonl'), lines(said));
}

/** Makes the study, with two people's grades in it; answers its path. */
export async function scoredStudy(folder, data) {
  const sources = path.join(folder, 'scored');
  const study = path.join(folder, 'scored.assize');
  run(sources);
  checklists(sources);
  samples(sources);
  command(['new', study, '--name', 'Scored'], data);
  command(['import', study, path.join(sources, 'run')], data);
  command(['import', study, path.join(sources, 'gamut'), path.join(sources, 'bench')], data);
  const plan = path.join(folder, 'grading.json');
  writeFileSync(plan, JSON.stringify({
    people: [{ name: 'ada', role: 'auditor' }, { name: 'bea', role: 'auditor' }],
    tasks: [{ kind: 'grade', who: ['ada', 'bea'], overlap: 2, seed: 1 }],
  }));
  command(['assign', study, '--plan', plan], data);
  for (const [who, person] of ['ada', 'bea'].entries()) {
    const app = await host({ data, args: ['--study', study, '--as', person, '--role', 'auditor'] });
    for (;;) {
      const { item } = await app.call('grading_item', {});
      if (!item) break;
      const [, p, m] = item.response.text.match(/^q(\d) by (\S+)$/);
      const model = models.indexOf(m);
      const verdicts = item.checks.map((check, c) => {
        const met = ((p - 1) * 2 + model + c) % 3 !== 0;
        // Each person says otherwise than the judge now and then.
        const other = (p * 7 + model * 5 + c * 3 + who * 4) % 9 === 0;
        const verdict = met === !other ? 'meets' : c === 1 ? 'partial' : 'missing';
        return { check: check.id, text_sha256: check.text_sha256, verdict, reason: verdict === 'partial' ? 'The decade alone.' : '' };
      });
      await app.call('submit_grades', { task: item.task, draft: { verdicts } });
    }
    await app.stop();
  }
  return study;
}
