// How long a judge waits in the real window, for a queue of 1,000 and of 100,000 tasks: from the click on one's name until the
// first item is drawn, and from the key that submits until the next item is drawn, both by the page's own clock. Every
// verdict is on disk before the next item shows. Wants a display.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, command, keys, temporaryFolder } from '../tests/end-to-end/driver.mjs';
import { generate } from './generate.mjs';

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const print = (what, times) => {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(`  ${what.padEnd(48)} p50 ${at(sorted, 0.5).toFixed(1)} ms   p95 ${at(sorted, 0.95).toFixed(1)} ms   max ${sorted.at(-1).toFixed(1)} ms   (${sorted.length})`);
};
const items = Number(process.env.BENCH_ITEMS ?? 300);
const sizes = (process.env.BENCH_TASKS ?? '1000,100000').split(',').map(Number);
const openings = Number(process.env.BENCH_OPENINGS ?? 12);

/** Watches which item is drawn; a time is kept from the event that began it until the frame after the item changed. */
const watch = `
  window.bench = { times: [], placed: [], began: 0 };
  // The place in the queue, told in the same frame as the item is drawn.
  const place = () =>
    document.querySelector('[data-main]') ? ((document.querySelector('header')?.textContent.match(/item (\\d+) of/) ?? [])[1] ?? '') : '';
  let shown = place();
  const frame = () => {
    const now = place();
    if (now !== '' && now !== shown && window.bench.began) {
      const began = window.bench.began;
      window.bench.began = 0;
      window.bench.placed.push(performance.now() - began);
      requestAnimationFrame(() => window.bench.times.push(performance.now() - began));
    }
    shown = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  addEventListener('keydown', (event) => { if (event.key === 'Enter') window.bench.began = performance.now(); }, true);
  addEventListener('click', () => { window.bench.began = performance.now(); }, true);
  return true;`;
const times = (page) => page.run('return window.bench.times');

for (const tasks of sizes) {
  const folder = temporaryFolder();
  const data = path.join(folder, 'data');
  const study = path.join(folder, 'bench.assize');
  generate(path.join(folder, 'run'), { responses: tasks, pictures: false });
  command(['new', study], data);
  command(['import', study, path.join(folder, 'run')], data);
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ people: [{ name: 'ann', role: 'judge' }], tasks: [{ kind: 'judge', who: ['ann'], seed: 1 }] }));
  command(['assign', study, '--plan', plan], data);
  // What is measured is the way on, not typing: a comment is wanted with "incorrect" alone.
  command(['guidelines', study, '--comments', 'incorrect'], data);
  console.log(`${tasks.toLocaleString('en')} tasks, in the window`);
  const page = await Page.window({ data, args: [study] });
  try {
    await page.see('Who are you?');
    await page.run(watch);
    const opening = [];
    for (let n = 0; n < openings; n += 1) {
      const before = (await times(page)).length;
      await page.click('ann', { within: 'main' });
      await page.until('the first item', async () => (await times(page)).length > before, 120_000);
      opening.push((await times(page)).at(-1));
      if (n === openings - 1) break;
      await page.click('Switch person', { within: 'header' });
      await page.click('Switch person', { within: '[role=menu]' });
      await page.see('Who are you?');
    }
    console.log(`  ${'opening the queue, the first time'.padEnd(48)} ${opening.shift().toFixed(0)} ms`);
    print('opening the queue, until the item is drawn', opening);
    await page.run('window.bench.times = []; window.bench.placed = []; window.bench.began = 0; return true');
    await page.run('document.activeElement.blur(); return true');
    for (let n = 0; n < items; n += 1) {
      // One key for each card; the next one is selected with the frame.
      const correct = (which) => page.run(
        `return [...document.querySelectorAll('[aria-pressed${which}]')].filter((e) => /\\bCorrect\\b/.test(e.innerText)).length`);
      const cards = await correct('');
      for (let card = 1; card <= cards; card += 1) {
        await page.press('c');
        await page.until('the verdict', async () => (await correct('=true')) === card);
      }
      await page.press(keys.enter);
      await page.until('the next item', async () => (await times(page)).length > n);
    }
    print('from the key that submits: the next item stands', await page.run('return window.bench.placed'));
    print('from the key that submits: it is drawn', await times(page));
  } finally {
    await page.close();
  }
}
