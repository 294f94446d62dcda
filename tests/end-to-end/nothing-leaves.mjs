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
// What stands for an asset on screen: shown, playing, or named as what cannot be shown.
const SHOWN = 'img, video, audio, canvas, iframe, .paper, table, [role=grid], [role=table], .source, [role=note]';
/** Brings each asset below `where` into view, and waits until none is loading any more. Answers how each is shown. */
async function look(what, where) {
  const kinds = await page.until(`everything of ${what} to be shown or named`, () => page.run(`
    const places = [...document.querySelectorAll(arguments[0])];
    const kinds = places.map((place) => {
      place.scrollIntoView({ block: 'center' });
      const all = [...place.querySelectorAll(arguments[1])];
      if (place.querySelector('[aria-busy=true]') || all.length === 0 || all.some((e) => e.tagName === 'IMG' && !e.complete)) return null;
      return all[0].getAttribute('role') || all[0].tagName.toLowerCase();
    });
    return places.length > 0 && kinds.every(Boolean) && kinds;`, where, SHOWN));
  // Players are told to play: a redirect comes only then.
  await page.run(`for (const e of document.querySelectorAll('video, audio')) { e.muted = true; e.play().catch(() => {}); }`);
  await calm(what);
  return kinds;
}
/** Clicks on everything that shows more of an asset: a sheet's tab, the enlarged picture. */
async function lookCloser(what) {
  for (const control of await page.run(`return [...document.querySelectorAll('main [role=tab], main .image button')].map((e, n) => { e.dataset.look = n; return n; })`)) {
    await page.run(`document.querySelector('[data-look="' + arguments[0] + '"]')?.click()`, control);
    await calm(`${what}, closer`);
    await page.press(keys.escape);
  }
}
/** The name of the hostile file that is the prompt's input, once it is one that was not seen. */
const another = (seen) => page.until('another hostile file', async () => {
  const lines = await page.run(`return [...document.querySelectorAll('main .asset header')].map((e) => e.innerText).join(' ')`);
  const found = /p\d+_([\w.-]+)/.exec(lines)?.[1];
  if (!found || seen.has(found)) return false;
  seen.add(found);
  return found;
});

try {
  console.log(`nothing leaves, in ${inWindow ? 'the window' : 'a browser'}`);
  await page.see('Who are you?', 60_000);
  await story.become(page, 'sam', 'Judge');
  const judged = new Set();
  const shown = {};
  for (let n = 0; n < names.length; n++) {
    const name = await another(judged);
    shown[name] = (await look(name, 'section[data-main] section[data-modality]:not([data-modality=Text])')).join();
    await lookCloser(name);
    await page.press('n');
  }
  console.log(`  ${Object.entries(shown).map(([name, kind]) => `${name}: ${kind}`).join(', ')}`);
  const shownAs = (kind) => Object.values(shown).filter((found) => kind.test(found)).length;
  check(shownAs(/img/) > 0 && shownAs(/canvas/) > 0 && shownAs(/region|iframe|table|grid/) > 4 && shownAs(/video|note/) > 0, 'pictures, pages, documents and films are on screen, or are named as what cannot be shown');
  check(true, `a judge saw all ${judged.size}: nobody was called, no script ran`);

  await story.become(page, 'noor', 'Author');
  const written = new Set();
  for (let n = 0; n < names.length; n++) {
    await look(`the task of ${await another(written)}`, 'main .asset');
    await page.press([keys.alt, keys.pageDown]);
  }
  check(true, `an author saw all ${written.size} as inputs`);

  await story.become(page, 'lead', 'Auditor');
  await page.click('Disagreements', { within: 'nav' });
  const settled = new Set();
  for (let n = 0; n < names.length; n++) {
    const name = await another(settled);
    await look(`the case of ${name}`, 'main .case .asset');
    await lookCloser(`the case of ${name}`);
    await page.press('j');
  }
  check(true, `an auditor saw all ${settled.size} as cases`);
  for (const screen of ['Agreement', 'Results', 'History', 'Overview']) {
    await page.click(screen, { within: 'nav' });
    await page.until(`${screen} to be there`, () => page.run(`return document.querySelectorAll('main [aria-busy=true]').length === 0`));
    await calm(screen);
  }
  check(true, 'and the other screens');

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
