// A rubric of three modalities as a new author writes it: written, mended by fixes, put in order, compared and handed in, then
// reviewed, all without the mouse. `node rubrics.mjs [dark] [window]`. What counts is the screen.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';

const dark = process.argv.includes('dark');
const inWindow = process.argv.includes('window');
const folder = temporaryFolder();
const data = path.join(folder, 'data');
const shots = path.join(root, 'target/end-to-end');
mkdirSync(shots, { recursive: true });

const prompt = (id, text, output, criteria) => JSON.stringify({
  prompt_id: id, prompt_text: text, input_modalities: 'Text', output_modalities: output, rubrics: JSON.stringify({ criteria }),
});
const dataset = path.join(folder, 'dataset.jsonl');
writeFileSync(dataset, [
  prompt('p100001', 'Explain how the tides of the Thames work, draw a diagram of it, and make a short clip of a rising tide.', 'Text, Image, Video', []),
  prompt('p100002', 'What moves the tides?', 'Text', [
    { id: '1', criterion: 'States that the Moon pulls the water towards it.', modality: 'text' },
    { id: '2', criterion: 'States that high water comes about every 12 hours and 25 minutes.', modality: 'text' },
  ]),
].join('\n'));
const study = path.join(folder, 'Rubrics.assize');
command(['new', study], data);
command(['import', study, dataset], data);
const plan = path.join(folder, 'plan.json');
const assign = (what) => {
  writeFileSync(plan, JSON.stringify(what));
  command(['assign', study, '--plan', plan], data);
};
assign({
  people: ['noor', 'ben', 'cem'].map((name) => ({ name, role: 'author' })), tasks: [{ kind: 'author', who: ['noor'], seed: 1 }],
});

/** The loopback host and a page for one person, or the window. */
async function sit(person, role = 'author') {
  if (inWindow) {
    const page = await Page.window({ data, args: [study, '--as', person, '--role', role] });
    return { page, done: () => page.close() };
  }
  const served = await host({ data, args: ['--study', study, '--as', person, '--role', role] });
  const page = await Page.browser({ address: served.address, dark });
  return { page, done: async () => { await page.close(); await served.stop(); } };
}
const shot = (page, name) => page.picture(path.join(shots, `rubrics-${inWindow ? 'window' : dark ? 'dark' : 'light'}-${name}.png`));
const typing = (page) => page.until('the cursor in a criterion', () => page.run(`return document.activeElement.matches('textarea[data-criterion]')`));
const lines = (page) => page.run(`return [...document.querySelectorAll('textarea[data-criterion]')].map((e) => e.dataset.criterion + ' ' + e.value)`);
const until = (page, what, is) => page.until(what, async () => is(await lines(page)));
/** Types criteria one below the other into the tab that is shown. */
async function write(page, texts) {
  for (const [n, text] of texts.entries()) {
    if (n > 0) {
      await page.press(keys.enter);
      await page.until('an empty line', () => page.run(`return document.activeElement.matches('textarea[data-criterion]') && document.activeElement.value === ''`));
    }
    await page.keyboard(text);
    await page.until('what was typed', () => page.run(`return document.activeElement.value.endsWith(arguments[0])`, text));
  }
}

let at = await sit('noor');
let { page } = at;
try {
  console.log(`a rubric without the mouse, ${inWindow ? 'window' : dark ? 'dark' : 'light'}`);
  await page.see('Submit for review');
  await page.until('the prompt of three modalities', async () => {
    if ((await page.run(`return document.querySelector('[data-main]').innerText`)).includes('Explain how the tides')) return true;
    await page.press([keys.alt, keys.pageDown]);
    return false;
  });

  // Text: one criterion is a question, one has two facts.
  await page.press([keys.alt, '1'], 'e');
  await typing(page);
  await write(page, ['Names the Moon as the main cause of the tides.', 'Does the answer state that high water comes twice a day?']);
  await page.see(/not a question/i);
  await shot(page, 'lints');
  await page.press([keys.alt, 'y']);
  await page.until('the reason of the lint', () => page.run(`return document.querySelector('.lints details[open]') !== null`));
  check(true, 'a lint says why');
  await page.press([keys.alt, 'y'], [keys.alt, 's']);
  await until(page, 'the fix', (all) => all.every((line) => !line.includes('?')));
  check(true, 'a question is mended by one key');
  await page.press([keys.alt, 'z']);
  await until(page, 'the fix taken back', (all) => all.some((line) => line.includes('?')));
  await page.press([keys.alt, keys.shift, 'Z']);
  await until(page, 'the fix again', (all) => all.every((line) => !line.includes('?')));
  check(true, 'the fix is undone by one key, and done again');
  await write(page, ['', 'Names the Moon as the main cause of the tides of the Thames.']);
  await page.see(/same content as #1/i);
  check(true, 'a duplicate is seen while it is typed');
  await page.press([keys.alt, keys.backspace]);
  await until(page, 'the duplicate gone', (all) => all.length === 2);
  await write(page, ['', 'Mentions several bridges over the Thames.']);
  await page.until('a lint to keep', async () => /how many/i.test(await page.text()));
  await page.press([keys.alt, 'k']);
  await page.see('Keep it as it is?');
  await page.keyboard('any three will do');
  await page.until('the reason', () => page.run(`return document.activeElement.value === 'any three will do'`));
  await page.press(keys.enter);
  await page.see('kept: any three will do');
  check(true, 'a lint is kept quiet with a reason, which stays on screen');

  // Image: delivery and integrity from a template, its blank filled in.
  await page.press([keys.alt, '2'], [keys.alt, 'a']);
  await page.see('Add a criterion from a template');
  await page.see('named by the prompt');
  await shot(page, 'templates');
  await page.press(keys.enter);
  await typing(page);
  await page.keyboard('the tides of the Thames');
  await until(page, 'the blank filled in', (all) => all.some((line) => line.endsWith('Delivers a diagram of the tides of the Thames.')));
  await write(page, ['', 'Labels the Moon.', 'Labels high water and low water.', 'Shows the river bank.']);

  // Video: out of order, then put in order by one key.
  await page.press([keys.alt, '3'], keys.escape, 'e');
  await typing(page);
  await write(page, ['Shows the water rising at a bridge.', 'Plays from start to end without freezing.', 'Delivers a video of a rising tide.']);
  await page.see('Put in order');
  await shot(page, 'order');
  await page.press([keys.alt, 'o']);
  await until(page, 'the order', (all) => /Delivers a video/.test(all[0]) && /Plays/.test(all[1]) && /Shows/.test(all[2]));
  check((await lines(page))[0].startsWith('8 '), 'delivery, integrity, content: in order by one key, numbered across the modalities');
  await page.press([keys.alt, keys.up]);
  await page.press([keys.alt, keys.down]);

  // A precedent of another prompt, taken over.
  await page.press([keys.alt, '1'], [keys.alt, 'p']);
  await page.see('Search accepted criteria of this study');
  await page.keyboard('high water');
  await page.until('a precedent', () => page.run(`return document.querySelector('dialog [role=option]')?.innerText.includes('p100002')`));
  await shot(page, 'precedents');
  await page.press(keys.enter);
  await typing(page);
  await until(page, 'the precedent', (all) => all.some((line) => line.includes('12 hours and 25 minutes')));
  check(true, 'a precedent was found and taken over');

  // A revision, a change, and both side by side.
  await page.press([keys.control, 's']);
  await page.see('Revision saved');
  await page.press([keys.alt, '2'], keys.escape, 'e');
  await typing(page);
  await page.press(keys.down, keys.down);
  await page.press([keys.alt, 'a']);
  await page.see('named by the prompt');
  await page.press(keys.down, keys.enter);
  await typing(page);
  await until(page, 'the integrity criterion', (all) => all.some((line) => line.includes('Renders completely.')));
  await page.press([keys.alt, 'd']);
  await page.see('Two revisions side by side');
  await page.see(/1 new/);
  await page.press('c');
  await page.until('the changes alone', () => page.run(`return document.querySelectorAll('[data-compared]').length === 1`));
  await shot(page, 'compare');
  check(true, 'the comparison shows the new criterion alone');
  await page.press(keys.escape, [keys.alt, 'o']);

  // What leaves says what it loses.
  await page.press([keys.alt, 'e']);
  await page.see('Export the rubric');
  await page.see('Nothing is lost');
  await page.press(keys.escape);
  await page.press([keys.alt, 'i']);
  await page.see('Import a rubric');
  await page.press(keys.tab);
  await page.keyboard(['criterion,modality,points', 'Names the Sun.,text,1', 'Blames the wind.,text,-2', ''].join(keys.enter));
  await page.see('This will be lost');
  await page.see(/negative criteria/i);
  await shot(page, 'import');
  check(true, 'before an import, what would be lost is listed');
  await page.press(keys.escape);

  // A rehearsal: the first criterion tells a good answer from one that is made to fail it.
  await page.press([keys.alt, 'r']);
  await page.see('Rehearsal on control answers');
  await page.see(/\d+ untried/);
  await page.press('m', keys.right, 's');
  await page.see(/1 tells good from bad/);
  await shot(page, 'rehearsal');
  check(true, 'criteria are rehearsed on control answers');
  await page.press(keys.escape);

  // Sign-off, and the gold list.
  await page.press([keys.alt, 'q']);
  await page.until('the first question', () => page.run(`return document.activeElement.matches('[data-sign] input')`));
  for (const key of [keys.space, keys.down, keys.space, keys.down, keys.space]) await page.press(key);
  await page.see(/sign-off · 3 of 12/i);
  check(true, 'three questions are signed off by key');
  await shot(page, 'sign-off');
  await page.press([keys.control, keys.enter]);
  await page.until('an error that stands in the way, or the rubric handed in', async () => /handed in/i.test(await page.text()));
  check(true, 'the rubric is handed in');
  await page.press('?');
  await page.see('Compare revisions');
  await shot(page, 'keys');
  check(true, 'every key is in the overlay');
  await at.done();

  // Two others review it; neither of them by mouse.
  assign({ tasks: [{ kind: 'review', who: ['ben', 'cem'], overlap: 2, seed: 1 }] });
  at = await sit('ben');
  page = at.page;
  await page.see('Submit for review').catch(() => {});
  await page.press([keys.control, '2']);
  await page.see('State the review');
  await page.press('j', 'c');
  await page.until('the comment field', () => page.run(`return document.activeElement.tagName === 'TEXTAREA'`));
  await page.keyboard('Which bank?');
  await page.press(keys.escape, 'r');
  await shot(page, 'review');
  await page.press([keys.control, keys.enter]);
  await page.see('A revision is asked for');
  check(true, 'a reviewer asks for a revision, with a comment on a criterion');
  await page.press('u');
  await page.see('it is your draft now');
  await page.until('the comment is there again', () => page.run(`return [...document.querySelectorAll('textarea')].some((e) => e.value === 'Which bank?')`));
  check(true, 'and takes it back, to change it');
  await page.press([keys.control, keys.enter]);
  await page.see('A revision is asked for');
  await at.done();

  // What the lead imports says what it loses before anything is taken, also where nobody asked only to look.
  const foreign = path.join(folder, 'foreign.jsonl');
  writeFileSync(foreign, JSON.stringify({ prompt_id: 'h1', prompt: 'Is it ripe?', rubrics: [
    { criterion: 'Says that it is ripe.', points: 5 }, { criterion: 'Says that it is a stone.', points: -3 } ] }) + '\n');
  const prompts = () => command(['export', study, '--as', 'mmi'], data);
  at = await sit('lead', 'lead');
  page = at.page;
  await page.click('Import…');
  await page.see('Files and folders, one a line');
  await page.type('dialog textarea', foreign);
  await page.click('Start the import');
  await page.see('Nothing was taken yet', 60_000);
  await page.see(/lost: negative criteria/i);
  await shot(page, 'lead-import');
  check(!prompts().includes('Is it ripe?'), 'the lead sees what an import would lose before anything is taken');
  await page.click('Import it all the same');
  await page.see('Import finished', 60_000);
  check(prompts().includes('Says that it is ripe.'), 'and takes it all the same');
} catch (error) {
  await page.picture(path.join(shots, 'rubrics-failed.png')).catch(() => {});
  throw error;
} finally {
  await at.done();
}
