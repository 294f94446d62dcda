// Review in Chromium, by keyboard: samples are retained, revised and discarded by two people and settled by a third, forty cases of
// figure 16, and all of the demo, are drawn, settled and held against a calculation of their own, criteria are ranked, two people who
// differ are settled, a gold list is marked wrong, finished work is audited. A picture of each screen is kept.
// `node review.mjs [dark]`.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';

const dark = process.argv.includes('dark');
const folder = temporaryFolder();
const data = path.join(folder, 'data');
const shots = path.join(root, 'target/end-to-end');
mkdirSync(path.join(folder, 'images'), { recursive: true });
mkdirSync(shots, { recursive: true });
/** How long a view may take on a busy machine with development builds. */
const long = 120_000;
const shot = (page, name) => page.picture(path.join(shots, `review-${dark ? 'dark' : 'light'}-${name}.png`));

async function sit(study, person, role) {
  const served = await host({ data, args: ['--study', study, '--as', person, '--role', role] });
  const page = await Page.browser({ address: served.address, dark });
  await page.see('History', long); // the rooms are there, and so are their keys
  return { page, served, done: async () => { await page.close(); await served.stop(); } };
}
function make(name, sources) {
  const at = path.join(folder, `${name}.assize`);
  command(['new', at, '--name', name], data);
  command(['import', at, ...sources], data);
  return at;
}
function assign(study, what) {
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(what));
  command(['assign', study, '--plan', plan], data);
}

// Eight samples, four that turn on an image and four on a text.
const kinds = ['correct_guidance', 'global_description', 'local_description', 'unrelated', 'misleading'];
copyFileSync(path.join(root, 'assets/demo/input_files/p977763_1.png'), path.join(folder, 'images/one.png'));
const says = {
  correct_guidance: 'Look at the handle: it is on the left.', global_description: 'A kettle stands on a stove.',
  local_description: 'The lid has a black knob.', unrelated: 'Trains leave every hour.', misleading: 'The handle is plainly on the right.',
};
const samples = Array.from({ length: 8 }, (_, n) => {
  const vision = n < 4;
  return JSON.stringify({
    sample_id: `s${n + 1}`, pattern: vision ? 'vision' : 'text', level: (n % 3) + 1, task: vision ? 'spatial relation' : 'reading',
    domain: n % 2 ? 'kitchen' : 'travel', question: vision ? 'On which side is the handle?' : 'When does the train leave?',
    options: { A: 'Left', B: 'Right', C: 'Neither' }, answer: 'A', ...(vision ? { image: 'images/one.png' } : { text: 'The train on the left leaves first.' }),
    contexts: kinds.map((kind) => (vision ? { kind, text: says[kind] } : { kind, image: 'images/one.png' })),
  });
});
writeFileSync(path.join(folder, 'samples.jsonl'), samples.join('\n'));
const bench = make('Bench', [path.join(folder, 'samples.jsonl')]);
assign(bench, {
  people: [...['ann', 'ben', 'cem'].map((name) => ({ name, role: 'author' })), { name: 'ada', role: 'auditor' }],
  tasks: [{ kind: 'curate', who: ['ann', 'ben'], overlap: 2, seed: 3 }],
});

/** A curator's whole queue by keys; `act` presses what it takes for a key of a sample. */
async function curate(person, act) {
  const { page, done } = await sit(bench, person, 'author');
  try {
    await page.press([keys.control, '3']);
    for (;;) {
      const key = await page.until('an item, or the end', () => page.run(
        `if (document.body.innerText.includes('Everything is curated')) return 'end';
         return document.querySelector('section.item header .mono')?.textContent`), long);
      if (key === 'end') break;
      const finished = await act(page, key);
      if (finished) break;
      await page.until(`what comes after ${key}`, () => page.run(
        `return document.body.innerText.includes('Everything is curated') || document.querySelector('section.item header .mono')?.textContent !== arguments[0]
           || document.querySelector('aside .current .visually-hidden')?.innerText !== 'open'`, key), long);
      if (await page.run(`return document.querySelectorAll('aside li .visually-hidden').length > 0 && [...document.querySelectorAll('aside li .visually-hidden')].every((e) => e.innerText !== 'open')`)) break;
    }
  } finally {
    await done();
  }
}

console.log(`curation, ${dark ? 'dark' : 'light'}`);
await curate('ann', async (page, key) => {
  if (key === 's1') {
    await page.press('r');
    await page.until('the question in its field', () => page.run(`return document.activeElement.matches('section.item textarea')`));
    await shot(page, 'curation-revising');
    await page.press([keys.control, 'a']);
    await page.keyboard('On which side of the kettle is its handle?');
    await shot(page, 'curation-revised');
    await page.press([keys.control, keys.enter]);
  } else if (key === 's2') {
    await page.press('d');
    await page.keyboard('The picture shows no handle.');
    await page.press([keys.control, keys.enter]);
  } else {
    if (key === 's5') await shot(page, 'curation-text');
    await page.press('a', keys.enter);
  }
});
await curate('ben', async (page, key) => {
  if (key === 's3') await shot(page, 'curation-vision');
  await page.press('a', keys.enter);
});
{
  const { page, done } = await sit(bench, 'lead', 'lead');
  try {
    await page.press([keys.control, '7']);
    await page.see('The first two agree', long);
    const text = await page.text();
    check(text.includes('75.0'), 'six of eight alike: 75 %');
    check(/2 of 8|disputed\s*2/i.test(text), 'two wait for a third');
    await shot(page, 'curation-lead');
  } finally {
    await done();
  }
}
{
  const { page, done } = await sit(bench, 'ada', 'auditor');
  try {
    await page.press([keys.control, '8']);
    await page.see('The first two agree', long);
    check((await page.text()).includes('75.0'), 'an auditor sees the same');
    await shot(page, 'curation-auditor');
  } finally {
    await done();
  }
}
{
  const { page, done } = await sit(bench, 'cem', 'author');
  try {
    await page.press([keys.control, '3']);
    await page.see('Two people differ', long);
    await shot(page, 'curation-settling');
  } finally {
    await done();
  }
}

/** The calculation apart from the app (`settling.py`), by the same rule: so many of each direction in the judge's favour. */
const reference = JSON.parse(readFileSync(path.join(root, 'tests/fixtures/agreement/settling.json'), 'utf8'));
const near = (found, wanted) => Math.abs(found - wanted) < 1e-9;

/** Draws twenty of each direction, or all there are, and settles them by keys alone. */
async function settleByKeys(page, served, name) {
  const { before, by_rule: rule } = reference[name];
  const all = rule.drawn[0] + rule.drawn[1];
  await page.press([keys.control, '2']);
  await page.see(/settle and next/i, long);
  await page.press('d');
  await page.see('Seed');
  await page.press(keys.enter);
  await page.until(`${all} drawn`, async () => new RegExp(`0 of ${all}`).test(await page.text()), long);
  await shot(page, `${name}-drawn`);
  const seen = [0, 0];
  for (let n = 1; n <= all; n += 1) {
    const row = await page.until('a case', () => page.run(`return document.querySelector('main [aria-selected=true]')?.innerText`), long);
    const direction = row.includes('✓') ? 0 : 1; // the judge says correct, or incorrect
    const judgeIsRight = seen[direction] < rule.right[direction];
    seen[direction] += 1;
    await page.press((direction === 0) === judgeIsRight ? 'c' : 'i', judgeIsRight ? '2' : '1', keys.enter);
    await page.until(`${n} settled`, async () => (await page.text()).includes(`${n} of ${all}`), long);
  }
  check(seen.join() === rule.drawn.join(), `${name}: ${seen[0]} and ${seen[1]} of the two directions are settled by keys`);
  await page.see('After settling', long);
  await page.see('Causes so far');
  const per = (value) => (100 * value).toFixed(1);
  await page.see(new RegExp(`${per(before.percent_agreement)}\\s*→\\s*${per(rule.after.percent_agreement)} %`), long);
  await page.see(new RegExp(`π ${before.scott_pi.toFixed(2)} → ${rule.after.scott_pi.toFixed(2)}`));
  await shot(page, `${name}-settled`);
  const counts = await served.call('disagreement_counts', {});
  check(Object.entries(before.cells).every(([cell, n]) => counts.cells[cell] === n), `${name}: what people said is as it was`);
  const figures = ['percent_agreement', 'scott_pi'];
  check(figures.every((one) => near(counts[one].value, before[one]) && near(counts.after[one].value, rule.after[one])),
    `${name}: agreement before and after is as calculated apart`);
  const causes = Object.fromEntries(counts.causes.map((row) => [row.cause, [row.judge_only, row.human_only, row.judge_right]]));
  check(['judge_error', 'human_error'].every((one) => causes[one].join() === rule.causes[one].join()) && counts.causes.length === 2,
    `${name}: and so are the causes`);
}

console.log('forty cases of figure 16');
const figure = make('Figure 16', [path.join(root, 'tests/fixtures/agreement/figure16.jsonl')]);
{
  const { page, served, done } = await sit(figure, 'lead', 'lead');
  try {
    await settleByKeys(page, served, 'figure16');
    await page.press([keys.control, '3']);
    await page.click('Criteria', { ms: long });
    await page.see('Whose criterion?', long);
    await page.see('Image: criterion 4', long);
    await shot(page, 'criteria');
  } finally {
    await done();
  }
}

console.log('the demo without its own settlements');
const run = path.join(root, 'assets/demo');
const unsettled = make('Unsettled', ['dataset.jsonl', 'results/demo', 'human_verdicts.csv'].map((name) => path.join(run, name)));
{
  const { page, served, done } = await sit(unsettled, 'lead', 'lead');
  try {
    await settleByKeys(page, served, 'demo');
  } finally {
    await done();
  }
}

console.log('two people, and a wrong gold list');
const demo = make('Demo', [path.join(root, 'assets/demo')]);
assign(demo, {
  people: [{ name: 'sam', role: 'judge' }, { name: 'noor', role: 'author' }],
  tasks: [{ kind: 'judge', who: ['sam'], seed: 1 }, { kind: 'author', who: ['noor'], seed: 1 }],
});
{
  const { page, served, done } = await sit(demo, 'lead', 'lead');
  try {
    await page.press([keys.control, '2']);
    await page.see(/settle and next/i, long);
    await page.press('p');
    await page.see('amara × ben', long);
    await page.until('the pair has its cases', async () => /4 of 14/.test(await page.text()), long);
    await shot(page, 'disagreements-people');
    await page.press('o');
    await page.until('an open case', () => page.run(`return document.querySelector('section.middle code')`), long);
    await page.press('c', '2', keys.enter);
    await page.until('one more settled', async () => /5 of 14/.test(await page.text()), long);
    await page.see('borne out in', long);
    const pair = (await served.call('disagreement_counts', { first: 'amara', human: 'ben' })).pairs[0];
    check(pair.settled === 5, 'two people who differ are settled by keys');
    // The next case is on its way; its key works once it is there.
    await page.until('the dialog', async () => {
      await page.press('g');
      return /what is wrong with the gold list/i.test(await page.text());
    }, long);
    await page.press(keys.space);
    await page.fill('dialog textarea', 'The question asks for something else.');
    await shot(page, 'disagreements-gold');
    await page.press([keys.control, keys.enter]);
    await page.see('Gold list marked wrong', long);
    await shot(page, 'disagreements-marked');
  } finally {
    await done();
  }
}
{
  const { page, done } = await sit(demo, 'noor', 'author');
  try {
    await page.click('sent back', { ms: long });
    await page.see('An auditor marked the gold list wrong', long);
    check(!(await page.text()).includes('something else'), 'the author gets the modalities, not the words');
    await shot(page, 'authoring-gold');
  } finally {
    await done();
  }
}

console.log('an audit');
{
  const served = await host({ data, args: ['--study', demo, '--as', 'sam', '--role', 'judge'] });
  for (let n = 0; n < 20; n += 1) {
    const { item } = await served.call('judge_item');
    await served.call('submit_judgement', {
      task: item.task, verdicts: item.response.expected.map((modality) => ({ modality, verdict: 'correct', comment: 'As asked.' })),
    });
  }
  await served.stop();
}
{
  const { page, done } = await sit(demo, 'lead', 'lead');
  try {
    await page.press([keys.control, '8']);
    await page.see('Draw a sample', long);
    await page.press('d');
    await page.see('Pieces it takes', long);
    await shot(page, 'audits-drawing');
    await page.press(keys.enter); // also from the list that has the focus first
    await page.see('Piece 1 of 2', long);
    await shot(page, 'audits-piece');
    await page.press('a', keys.enter);
    await page.see('Piece 2 of 2', long);
    await page.press('r');
    await page.keyboard('The chart has no axis.');
    await page.press([keys.control, keys.enter]);
    await page.see('Piece 3 of 20', long);
    await page.press('b');
    await page.see('enlarged', long);
    await shot(page, 'audits');
  } finally {
    await done();
  }
}
{
  const { page, done } = await sit(demo, 'sam', 'judge');
  try {
    await page.until('the piece that came back', async () => {
      const text = await page.text();
      if (text.includes('The chart has no axis.')) return true;
      await page.press('n');
      return false;
    }, long);
    await shot(page, 'audits-returned');
  } finally {
    await done();
  }
}
