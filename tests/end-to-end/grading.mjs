// Grading by people against a checklist, without the mouse: what was found is marked, verdicts follow and one is overridden, a
// rule that is broken is shown before the grades are locked, they are taken back and stated again, and Results shows the score.
// `node grading.mjs` in Chromium on the loopback host, `node grading.mjs window` in the real window.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const pictures = path.join(root, 'target/end-to-end/grading');
mkdirSync(pictures, { recursive: true });
const inWindow = process.argv.includes('window');

/** One prompt, two models, a checklist of ten, and an evaluator's grades of one answer. */
function made() {
  const run = path.join(folder, 'run');
  const results = path.join(run, 'results/main');
  mkdirSync(results, { recursive: true });
  const line = (value) => JSON.stringify(value) + '\n';
  writeFileSync(path.join(run, 'dataset.jsonl'), line({
    prompt_id: 'q1', prompt_text: 'What is this pot, and how do I make coffee in it?', input_modalities: 'Text', output_modalities: 'Text',
    input_files: '', rubrics: JSON.stringify({ criteria: [] }),
  }));
  const answer = 'It is a moka pot.\n\nHeat it on the stove. Fill the lower chamber with water first. Keep the cup warm under a cosy, or in some kind of bottle.';
  for (const model of ['one', 'two']) {
    const seen = Object.fromEntries(['Text', 'Image', 'Audio', 'Video', 'Document'].map((modality) => [modality, {
      detected_native: modality === 'Text', detected_via_url: false, detected_via_judge: false, pass_strict: modality === 'Text', pass_lenient: modality === 'Text',
    }]));
    writeFileSync(path.join(results, `20260101_000000_${model}.jsonl`), line({
      prompt_id: 'q1', run_name: model, provider: 'stub', model, expected_modalities: ['Text'], per_modality: seen, all_pass_lenient: true,
      all_pass_strict: true, precision: 1, recall: 1, f1: 1, precision_strict: 1, recall_strict: 1, f1_strict: 1, judge_used: false, judge_model: '',
      judge_reasoning: '', is_error: false, error_message: '', error_type: '', raw_response: null, response_text: answer, request: null,
      output_assets: [], tool_calls: [], rubric_used: false, rubric_grades: [], produced_modalities: ['Text'],
    }));
  }
  writeFileSync(path.join(run, 'rubric.json'), JSON.stringify({ schema: 'metarubric/1', id: 'q1', question: 'What is this pot?', items: [
    { id: 'm1', type: 'simple', tier: 'AC', text: 'Identifies the pot as a moka pot.' },
    { id: 'm2', type: 'flexible_list', tier: 'V', concept: 'ways to keep the cup warm', baselines: [2],
      pool: [{ id: 'p1', text: 'a cosy' }, { id: 'p2', text: 'a vacuum flask', aliases: ['a thermos'] }, { id: 'p3', text: 'hot water' }] },
    { id: 'm3', type: 'process', tier: 'AC', concept: 'brewing', steps: [
      { id: 's1', text: 'Fill the lower chamber with water' }, { id: 's2', text: 'Heat the pot' }, { id: 's3', text: 'Stir', required: false }] },
  ] }));
  const verdicts = { 'm1.fact': 'meets', 'm2.base.2': 'partially', 'm2.opt.p1': 'meets', 'm2.opt.p2': 'missing', 'm2.opt.p3': 'missing',
    'm3.step.s1': 'meets', 'm3.step.s2': 'meets', 'm3.step.s3': 'missing', 'm3.seq.required': 'meets', 'm3.seq.full': 'meets' };
  const graded = (variant, all) => Object.entries(all).map(([check_id, verdict]) => line({ question_id: 'q1', model: 'one', judge: 'one-judge', variant, check_id, verdict, explanation: '' }));
  writeFileSync(path.join(run, 'grades.jsonl'), [
    ...graded('multimodal', verdicts),
    ...graded('text_only', Object.fromEntries(Object.keys(verdicts).map((id) => [id, 'missing']))),
  ].join(''));
  const study = path.join(folder, 'Grading.assize');
  command(['new', study, '--name', 'Grading'], data);
  command(['import', study, run], data);
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ people: [{ name: 'ada', role: 'auditor' }], tasks: [{ kind: 'grade', who: ['ada'] }] }));
  command(['assign', study, '--plan', plan], data);
  return study;
}

/** What a row of the checklist says is chosen. */
const chosen = (page) => page.run(`return Object.fromEntries([...document.querySelectorAll('[role=group].check')].map((row) => [row.getAttribute('aria-label'),
  (row.querySelector('.verdict[aria-pressed=true]') || { innerText: '' }).innerText.replace(/^\\S+\\s+/, '').split(/\\s/)[0]]))`);
const says = (page, id, verdict) => page.until(`${id} ${verdict || 'open'}`, async () => (await chosen(page))[id] === verdict);
const now = (page) => page.run(`return document.querySelector('[role=group].check[aria-current]')?.getAttribute('aria-label') ?? ''`);
const at = (page, id) => page.until(`the keys at ${id}`, async () => (await now(page)) === id);

const study = made();
let served;
let page;
const sit = async () => {
  const size = process.env.STORY_SIZE ?? '1500,1000';
  const args = ['--study', study, '--as', 'ada', '--role', 'auditor'];
  served = inWindow ? null : await host({ data, args });
  page = inWindow
    ? await Page.window({ data, args: [study, '--as', 'ada', '--role', 'auditor'] })
    : await Page.browser({ address: served.address, size, dark: !!process.env.STORY_DARK });
};
await sit();
const shot = (name) => page.picture(path.join(pictures, `${name}${inWindow ? '-window' : ''}${process.env.STORY_DARK ? '-dark' : ''}.png`));
try {
  console.log('grading by a checklist, by keyboard alone');
  await page.see('Disagreements');
  await page.press([keys.control, '6']);
  await page.see('Identifies the pot as a moka pot.');
  check(!(await page.text()).includes('one-judge'), 'no grade of anybody else is on screen');
  check((await page.text()).match(/of 2/), 'two responses wait');
  await at(page, 'm1.fact');
  await shot('1-open');

  await page.press('m');
  await says(page, 'm1.fact', 'meets');
  await at(page, 'm2.base.2');
  check(true, 'one key gives a verdict, and the next check is there');
  await page.press('1', '2', '2');
  await says(page, 'm2.base.2', 'partially');
  await says(page, 'm2.opt.p1', 'meets');
  await says(page, 'm2.opt.p2', 'partially');
  await says(page, 'm2.opt.p3', 'missing');
  check(true, 'four verdicts follow from two options, one of them named imprecisely');
  for (let step = 0; step < 4; step++) await page.press('j');
  await at(page, 'm3.step.s1');
  await page.press('2', '1');
  await says(page, 'm3.seq.required', 'contradicts');
  await says(page, 'm3.seq.full', 'contradicts');
  await says(page, 'm3.step.s3', 'missing');
  await page.see(/5\.[78]/);
  check(true, 'steps in the wrong order contradict both orders, and the score is worked out: 0.6 × 1/5 − 0.3 × 1.5/4 + 0.1 × 1.5/3');
  await shot('2-found');

  // An override, and verdicts that cannot all be true.
  for (let step = 0; step < 4; step++) await page.press('k');
  await at(page, 'm2.base.2');
  await page.press('m');
  await says(page, 'm2.base.2', 'meets');
  await page.press('j', 'n');
  await says(page, 'm2.opt.p2', 'missing');
  await page.press(keys.enter);
  await page.see('say why your verdict is another');
  await page.keyboard('Two are named.');
  await page.press(keys.enter);
  const first = await now(page);
  await page.press(keys.enter);
  await page.until('the other that wants a reason', async () => (await now(page)) !== first);
  await page.keyboard('It is no flask.');
  await page.press(keys.enter);
  await page.see('K2');
  await shot('3-rule');
  await page.press(keys.enter);
  await page.see('once more lets them stand');
  check(true, 'a broken rule is shown before the grades are locked');
  await page.press(keys.enter);
  await page.see('response 2 of 2');
  check(true, 'the grades are on disk, and the next response is there');

  // Closed and opened again: a draft is kept, and what was stated can be taken back.
  await page.press('m');
  await says(page, 'm1.fact', 'meets');
  await page.see('saved');
  await page.close();
  await served?.stop();
  await sit();
  await page.see('Disagreements');
  await page.press([keys.control, '6']);
  await says(page, 'm1.fact', 'meets');
  check(true, 'a draft is there after a restart');
  await page.press('[');
  await page.see('You graded this one');
  await page.press('u');
  await page.see('Your grades are taken back');
  await says(page, 'm2.base.2', 'meets');
  check(true, 'what was taken back is there again as it was typed');
  await page.until('the reason', async () => page.run(`return [...document.querySelectorAll('.check textarea')].some((field) => field.value === 'Two are named.')`));
  await page.press(keys.enter);
  await page.see('once more lets them stand');
  await page.press(keys.enter);
  await page.see('response 2 of 2');

  await page.press([keys.control, '3']);
  await page.see('GAMUT score', 60_000);
  await page.see('MMI Value, raw and collapsed', 60_000);
  await page.see('Multimodal against text alone');
  const table = await page.until('the table by judge', () => page.run(
    `const table = [...document.querySelectorAll('main table')].find((t) => t.caption?.innerText.toLowerCase().startsWith('gamut score by model and judge'));
     return table && [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim()).join(' | '));`));
  check(table.some((row) => row.includes('one') && /\d/.test(row)), `models by judges: ${table.join(' // ')}`);
  const height = await page.run('const main = document.querySelector("main"); return main.scrollHeight + 160');
  if (!inWindow) await page.ask('POST', `${page.session}/window/rect`, { width: 1500, height: Math.min(6000, height) });
  await shot('4-results');

  // The rubrics in the forms of other systems: what a form has no place for stands there before it is written.
  const panel = `[...document.querySelectorAll('main section')].find((one) => one.querySelector('h2')?.innerText.toLowerCase().startsWith('rubrics in other forms'))`;
  const inPanel = (what) => page.run(`return (${panel})${what}`);
  for (const [form, lost] of [['mmi', /tiers/i], ['csv', /thresholds and sequences/i], ['health_bench', /four verdicts/i], ['label_studio', /tiers/i], ['judge_pack', /tiers/i]]) {
    await page.run(`const select = (${panel}).querySelector('select'); select.value = arguments[0]; select.dispatchEvent(new Event('change', { bubbles: true }))`, form);
    await page.until(`what ${form} loses`, async () => lost.test(await inPanel('.innerText')));
    await inPanel(`.querySelector('button').click()`);
    const written = await page.until(`the file of ${form}`, () => inPanel(`.querySelector('[role=status] code')?.innerText`));
    check(existsSync(written) && statSync(written).size > 0, `${form}: what it loses is said, and ${path.basename(written)} is written`);
  }
  await page.run(`(${panel}).scrollIntoView({ block: 'center' })`);
  await shot('5-forms');
} catch (error) {
  await page.picture(path.join(pictures, 'failed.png')).catch(() => {});
  throw error;
} finally {
  await page.close();
  await served?.stop();
}
