// A small WebDriver client: the real window through WebKitWebDriver, or Chromium on the loopback host through
// chromedriver. One story runs in both. Waits poll for what a person would see; nothing sleeps for a fixed time.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export const keys = {
  enter: '\uE007', tab: '\uE004', escape: '\uE00C', backspace: '\uE003', control: '\uE009', shift: '\uE008', alt: '\uE00A',
  left: '\uE012', up: '\uE013', right: '\uE014', down: '\uE015', space: ' ', pageDown: '\uE00F',
};

const freePort = () =>
  new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

const temporary = [];
process.on('exit', () => {
  for (const folder of temporary) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    } catch (error) {
      console.error(`left behind: ${folder} (${error.code})`);
    }
  }
});
/** A folder that is removed at the end. A browser that is told to end may write to its profile a moment longer: it is tried again. */
export function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'assize-story-'));
  temporary.push(folder);
  return folder;
}

/** Fails with `why` unless `truth`. */
export function check(truth, why) {
  if (!truth) throw new Error(why);
  console.log(`  ok: ${why}`);
}

export class Page {
  /** The real window on `data`, a folder of its own for what the app remembers. */
  static async window({ data, args = [], env = {} }) {
    const page = new Page();
    page.binary = process.env.ASSIZE_DESKTOP ?? path.join(root, 'target/debug/assize-desktop');
    await page.begin('WebKitWebDriver', ['--host=127.0.0.1'], {
      'webkitgtk:browserOptions': { binary: page.binary, args },
    }, { TAURI_WEBVIEW_AUTOMATION: 'true', ASSIZE_DATA: data, ...env });
    return page;
  }

  /** Chromium on the loopback host. */
  static async browser({ address, size = '1400,900', dark = false }) {
    const page = new Page();
    const profile = temporaryFolder();
    const args = [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--autoplay-policy=no-user-gesture-required', '--mute-audio',
      `--user-data-dir=${profile}`, `--window-size=${size}`, ...(dark ? ['--force-dark-mode', '--blink-settings=preferredColorScheme=0'] : []),
    ];
    await page.begin('chromedriver', [], {
      browserName: 'chrome', 'goog:chromeOptions': { binary: '/usr/bin/chromium', args }, 'goog:loggingPrefs': { browser: 'ALL' },
    });
    await page.open(address);
    return page;
  }

  async begin(driver, driverArgs, capabilities, env = {}) {
    const port = await freePort();
    this.base = `http://127.0.0.1:${port}`;
    this.process = spawn(driver, [`--port=${port}`, ...driverArgs], {
      env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', process.env.STORY_LOG ? 'inherit' : 'ignore'],
    });
    let gone;
    this.process.on('error', (error) => (gone = error));
    for (let tries = 0; ; tries++) {
      if (gone) throw gone;
      try {
        await fetch(`${this.base}/status`);
        break;
      } catch (error) {
        if (tries > 200) throw error;
        await pause(50);
      }
    }
    const made = await this.ask('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
    this.session = `/session/${made.sessionId}`;
    await this.ask('POST', `${this.session}/timeouts`, { script: 30_000, implicit: 0, pageLoad: 60_000 });
  }

  async ask(method, where, body) {
    const answer = await fetch(this.base + where, {
      method, body: body === undefined ? undefined : JSON.stringify(body), headers: { 'content-type': 'application/json' },
    });
    const { value } = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(`${method} ${where}: ${value?.error}: ${value?.message}`), { code: value?.error });
    return value;
  }

  open(address) {
    return this.ask('POST', `${this.session}/url`, { url: address });
  }
  run(script, ...args) {
    return this.ask('POST', `${this.session}/execute/sync`, { script, args });
  }

  /** Polls `look` until it gives something true; says what was on screen when it never does. */
  async until(what, look, ms = 20_000) {
    const end = Date.now() + ms;
    let last;
    for (;;) {
      try {
        const found = await look();
        if (found) return found;
      } catch (error) {
        last = error;
        const passing = /no such element|stale element|javascript error|not interactable|intercepted/i.test(String(error.code));
        // WebKit's driver now and then hands nothing back for a script that ran.
        if (!passing && !/Could not parse script result/.test(error.message)) throw error;
      }
      if (Date.now() > end) {
        const text = await this.run('return document.body.innerText').catch(() => '(no page)');
        throw new Error(`never saw ${what}${last ? ` (${last.message})` : ''}; on screen:\n${text.slice(0, 2500)}`);
      }
      await pause(40);
    }
  }

  /** The element of a CSS selector, once it is there. */
  find(css, ms) {
    return this.until(css, async () => Object.values(await this.ask('POST', `${this.session}/element`, { using: 'css selector', value: css }))[0], ms);
  }
  /** The visible button, link, tab or option whose accessible name or text holds `name`. */
  async named(name, { within = 'body', ms } = {}) {
    const script = `
      const wanted = arguments[0].toLowerCase(), scope = document.querySelector(arguments[1]);
      if (!scope) return null;
      const all = [...scope.querySelectorAll('button, a, [role=button], [role=tab], [role=option], [role=menuitem], [role=radio], summary, label')];
      const name = (e) => (e.getAttribute('aria-label') || e.innerText || e.title || '').replace(/\\s+/g, ' ').trim().toLowerCase();
      const seen = all.filter((e) => e.getClientRects().length && !e.disabled);
      return seen.find((e) => name(e) === wanted) || seen.find((e) => name(e).startsWith(wanted)) || seen.find((e) => name(e).includes(wanted)) || null;`;
    return this.until(`"${name}"`, async () => {
      const found = await this.run(script, name, within);
      return found && Object.values(found)[0];
    }, ms);
  }
  async click(name, options) {
    await this.until(`a click on "${name}"`, async () => {
      await this.ask('POST', `${this.session}/element/${await this.named(name, options)}/click`, {});
      return true;
    }, options?.ms);
  }
  async clickOn(css) {
    await this.until(`a click on ${css}`, async () => {
      await this.ask('POST', `${this.session}/element/${await this.find(css)}/click`, {});
      return true;
    });
  }
  async type(css, text) {
    await this.ask('POST', `${this.session}/element/${await this.find(css)}/value`, { text });
  }
  /** Replaces what is in a field. */
  async fill(css, text) {
    const element = await this.find(css);
    await this.ask('POST', `${this.session}/element/${element}/clear`, {});
    await this.ask('POST', `${this.session}/element/${element}/value`, { text });
  }
  /** Presses keys one after the other; an array is a chord. */
  async press(...strokes) {
    const actions = [];
    for (const stroke of strokes) {
      const chord = Array.isArray(stroke) ? stroke : [stroke];
      for (const key of chord) actions.push({ type: 'keyDown', value: key });
      for (const key of [...chord].reverse()) actions.push({ type: 'keyUp', value: key });
    }
    await this.ask('POST', `${this.session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }
  /** Types text through the keyboard into whatever has the focus. */
  keyboard(text) {
    return this.press(...text);
  }
  text() {
    return this.run('return document.body.innerText');
  }
  /** Waits until the page shows `text` (a string or a pattern). */
  see(text, ms) {
    return this.until(`"${text}"`, async () => {
      const shown = await this.text();
      return text instanceof RegExp ? text.test(shown) : shown.toLowerCase().includes(String(text).toLowerCase());
    }, ms);
  }
  async picture(file) {
    writeFileSync(file, Buffer.from(await this.ask('GET', `${this.session}/screenshot`), 'base64'));
  }
  async close() {
    await this.ask('DELETE', this.session).catch(() => {});
    this.process.kill();
    await new Promise((done) => (this.process.exitCode === null ? this.process.on('exit', done) : done()));
  }
}

/** Runs the command line on `data`; answers what it prints. */
export const command = (args, data) =>
  execFileSync(process.env.ASSIZE ?? path.join(root, 'target/debug/assize'), args, { env: { ...process.env, ASSIZE_DATA: data }, encoding: 'utf8' });

/** The loopback host as a child process; `address` is the page with its token. */
export async function host({ data, args = [], wrap = [] }) {
  const program = process.env.ASSIZE_DEV ?? path.join(root, 'target/debug/dev');
  const all = [...wrap, program, 'serve', '--data', data, ...args];
  const child = spawn(all[0], all.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done, fail) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const line = said.match(/http:\/\/127\.0\.0\.1:\d+\/#token=\S+/);
      if (line) done(line[0]);
    });
    child.on('exit', (code) => fail(new Error(`the host ended with ${code}`)));
  });
  const token = address.split('#token=')[1];
  const origin = address.split('/#')[0];
  return {
    child, address, origin, token,
    /** Calls a command as the page would. */
    async call(name, request = {}) {
      const answer = await fetch(`${origin}/api/${name}`, {
        method: 'POST', headers: { 'X-Assize-Token': token, 'content-type': 'application/json' }, body: JSON.stringify(request),
      });
      const reply = await answer.json();
      if (!answer.ok) throw Object.assign(new Error(`${name}: ${reply.message}`), reply);
      return reply;
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode) return;
      child.removeAllListeners('exit');
      const ended = new Promise((done) => child.on('exit', done));
      child.kill(signal);
      await ended;
    },
  };
}

/** Waits for a job of the host. */
export async function job(host, started) {
  for (;;) {
    const view = await host.call('job', { job: started.job });
    if (view.state !== 'running') return view;
    await pause(50);
  }
}
