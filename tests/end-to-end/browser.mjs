// The main job in Chromium on the loopback host, from a harness run to a settled disagreement, and once more after a
// restart. Nothing is mocked: the same actions as in the window, on a study of its own.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, root, temporaryFolder } from './driver.mjs';
import * as story from './story.mjs';

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const pictures = path.join(root, 'target/end-to-end');
mkdirSync(pictures, { recursive: true });

let served = await host({ data });
let page = await Page.browser({ address: served.address });
try {
  console.log('the main job, in a browser');
  const study = await story.importRun(page, folder);
  story.handOut(study, folder, data);
  check(true, 'the command line handed out work while the page has the study open');
  await story.become(page, 'noor', 'Author');
  await story.author(page);
  await story.become(page, 'sam', 'Judge');
  await story.judge(page);
  await story.judgeText(page);
  await story.undoJudgement(page);
  await story.become(page, 'lead', 'Auditor');
  await story.agreement(page);
  await story.settle(page);

  await page.close();
  await served.stop();
  served = await host({ data });
  page = await Page.browser({ address: served.address });
  await story.reopen(page, 'Pilot');
  await story.stillThere(page);
  const report = JSON.parse(command(['check', study, '--json'], data));
  check(report.problems.length === 0 && report.statements >= 6, 'every statement is in its chain, signed and whole');
} catch (error) {
  await page.picture(path.join(pictures, 'browser-failed.png')).catch(() => {});
  throw error;
} finally {
  await page.close();
  await served.stop();
}
