// A study whose every asset, text and input tries to call home or to run a script, opened in every view of each role. A
// listener on loopback stands for the rest of the world: nobody may come, and no script may have run. With `window` as
// its argument the same in the real window, else in Chromium on the loopback host.
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Page, check, command, host, keys, root, temporaryFolder } from './driver.mjs';
import { hostileRun } from './hostile.mjs';
import * as story from './story.mjs';

const inWindow = process.argv[2] === 'window';
const folder = temporaryFolder();
const data = path.join(folder, 'data');
const pictures = path.join(root, 'target/end-to-end');
mkdirSync(pictures, { recursive: true });

// Everyone who connects is written down, also who says nothing.
const came = [];
const listener = net.createServer((socket) => {
  const visit = { asked: '' };
  came.push(visit);
  socket.on('data', (bytes) => {
    visit.asked += bytes.toString('latin1').split('\r\n')[0];
    socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\r\nhi');
  });
  socket.on('error', () => {});
});
await new Promise((done) => listener.listen(0, '127.0.0.1', done));
const { port } = listener.address();
const home = (name) => `http://127.0.0.1:${port}/${name}`;

const { run, names } = hostileRun(folder, home);
const study = path.join(folder, 'Hostile.assize');
command(['new', study], data);
const summary = JSON.parse(command(['import', study, run, '--json'], data));
check(summary.files.every((file) => file.rejected.length === 0), `${names.length} hostile files were imported`);
const plan = path.join(folder, 'plan.json');
writeFileSync(plan, JSON.stringify({
  people: [{ name: 'sam', role: 'judge' }, { name: 'noor', role: 'author' }],
  tasks: [{ kind: 'judge', who: ['sam'], seed: 1 }, { kind: 'author', who: ['noor'], seed: 1 }],
}));
command(['assign', study, '--plan', plan], data);

const served = inWindow ? null : await host({ data, args: ['--study', study] });
const page = inWindow ? await Page.window({ data, args: [study] }) : await Page.browser({ address: served.address });

/** Nothing has happened that should not; `where` says what was open. */
async function calm(where) {
  const state = await page.run(`return { title: document.title, owned: 'owned' in window, address: location.href,
    frames: [...document.querySelectorAll('iframe')].map((e) => e.getAttribute('sandbox')), live: document.querySelectorAll('object, embed, base, meta[http-equiv=refresh]').length }`);
  if (came.length > 0) throw new Error(`with ${where} open somebody called home: ${came.map((visit) => visit.asked).join(' | ')}`);
  if (state.owned || /owned/i.test(state.title)) throw new Error(`with ${where} open a script ran`);
  if (/127\.0\.0\.1:(\d+)/.exec(state.address)?.[1] === String(port)) throw new Error(`with ${where} open the page went away`);
  if (state.frames.some((sandbox) => sandbox === null || /allow-(scripts|same-origin|top|popups|forms)/.test(sandbox)))
    throw new Error(`with ${where} open there is a frame without walls`);
  if (state.live > 0) throw new Error(`with ${where} open there is an element that loads by itself`);
}
/** Brings each asset into view, and waits until none is loading any more. */
async function look(what) {
  await page.until(`everything of ${what} to be shown or named`, () => page.run(`
    const all = [...document.querySelectorAll('main img, main video, main audio, main [role=note], main canvas, main .paper, main table, main [role=grid]')];
    for (const e of all) e.scrollIntoView({ block: 'center' });
    const busy = [...document.querySelectorAll('main img')].some((e) => !e.complete) || [...document.querySelectorAll('main [aria-busy=true]')].length > 0;
    return all.length > 0 && !busy;`));
  // Players are told to play: a redirect comes only then.
  await page.run(`for (const e of document.querySelectorAll('video, audio')) { e.muted = true; e.play().catch(() => {}); }`);
  await calm(what);
}

try {
  console.log(`nothing leaves, in ${inWindow ? 'the window' : 'a browser'}`);
  await story.become(page, 'sam', 'Judge');
  const seen = new Set();
  for (let n = 0; n < names.length; n++) {
    const name = await page.until('a hostile item', async () => {
      const found = /Hostile: (\S+)/.exec(await page.text())?.[1];
      return !seen.has(found) && found;
    });
    seen.add(name);
    await look(name);
    // The text with its hidden characters, the picture enlarged, the sheets' tabs, and the way back.
    for (const control of await page.run(`return [...document.querySelectorAll('main [role=tab], main .image button')].map((e, n) => { e.dataset.look = n; return n; })`)) {
      await page.run(`document.querySelector('[data-look="' + arguments[0] + '"]')?.click()`, control);
      await calm(`${name}, closer`);
      await page.press(keys.escape);
    }
    await page.press('n');
  }
  check(seen.size === names.length, `a judge saw all ${seen.size} of them: nobody was called, no script ran`);

  await story.become(page, 'noor', 'Author');
  for (let n = 0; n < names.length; n++) {
    await page.see(/Hostile: \S+/);
    await look('an authoring task');
    await page.press('n');
  }
  check(true, 'so did an author, with the inputs');

  await story.become(page, 'lead', 'Auditor');
  for (const screen of ['Disagreements', 'Agreement', 'Results', 'History', 'Overview']) {
    await page.click(screen, { within: 'nav' }).catch(() => {});
    await page.until(`${screen} to be there`, () => page.run(`return document.querySelectorAll('main [aria-busy=true]').length === 0`));
    await calm(screen);
  }
  check(true, 'and an auditor');

  // Time for what is slow to come: a player gives up, a worker ends.
  await new Promise((done) => setTimeout(done, 3_000));
  await calm('everything that was');
  // The listener does hear who comes: else all of the above says nothing.
  if (!inWindow) {
    await page.open(home('control'));
    await page.until('the visit that is meant', () => came.some((visit) => visit.asked.includes('/control')));
    check(true, 'the listener hears who does come');
  } else {
    await fetch(home('control'));
    check(came.length === 1, 'the listener hears who does come');
  }
} catch (error) {
  await page.picture(path.join(pictures, 'nothing-leaves-failed.png')).catch(() => {});
  throw error;
} finally {
  await page.close();
  await served?.stop();
  listener.close();
}
