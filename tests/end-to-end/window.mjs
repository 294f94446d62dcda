// The main job in the real window, and what a kill of it may cost: nothing that was acknowledged.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, keys, root, temporaryFolder } from './driver.mjs';
import * as story from './story.mjs';

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const pictures = path.join(root, 'target/end-to-end');
mkdirSync(pictures, { recursive: true });

/** Ends the app as a power cut would. */
const kill = (page) => execFileSync('pkill', ['-KILL', '-f', page.binary]);
/** The same window again. */
async function again(page) {
  await page.close();
  return Page.window({ data });
}

let page = await Page.window({ data });
try {
  console.log('the main job, in the window');
  const study = await story.importRun(page, folder);
  story.handOut(study, folder, data);
  await story.become(page, 'noor', 'Author');
  await story.author(page);
  await story.become(page, 'sam', 'Judge');
  await story.judge(page);
  await story.judgeText(page);
  await story.undoJudgement(page);
  await story.become(page, 'lead', 'Auditor');
  await story.agreement(page);
  await story.settle(page);
  page = await again(page);
  await story.reopen(page, 'Pilot');
  await story.stillThere(page);

  console.log('kills of the window');
  await story.become(page, 'sam', 'Judge');
  const texts = ['The boats were', 'The boats were redrawn, so', 'The boats were redrawn, so it is not an edit.'];
  for (const [n, text] of texts.entries()) {
    await page.until('the last open item', async () => /item 1 of 3|item 2 of 3|item 3 of 3/i.test(await page.text()));
    await story.goToPrompt(page, 'remove the people');
    await page.press(n === 0 ? 'i' : '/'); // an incorrect verdict opens its comment, `/` goes back to it
    await page.until('the comment', () => page.run(`return document.activeElement.tagName === 'TEXTAREA'`));
    const typed = await page.run('return document.activeElement.value');
    await page.keyboard(text.slice(typed.length));
    await page.until('the draft is kept', async () => /✓\s*saved/i.test(await page.text()));
    if (n === 2) {
      await page.press([keys.control, keys.enter]);
      await page.until('it is given', async () => /3 of 3/.test(await page.text()));
    }
    kill(page);
    page = await again(page);
    await story.reopen(page, 'Pilot');
    await story.become(page, 'sam', 'Judge');
    if (n < 2) {
      await story.goToPrompt(page, 'remove the people');
      const kept = await page.until('the draft', () => page.run(`return [...document.querySelectorAll('textarea')].map((e) => e.value).find(Boolean)`));
      check(kept === text, `after kill ${n + 1} the draft is as it was saved`);
    } else {
      await page.see(/3 of 3/);
      check(true, 'after kill 3 the verdict that was acknowledged is there');
    }
  }
  const report = JSON.parse(command(['check', study, '--json'], data));
  check(report.problems.every((problem) => problem.severity !== 'damage'), 'every chain verifies after the kills');
} catch (error) {
  await page.picture(path.join(pictures, 'window-failed.png')).catch(() => {});
  throw error;
} finally {
  await page.close();
}
