// The main job as a person does it, step by step on what is on screen. The browser test, the window test and
// scripts/run all do it; each check says what a person would have seen.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { check, command, keys } from './driver.mjs';
import { smallRun } from './study.mjs';

const escape = (id) => id.replace(/[^a-zA-Z0-9_-]/g, (c) => `\\${c}`);

/** The field with this label, as a selector. */
async function field(page, label) {
  const id = await page.until(`a field "${label}"`, () => page.run(
    `const wanted = arguments[0].toLowerCase();
     for (const label of document.querySelectorAll('label')) {
       if (!label.getClientRects().length || !label.innerText.toLowerCase().includes(wanted)) continue;
       const target = label.control || label.parentElement.querySelector('input, textarea, select');
       if (target) { target.id ||= 'field-' + Math.random().toString(36).slice(2); return target.id; }
     }
     return null;`, label));
  return `#${escape(id)}`;
}

/** Makes a study from a harness run on Home, and lands on its overview. */
export async function importRun(page, folder) {
  const run = smallRun(folder);
  await page.click('New from a harness run');
  await page.fill(await field(page, 'Folder of the run'), run);
  await page.fill(await field(page, 'Where the new study goes'), path.join(folder, 'Pilot'));
  await page.fill(await field(page, 'Name of the study'), 'Pilot');
  await page.click('Make the study');
  await page.see('Overview', 60_000);
  await page.see('Pilot');
  check(true, 'a study was made from a harness run');
  return path.join(folder, 'Pilot.assize');
}

/** Changes who is at work, through the menu with the person's name, or on the page that asks for it. */
export async function become(page, person, role) {
  if (!/who are you/i.test(await page.text())) {
    await page.click('Switch person', { within: 'header' });
    await page.click('Switch person', { within: '[role=menu]' });
    await page.see('Who are you?');
  }
  await page.click(person, { within: 'main' });
  const shown = await page.until('the role or the work', async () => {
    const text = await page.text();
    return /what are you doing/i.test(text) ? 'roles' : !/who are you/i.test(text) && 'work';
  });
  if (shown === 'roles') await page.click(role, { within: 'main' });
  await page.until(`the work of ${person}`, async () => !/who are you|what are you doing/i.test(await page.text()));
}

/** Goes on with N, and back with P from the end, until the prompt on screen is the wanted one. */
export async function goToPrompt(page, words) {
  let key = 'n';
  for (let n = 0; n < 200; n++) {
    await page.see(/item \d+ of \d+/i);
    const shown = await page.text();
    if (shown.includes(words)) return;
    const [, place, total] = shown.match(/item (\d+) of (\d+)/i);
    if (place === total) key = 'p';
    await page.press(key);
    await page.until('the next item', async () => !new RegExp(`item ${place} of`, 'i').test(await page.text()));
  }
  throw new Error(`no item asks: ${words}`);
}

const states = `return [...document.querySelectorAll('section[data-main] ' + arguments[0])].map((e) => ({
  duration: e.duration, time: e.currentTime, ready: e.readyState, seeking: e.seeking, width: e.videoWidth || 0, error: e.error ? e.error.code : 0,
}))`;

/** The first player of `kind` in the response really moves, by its keys, and plays on from there. */
export async function seeks(page, kind) {
  const loaded = await page.until(`a ${kind} that is loaded`, async () => {
    const [first] = await page.run(states, kind);
    return first && first.duration > 0 && first.ready >= 2 && first;
  });
  check(loaded.error === 0 && (kind !== 'video' || loaded.width > 0), `the ${kind} is loaded (${loaded.duration.toFixed(1)} s)`);
  await page.run(
    `const group = document.querySelector('section[data-main] ' + arguments[0]).closest('[role=group]');
     group.scrollIntoView({ block: 'center' });
     group.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
     document.activeElement.blur();`, kind);
  const step = Math.min(5, loaded.duration);
  await page.press(keys.right);
  const moved = await page.until(`the ${kind} five seconds on`, async () => {
    const [now] = await page.run(states, kind);
    return Math.abs(now.time - step) < 0.3 && !now.seeking && now;
  });
  check(moved.error === 0, `the ${kind} went to ${moved.time.toFixed(2)} s by key`);
  await page.press(keys.left);
  await page.until(`the ${kind} back at its start`, async () => {
    const [now] = await page.run(states, kind);
    return now.time < 0.3; // WebKitGTK may say "seeking" until it plays again
  });
  await page.press(keys.space);
  await page.until(`the ${kind} playing`, async () => (await page.run(states, kind))[0].time > 0.35);
  await page.press(keys.space);
  check(true, `the ${kind} plays and stops by key`);
}

/** Judges the answer with a clip, pictures and sound, by keyboard. */
export async function judge(page, shot = async () => {}) {
  await goToPrompt(page, 'Clip, pictures and a recording are attached');
  const pictures = await page.until('three pictures', () => page.run(
    `const all = [...document.querySelectorAll('section[data-main] img')].filter((e) => e.complete && e.naturalWidth > 0); return all.length >= 3 && all.length;`));
  check(pictures >= 3, 'all three pictures of the answer are shown');
  await seeks(page, 'video');
  await seeks(page, 'audio');
  await shot('judging');
  for (const [key, why] of [['c', 'It shows the stitch.'], ['c', 'Clear steps.'], ['i', 'The stitch names are swallowed.']]) await say(page, key, why);
  await page.press(keys.enter);
  await page.until('the next item', async () => !(await page.text()).includes('Clip, pictures and a recording'));
  check(true, 'three verdicts were given by keyboard, each with its reason');
}

/** Judges the selected card, with the comment that the study asks for: its field opens by itself, Enter goes on to the next. */
export async function say(page, key, why) {
  await page.press(key);
  await page.until('the comment field', () => page.run(`return document.activeElement.tagName === 'TEXTAREA' && document.activeElement.value === ''`));
  await page.keyboard(why);
  await page.press(keys.enter);
  await page.until('the comment is finished', () => page.run(`return document.activeElement.tagName !== 'TEXTAREA'`));
}

/** Judges the answer that is prose alone. */
export async function judgeText(page) {
  await goToPrompt(page, 'guide to composting');
  await say(page, 'c', 'It answers the question.');
  await page.press(keys.enter);
  await page.until('the next item', async () => !(await page.text()).includes('guide to composting'));
}

/** Takes the last judgement back and sees it again as it was typed. */
export async function undoJudgement(page) {
  await page.press('u');
  await page.see('guide to composting');
  check(true, 'undo brings the last judgement back to be changed');
  await page.until('the verdict as it was', () => page.run(
    `return [...document.querySelectorAll('[aria-pressed=true], [aria-checked=true]')].some((e) => /correct/i.test(e.innerText))`));
  await page.press(keys.enter);
  await page.until('it is given again', async () => !(await page.text()).includes('guide to composting'));
}

/** Sees where judge and people differ, settles one case, takes it back, and settles it again. */
export async function settle(page, shot = async () => {}) {
  await page.click('Disagreements');
  await page.see(/judge × human/i);
  await page.see(/settle and next/i);
  await page.see(/p427760/);
  await shot('disagreements');
  const count = async () => {
    const found = (await page.text()).match(/(\d+) of (\d+)/);
    return found ? Number(found[1]) : 0;
  };
  const before = await count();
  await page.press('i', '6', '/');
  await page.until('the note', () => page.run(`return document.activeElement.tagName === 'TEXTAREA'`));
  await page.keyboard('Boats and waves were redrawn.');
  await page.press([keys.control, keys.enter]);
  await page.until('one more is settled', async () => (await count()) === before + 1);
  check(true, 'one disagreement was settled by keyboard, with cause and note');
  await page.press(keys.escape, 'u');
  await page.until('it is open again', async () => (await count()) === before);
  check(true, 'the settlement was taken back');
  await page.press('i', '6', [keys.control, keys.enter]);
  await page.until('it is settled again', async () => (await count()) === before + 1);
}

/** Hands out work from the command line, while the app has the study open. */
export function handOut(study, folder, data) {
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({
    people: [{ name: 'sam', role: 'judge' }, { name: 'noor', role: 'author' }],
    tasks: [{ kind: 'judge', who: ['sam'], seed: 1 }, { kind: 'author', who: ['noor'], seed: 1 }],
  }));
  command(['assign', study, '--plan', plan], data);
}

/** Sees the figures of agreement. */
export async function agreement(page, shot = async () => {}) {
  await page.click('Agreement');
  await page.see(/percent agreement/i);
  await page.see(/scott/i);
  await page.until('a figure in percent', async () => /\d+(\.\d)? %/.test(await page.text()));
  check(true, 'agreement of the judge and the people is on screen');
  await shot('agreement');
}

/** Opens a study from the list of recent ones on Home, if it is not open yet. */
export async function reopen(page, name) {
  await page.until('Home or the study', async () => /recent studies|who are you/i.test(await page.text()));
  if (/recent studies/i.test(await page.text())) await page.click(name, { within: 'main' });
  await page.see('Who are you?');
}

/** After a restart: the verdicts, the rubric and the settlement are as they were left. */
export async function stillThere(page) {
  await become(page, 'sam', 'Judge');
  await page.see(/2 of 3/);
  check(true, 'after the restart both judgements are there');
  await become(page, 'noor', 'Author');
  await page.see(/1 of 3/);
  check(true, 'after the restart the rubric is handed in');
  await become(page, 'lead', 'Auditor');
  await page.click('Disagreements');
  await page.see(/judge × human/i);
  await page.until('the settlement', async () => /input not respected/i.test(await page.text()));
  check(true, 'after the restart the disagreement is settled');
}

/** Writes a criterion with a fault, mends it by its fix, and hands the rubric in, all by keyboard. */
export async function author(page, shot = async () => {}) {
  await page.see('Submit for review');
  const before = (await page.text()).match(/(\d+) of (\d+)/);
  await page.press('e');
  await page.until('the cursor in a criterion', () => page.run(`return document.activeElement.matches('textarea[data-criterion]')`));
  await page.press(keys.enter);
  await page.until('a new criterion', () => page.run(`return document.activeElement.value === ''`));
  await page.keyboard('Does the answer open with a greeting?');
  await page.see(/not a question/i);
  await shot('authoring');
  await page.press([keys.alt, 's']);
  await page.until('the fix', () => page.run(
    `return [...document.querySelectorAll('textarea[data-criterion]')].every((e) => !e.value.includes('?'))`));
  check(true, 'a lint named the question while it was typed, and one key mended it');
  await page.press([keys.control, keys.enter]);
  await page.until('one more is handed in', async () => {
    const now = (await page.text()).match(/(\d+) of (\d+)/);
    return now && Number(now[1]) === Number(before[1]) + 1;
  });
  check(true, 'the rubric was handed in');
}
