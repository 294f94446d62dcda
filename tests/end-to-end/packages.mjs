// Work packages from end to end, as people do it: a lead hands out and packs on the screen, a judge opens the file, judges,
// hands back, the lead takes it in, and every chain verifies. `window`: in the real window, where the judge's file comes by
// double click: a second start that hands it to the window that is open.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';
import { smallRun } from './study.mjs';

const inWindow = process.argv.includes('window');
const folder = temporaryFolder();
const pictures = path.join(root, 'target/end-to-end');
mkdirSync(pictures, { recursive: true });
const passphrase = 'three dry towels';
const study = path.join(folder, 'Pilot.assize');
const leads = path.join(folder, 'lead');
const judges = path.join(folder, 'judge');

command(['new', study, '--name', 'Pilot'], leads);
command(['import', study, smallRun(folder)], leads);

/** The app on this person's data: the window, or a browser on the loopback host. */
async function start(data, args = []) {
  if (inWindow) return { page: await Page.window({ data, args }), stop: async () => {} };
  const served = await host({ data, args: args.length > 0 ? ['--study', ...args] : [] });
  return { page: await Page.browser({ address: served.address }), stop: () => served.stop() };
}
async function end(at) {
  await at.page.close();
  await at.stop();
}
/** Fills the field with this label, whatever was in it. */
async function fill(page, label, text) {
  const id = await page.until(`a field "${label}"`, () => page.run(
    `const wanted = arguments[0].toLowerCase();
     for (const label of document.querySelectorAll('label')) {
       if (!label.getClientRects().length || !label.innerText.toLowerCase().startsWith(wanted)) continue;
       const field = label.control; if (!field || field.type === 'checkbox' || field.type === 'radio') continue;
       field.id ||= 'field-' + Math.random().toString(36).slice(2); return field.id;
     }
     return null;`, label));
  await page.fill(`#${id.replace(/[^a-zA-Z0-9_-]/g, (c) => `\\${c}`)}`, text);
}
/** Leaves the field that is typed in, so that keys are keys again. */
const leave = (page) => page.run('document.activeElement.blur(); return true');
const shot = (page, name) => page.picture(path.join(pictures, `packages-${inWindow ? 'window' : 'browser'}-${name}.png`));

let at = await start(leads, [study, '--as', 'lead', '--role', 'lead']);
let { page } = at;
try {
  console.log(`packages, in ${inWindow ? 'the window' : 'a browser'}`);
  await page.see('Overview');
  await page.press([keys.control, '6']);
  await page.see('Nobody works here yet');
  await page.press('p');
  await fill(page, 'Short name', 'sam');
  await page.click('Judge');
  await page.click('Add', { within: 'dialog' });
  await page.see('Who has done what');
  check(true, 'the lead added a judge on People');

  await page.press('h');
  await page.see('What will be handed out');
  await page.click('sam', { within: 'main' });
  await page.see(/3 new tasks/);
  check(!/sam\s+3 of/.test(await page.text()), 'the dry run says what sam would get, and nothing is handed out yet');
  await shot(page, 'plan');
  await page.press([keys.control, keys.enter]);
  await page.see('New tasks: sam 3.');
  await page.see(/0 new tasks/);
  check(true, 'three tasks were handed out by one key, and the dry run says that nothing is left');

  await leave(page);
  await page.press('k');
  await page.see('Pack for somebody');
  await page.click('sam', { within: 'main' });
  await fill(page, 'Passphrase', passphrase);
  await fill(page, 'Folder to write to', path.join(folder, 'out'));
  await page.press([keys.control, keys.enter]);
  await page.see('Written', 60_000);
  const file = path.join(folder, 'out/sam-judge.assizepack');
  check(existsSync(file), 'the package is where the screen says');
  await shot(page, 'packed');

  await leave(page);
  await page.press('b');
  await page.see('Look at');
  await page.click('a package');
  await fill(page, 'The package', file);
  await fill(page, 'Its passphrase', passphrase);
  await page.press([keys.control, keys.enter]);
  await page.see('reaches nothing that must be hidden', 120_000);
  await page.click('Save the report');
  await page.see('The blindness report is in', 120_000);
  check(existsSync(path.join(folder, 'Pilot exports/Blindness of sam.txt')), 'the blindness report was saved to hand on');
  await shot(page, 'blindness');
  await end(at);

  // The judge's computer: nothing of the study is on it but the file.
  if (inWindow) {
    at = await start(judges);
    page = at.page;
    await page.see('Open a package');
    execFileSync(page.binary, [file], { env: { ...process.env, ASSIZE_DATA: judges, TAURI_WEBVIEW_AUTOMATION: undefined }, timeout: 30_000 });
    check(true, 'a second start handed its file over and ended');
    await page.see('The one your lead told you');
  } else {
    at = await start(judges);
    page = at.page;
    await page.see('Open a package');
    await page.press('p');
    await fill(page, 'The package', file);
  }
  await fill(page, 'Passphrase', 'a wrong one');
  await page.press(keys.enter);
  await page.see('This passphrase does not open the package', 60_000);
  await shot(page, 'wrong');
  await fill(page, 'Passphrase', passphrase);
  await page.press(keys.enter);
  await page.see(/item 1 of 3/i, 60_000);
  check(true, 'the package opened in the one window, and the judge is at the first item');
  for (let n = 0; n < 3; n += 1) {
    await page.see(new RegExp(`item ${n + 1} of 3`, 'i'));
    await page.until('its cards', () => page.run(`return document.querySelectorAll('[aria-pressed]').length > 1`));
    const [, cards] = await page.run(
      `return ['', [...document.querySelectorAll('[aria-pressed]')].filter((e) => /\\bCorrect\\b/.test(e.innerText)).length]`);
    for (let card = 1; card <= cards; card += 1) {
      await page.press(String(card), 'i');
      await page.until('the comment field', () => page.run(`return document.activeElement.tagName === 'TEXTAREA'`));
      await page.keyboard('Not as asked.');
      await page.press(keys.escape);
    }
    await page.press([keys.control, keys.enter]);
    await page.see(n < 2 ? new RegExp(`item ${n + 2} of 3`, 'i') : /3 of 3/);
  }
  check(true, 'three items were judged in the package, by keyboard');
  await page.press([keys.control, keys.shift, 'b']);
  await page.see('Hand back your work');
  const back = path.join(folder, 'back.assizepack');
  await fill(page, 'File to write', back);
  await shot(page, 'hand-back');
  await page.click('Write the file');
  await page.see('3 statements written', 60_000);
  check(existsSync(back), 'the work is in a file to send back');
  await end(at);

  at = await start(leads, [study, '--as', 'lead', '--role', 'lead']);
  page = at.page;
  await page.see('Overview');
  await page.press([keys.control, '6']);
  await page.see('Who has done what');
  await page.press('k', 't');
  await fill(page, 'Packages, one path a line', back);
  await page.press([keys.control, keys.enter]);
  await page.see('3 new statements', 60_000);
  await fill(page, 'Packages, one path a line', back);
  await page.press([keys.control, keys.enter]);
  await page.see('3 here already', 60_000);
  check(true, 'it was taken in once, however often it is given');
  await shot(page, 'taken');
  await leave(page);
  await page.press('w');
  await page.see(/3 of 3/);
  await shot(page, 'progress');
  await end(at);
  at = undefined;
  const report = JSON.parse(command(['check', study, '--json'], leads));
  check(report.problems.length === 0, 'every chain verifies');
} catch (error) {
  await shot(page, 'failed').catch(() => {});
  throw error;
} finally {
  if (at) await end(at);
}
