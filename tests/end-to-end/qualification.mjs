// Qualification in Chromium, by keyboard: a newcomer practises, fails the quiz and passes it; jobs with a known answer are mixed into the
// work; the lead sees who stands where, opens what stands behind a number, and has somebody recertify. A picture of each screen is
// kept. `node qualification.mjs [dark]`.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';

const dark = process.argv.includes('dark');
const folder = temporaryFolder();
const data = path.join(folder, 'data');
const shots = path.join(root, 'target/end-to-end');
mkdirSync(shots, { recursive: true });
/** How long a view may take on a busy machine with development builds. */
const long = 120_000;
const shot = (page, name) => page.picture(path.join(shots, `qualification-${dark ? 'dark' : 'light'}-${name}.png`));

const study = path.join(folder, 'demo.assize');
command(['new', study, '--name', 'Demo'], data);
command(['import', study, path.join(root, 'assets/demo')], data);
const write = (name, text) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};
const plan = (what) => command(['assign', study, '--plan', write('plan.json', JSON.stringify(what))], data);
const qualify = (...args) => command(['qualify', args[0], study, ...args.slice(1)], data);
plan({ people: [{ name: 'sam', role: 'judge' }, { name: 'kim', role: 'judge' }] });

async function sit(person, role) {
  const served = await host({ data, args: ['--study', study, '--as', person, '--role', role] });
  const page = await Page.browser({ address: served.address, dark });
  await page.see('History', long); // the rooms are there, and so are their keys
  return { page, served, done: async () => { await page.close(); await served.stop(); } };
}
async function as(person, role, work) {
  const sitting = await sit(person, role);
  try {
    await work(sitting.page, sitting.served);
  } finally {
    await sitting.done();
  }
}

console.log(`the lead sets it up, ${dark ? 'dark' : 'light'}`);
await as('lead', 'lead', async (page) => {
  await page.press([keys.control, '6']);
  await page.see('Who has done what', long);
  await page.press('q');
  await page.see('asks for no qualification', long);
  await shot(page, 'before');
  await page.click('Quiz…');
  await page.see('The quiz with its answers', long);
  await page.click('Publish');
  await page.see('Judging: what the guidelines say', long);
  await page.press('r');
  await page.see('What is asked of those who judge', long);
  await shot(page, 'rules');
  for (const [label, value] of [['Known jobs to enter', '2'], ['Window, known jobs', '4'], ['Paused below, per cent', '75']]) {
    await page.run(`const label = [...document.querySelectorAll('dialog label')].find((l) => l.innerText.trim() === arguments[0]);
      document.getElementById(label.htmlFor).focus()`, label);
    await page.press([keys.control, 'a']);
    await page.keyboard(value);
  }
  await page.press(keys.enter);
  await page.see('Paused below 75 % over the last 4', long);
  await page.press('g');
  await page.see('Every judge who needs it has the quiz', long);
});

/** Right answers of the quiz that comes along, one after the other: is it true, and which option. */
const right = ['t2', 'f1', 'f1', 't2', 'f3', 't2', 'f2', 't3', 'f3', 't4'];

async function answer(page, all) {
  for (const [truth, option] of all) {
    const before = await page.run(`return document.querySelector('article .statement').innerText`);
    await page.press(truth, option, keys.enter);
    await page.until('the next item, or the last', () => page.run(
      `return document.querySelector('article .statement').innerText !== arguments[0] || document.body.innerText.includes('10 of 10 answered')`, before), long);
  }
  await page.see('10 of 10 answered', long);
}

console.log('a newcomer fails');
await as('sam', 'judge', async (page) => {
  await page.see('Practice', long);
  await page.press('t');
  await page.press('1');
  await page.see('Not quite', long);
  await shot(page, 'practice-wrong');
  await page.press('f');
  await page.press('2');
  await page.see('Both parts are right', long);
  await shot(page, 'practice-right');
  await page.press('p');
  await page.see('0 of 10 answered', long);
  await page.press([keys.control, keys.enter]);
  await page.see('Item 1 is not answered yet', long);
  await shot(page, 'quiz-missing');
  await answer(page, right.map((both) => [both[0], '1']));
  await shot(page, 'quiz-answered');
  await page.press([keys.control, keys.enter]);
  await page.see('It is marked when the lead', long);
  await shot(page, 'quiz-waiting');
});
qualify('status'); // a lead's session takes it in
console.log('and passes');
await as('sam', 'judge', async (page) => {
  await page.see('2 of 10 right', long);
  await page.see('9 needed');
  await shot(page, 'quiz-failed');
  await page.press('p');
  await page.see('0 of 10 answered', long);
  await answer(page, right);
  await page.press([keys.control, keys.enter]);
  await page.see('It is marked when the lead', long);
});
qualify('status');
await as('sam', 'judge', async (page) => {
  await page.press([keys.control, '2']);
  await page.see('10 of 10 right', long);
  await shot(page, 'quiz-passed');
});

console.log('known jobs among the work');
/** What a judge meets of a response, who is not told its id. */
const met = (item) => `${item.prompt.key} ${item.response.text}`;
let known = new Set();
await as('lead', 'lead', async (page, served) => {
  const golds = [];
  for (const cell of ['both_correct', 'judge_only', 'human_only', 'both_incorrect']) {
    const { rows } = await served.call('disagreement_cases', { cell, limit: 1000 });
    for (const row of rows.filter((r) => r.modality === 'Text')) {
      const found = await served.call('disagreement_case', { response: row.response, modality: 'Text' });
      if (found.response.expected.join() === 'Text') golds.push({ met: met(found), gold: { response: row.response, modality: 'Text', verdict: 'incorrect', why: 'decided by both authors' } });
    }
  }
  check(golds.length >= 6, `there are responses that are judged for text alone: ${golds.length}`);
  await served.call('state_golds', { golds: golds.slice(0, 6).map((one) => one.gold) });
  known = new Set(golds.slice(0, 6).map((one) => one.met));
  await page.press([keys.control, '6']);
  await page.see('Who has done what', long);
  await page.press('h');
  await page.see('Known jobs mixed in', long);
  await page.run(`[...document.querySelectorAll('label')].find((l) => l.innerText.trim() === 'sam').querySelector('input').click()`);
  const field = async (name, value) => {
    await page.run(`const label = [...document.querySelectorAll('main label')].find((l) => l.innerText.trim() === arguments[0]);
      document.getElementById(label.htmlFor).focus()`, name);
    await page.press([keys.control, 'a']);
    await page.keyboard(value);
  };
  await page.see('mix in 2 more', long);
  await shot(page, 'hand-out-refused');
  await field('Known jobs mixed in', '4');
  await field('Jobs given twice', '1');
  await page.see('4 known', long);
  await shot(page, 'hand-out');
  await page.press([keys.control, keys.enter]);
  await page.see('New tasks', long);
});
await as('sam', 'judge', async (_, served) => {
  for (let count = 0; ;) {
    const { item } = await served.call('judge_item');
    if (!item) break;
    // Right of the first two that are known, wrong of the others.
    const verdict = known.has(met(item)) && (count += 1) <= 2 ? 'incorrect' : 'correct';
    await served.call('submit_judgement', {
      task: item.task, verdicts: item.response.expected.map((modality) => ({ modality, verdict, comment: 'As I see it.' })),
    });
  }
});

console.log('who stands where');
await as('lead', 'lead', async (page) => {
  await page.press([keys.control, '6']);
  await page.see('Who has done what', long);
  await page.press('q');
  await page.see('fell below the mark', long);
  await shot(page, 'table');
  await page.run(`document.querySelector('button.number').click()`);
  await page.see('Jobs with a known answer', long);
  await shot(page, 'jobs');
  await page.press(keys.escape);
  await page.run(`[...document.querySelectorAll('tr')].find((r) => r.innerText.includes('paused')).querySelector('button.btn').click()`);
  await page.see('Shows it again', long);
  await page.run(`document.querySelector('dialog input[type=text], dialog input:not([type])').focus()`);
  await page.keyboard('We talked about links.');
  await shot(page, 'decide');
  await page.press(keys.enter);
  await page.see('◐ recertify', long);
  await shot(page, 'recertify');
});
await as('sam', 'judge', async (page) => {
  await page.see('Attempt 3', long);
  await shot(page, 'recertify-quiz');
});
console.log('qualification: done');
