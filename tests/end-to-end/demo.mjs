// What scripts/run does where there is no display: the main job in the real window on the demo study, with a picture of
// each screen. `node demo.mjs FOLDER`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Page, keys } from './driver.mjs';
import * as story from './story.mjs';

const out = path.resolve(process.argv[2] ?? 'target/demo');
mkdirSync(out, { recursive: true });
const page = await Page.window({ data: path.join(out, 'data'), args: ['--demo'] });
const shot = async (name) => {
  await page.picture(path.join(out, `${name}.png`));
  console.log(`  ${name}.png`);
};
try {
  // Making the demo study takes as long as the machine needs.
  await page.see('Overview', 900_000);
  await page.see('Sam', 60_000);
  await shot('overview');
  await story.become(page, 'noor', 'Author');
  await story.author(page, shot);
  await story.become(page, 'sam', 'Judge');
  await story.judge(page, shot);
  await page.press('u');
  await page.see('learning to crochet');
  await page.press([keys.control, keys.enter]);
  await story.become(page, 'lena', 'Auditor');
  await story.agreement(page, shot);
  await page.click('Results');
  await page.see('MMI Value');
  await shot('results');
  await page.click('History');
  await page.see('sam');
  await shot('history');
  await page.click('Disagreements');
  await page.see(/settle and next/i);
  await shot('disagreements');
  await page.press('c', '1', [keys.control, keys.enter]);
} catch (error) {
  await page.picture(path.join(out, 'failed.png')).catch(() => {});
  throw error;
} finally {
  await page.close();
}
