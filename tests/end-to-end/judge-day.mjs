// A judge's working day without the mouse, in Chromium on the loopback host or (`node judge-day.mjs window`) in the real
// window: twenty mixed items with comments pinned to places; going back, changing one, taking it back, a restart in the middle.
// At the end the journal says exactly what was said.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const study = path.join(folder, 'day.assize');
const pictures = path.join(root, 'target/end-to-end/judge-day');
mkdirSync(pictures, { recursive: true });
const inWindow = process.argv.includes('window');
const ITEMS = 20;

const alt = (key) => [keys.alt, key];
const shift = (key) => [keys.shift, key];

let served;
let page;
const sit = async () => {
  const args = ['--as', 'sam', '--role', 'judge'];
  served = inWindow ? null : await host({ data, args: ['--study', study, ...args] });
  const size = process.env.STORY_SIZE ?? '1400,900';
  page = inWindow
    ? await Page.window({ data, args: [study, ...args] })
    : await Page.browser({ address: served.address, size, dark: !!process.env.STORY_DARK });
};
const rise = async () => {
  await page.close();
  await served?.stop();
};
const shot = (name) => page.picture(path.join(pictures, `${name}${inWindow ? '-window' : ''}${process.env.STORY_DARK ? '-dark' : ''}.png`));

/** The cards as they are on screen. */
const cards = () => page.run(
  `return [...document.querySelectorAll('aside [role=group][aria-label]')].filter((e) => /^[1-9] [A-Z]/.test(e.getAttribute('aria-label'))).map((e) => ({
     modality: e.getAttribute('aria-label').slice(2), here: e.getAttribute('aria-current') === 'true',
     asked: [...e.querySelectorAll('button')].some((b) => /Incorrect/.test(b.innerText)),
     verdict: (e.querySelector('.pick [aria-pressed=true]') || { innerText: '' }).innerText.includes('Incorrect') ? 'incorrect'
       : e.querySelector('.pick [aria-pressed=true]') ? 'correct' : null,
     comment: (e.querySelector('textarea') || { value: '' }).value,
     places: [...e.querySelectorAll('ul li')].map((li) => li.innerText.split('\\n')[0].replace(/ J$/, '').trim()) }))`);
const place = async () => {
  const found = (await page.text()).match(/item (\d+) of (\d+)/i);
  return found ? Number(found[1]) : 0;
};
const done = async () => Number((await page.text()).match(/item \d+ of \d+\s+(\d+) of \d+/i)?.[1] ?? -1);
const typing = () => page.run(`return document.activeElement.tagName === 'TEXTAREA'`);
const pointing = () => page.run(`return !!document.querySelector('.pointing')`);
const card = async (n) => (await cards())[n];

/** Waits until another item than `before` is there, with its cards. */
const another = (before) => page.until('another item', async () => (await place()) !== before && (await cards()).length > 0);

/** Pins the comment of the selected card by one key; where the place is chosen first, the arrows and Enter choose it. */
async function pin(n) {
  const before = (await card(n)).places.length;
  for (let tries = 0; ; tries++) {
    await page.press('a');
    // A view that is still on its way has nothing to point at yet.
    const there = await page.until('a place or the choosing of one', async () => (await pointing()) || (await card(n)).places.length > before, 3_000).catch(() => false);
    if (there) break;
    if (tries > 5) throw new Error(`nothing could be pinned on ${(await card(n)).modality}`);
  }
  if (await pointing()) {
    await page.press(keys.down, shift(keys.right), keys.enter);
    await page.until('the place', async () => (await card(n)).places.length > before);
  }
  await page.until('the cursor in the comment', typing);
}

/** Judges the item on screen; answers what was said. */
async function judge(turn) {
  const said = [];
  const before = await place();
  const all = await page.until('the cards', async () => {
    const now = await cards();
    return now.length > 0 && now;
  });
  for (const [n, each] of all.entries()) {
    if (!each.asked) continue;
    const verdict = (turn + n) % 3 === 0 ? 'incorrect' : 'correct';
    const comment = verdict === 'incorrect' ? `Turn ${turn}, ${each.modality}: not what was asked.` : '';
    await page.press(String(n + 1));
    await page.until('the card', async () => (await card(n)).here);
    await page.press(verdict === 'incorrect' ? 'i' : 'c');
    if (verdict === 'incorrect') {
      await page.until('the comment', typing);
      await page.keyboard(comment);
      await page.press(keys.escape);
      await page.until('the card again', async () => !(await typing()));
      await page.press(String(n + 1));
      await pin(n);
      await page.press(keys.escape);
    }
    await page.until(`a verdict on ${each.modality}`, async () => (await card(n)).verdict === verdict);
    said.push({ modality: each.modality, verdict, comment, places: verdict === 'incorrect' ? 1 : 0 });
  }
  await page.press(keys.enter);
  await another(before);
  return { place: before, said };
}

console.log(`a judge's day, by keyboard alone, ${inWindow ? 'in the window' : 'in a browser'}`);
command(['new', study], data);
command(['import', study, path.join(root, 'assets/demo')], data);
const plan = path.join(folder, 'plan.json');
writeFileSync(plan, JSON.stringify({ people: [{ name: 'sam', role: 'judge' }], tasks: [{ kind: 'judge', who: ['sam'], seed: 3 }] }));
command(['assign', study, '--plan', plan], data);
command(['guidelines', study, '--comments', 'incorrect'], data);
const journal = new Map();
const record = ({ place: at, said }) => journal.set(at, said);
await sit();
try {
  await page.see(/item \d+ of \d+/i);
  for (let turn = 0; turn < 8; turn++) record(await judge(turn));
  check((await done()) === 8, 'eight items are judged');

  console.log('  a sound or film that is played is told of, and two correct modalities are three keys');
  let told = false;
  let quick = false;
  for (let looked = 0; looked < 40 && !(told && quick); looked++) {
    const before = await place();
    const asked = (await cards()).filter((one) => one.asked);
    const plays = await page.run(`return document.querySelectorAll('section[data-main] :is(audio, video)').length`);
    if (!told && plays > 0 && asked.some((one) => ['Audio', 'Video'].includes(one.modality))) {
      const n = (await cards()).findIndex((one) => ['Audio', 'Video'].includes(one.modality) && one.asked);
      await page.press(String(n + 1));
      await page.press(keys.space);
      told = await page.until('what was played', async () => /played 0:0[1-9]/.test(await page.text()), 8_000).catch(() => false);
      if (told) {
        await shot('played');
        record(await judge(50));
        continue;
      }
    } else if (!quick && asked.length === 2) {
      await page.press('c', 'c', keys.enter);
      await another(before);
      record({ place: before, said: asked.map(({ modality }) => ({ modality, verdict: 'correct', comment: '', places: 0 })) });
      quick = true;
      continue;
    }
    await page.press('n');
    await another(before);
  }
  check(quick, 'two modalities, both correct: three keys');
  check(told, 'what was played is said on its card');

  console.log('  going back, changing one, taking the change back');
  const [first] = journal.keys();
  let at = await place();
  while (at !== first) {
    await page.press(at > first ? 'p' : 'n');
    await another(at);
    at = await place();
  }
  const was = (await cards()).filter((one) => one.asked);
  check(was.every((one, n) => one.verdict === journal.get(first)[n].verdict && one.places.length === journal.get(first)[n].places), 'an item that was judged shows its verdicts and places');
  await page.press('j');
  await page.until('the place that is gone to', () => page.run(`return !!document.querySelector('aside li [aria-current=true]')`));
  await shot('place');
  const other = was[0].verdict === 'correct' ? 'i' : 'c';
  const total = await done();
  await page.press('1', other);
  if (other === 'i') {
    await page.until('the comment', typing);
    await page.keyboard('Changed my mind.');
  }
  await page.press([keys.control, keys.enter]);
  await another(first);
  check((await done()) === total, 'a changed verdict counts once');
  await page.press('u');
  await page.until('the item again', async () => (await place()) === first);
  await page.until('the verdict as it was before the change', async () => (await card(0)).verdict === was[0].verdict);
  check(true, 'the change is taken back, the verdict before it stands again');

  console.log('  a restart in the middle of an item');
  await page.press('o');
  await another(first);
  const middle = await place();
  await page.press('1', 'i');
  await page.until('the comment', typing);
  await page.keyboard('Half a thought');
  await page.press(alt('s'));
  await page.press(keys.escape, '1');
  await pin(0);
  await page.until('the draft is kept', async () => /✓\s*saved/i.test(await page.text()));
  const half = await card(0);
  await shot('draft');
  await rise();
  await sit();
  await page.see(/item \d+ of \d+/i);
  at = await place();
  while (at !== middle) {
    await page.press(at > middle ? 'p' : 'n');
    await another(at);
    at = await place();
  }
  let back;
  await page.until(`the draft ${JSON.stringify(half)}`, async () => {
    back = await card(0);
    return back.verdict === 'incorrect' && back.comment === half.comment && back.places.join() === half.places.join();
  }).catch((error) => {
    throw new Error(`after the restart the card has ${JSON.stringify(back)}: ${error.message}`);
  });
  check(half.places.length > 0, 'after the restart the draft is there, with its place');
  await page.press('u');
  await page.until('the last judgement', async () => (await place()) !== middle);
  const again = await place();
  check(journal.has(again), 'undo after the restart takes back the last judgement');
  await page.until('what was said', async () => (await cards()).filter((one) => one.asked).every((one) => one.verdict));
  await page.press(keys.enter);
  await another(again);

  console.log('  the rest of the day');
  at = await place();
  while (at !== middle) {
    await page.press(at > middle ? 'p' : 'n');
    await another(at);
    at = await place();
  }
  const asked = (await cards()).filter((one) => one.asked);
  await page.press('1', '/');
  await page.until('the comment', typing);
  await page.press(keys.backspace, keys.backspace, alt('1'));
  await page.until('the comment that was kept', async () => (await card(0)).comment === 'Half a thoug Half a thought');
  check(true, 'a comment that was kept is put in by one key');
  await page.press(keys.escape);
  for (const [n] of asked.entries()) if (n > 0) await page.press(String(n + 1), 'c');
  await page.press(keys.enter);
  await another(middle);
  record({ place: middle, said: asked.map(({ modality }, n) => ({ modality, verdict: n === 0 ? 'incorrect' : 'correct', comment: n === 0 ? 'Half a thoug Half a thought' : '', places: n === 0 ? 1 : 0 })) });
  for (let turn = 100; journal.size < ITEMS; turn++) {
    const here = await place();
    if (journal.has(here)) {
      await page.press('o');
      await another(here);
    }
    record(await judge(turn));
  }
  check((await done()) === ITEMS, `${ITEMS} items are judged`);
} catch (error) {
  await shot('failed').catch(() => {});
  throw error;
} finally {
  await rise();
}

console.log('  what the journal says');
const lead = await host({ data, args: ['--study', study, '--as', 'sam', '--role', 'judge'] });
try {
  const { rows } = await lead.call('judge_queue', { filter: 'done', limit: 100 });
  check(rows.length === ITEMS, 'nothing lost, nothing double');
  let places = 0;
  let played = 0;
  for (const row of rows) {
    const { item } = await lead.call('judge_item', { task: row.task });
    const said = journal.get(row.place);
    const { verdicts, exposures = [], guidelines_version } = item.judgement;
    for (const [n, given] of verdicts.entries()) {
      const meant = said?.[n];
      if (!meant || meant.modality !== given.modality || meant.verdict !== given.verdict || meant.comment !== given.comment || meant.places !== (given.anchors ?? []).length)
        throw new Error(`item ${row.place}: meant ${JSON.stringify(meant)}, the journal has ${JSON.stringify(given)}`);
      places += meant.places;
    }
    if (guidelines_version !== 1) throw new Error(`item ${row.place} was given under guidelines ${guidelines_version}`);
    played += exposures.filter((one) => one.played_ms > 0 && one.played.length > 0).length;
  }
  check(places >= 8, `${places} comments point to places, every one as it was meant`);
  check(played >= 1, 'what was played is in the judgement, with its stretches');
} finally {
  await lead.stop();
}
