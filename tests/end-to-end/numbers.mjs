// Agreement, Results and the report in Chromium, on the demo study and on figure 16: every view is opened, known values are looked
// for on screen, and a picture of each is kept, light and dark. `node numbers.mjs [FOLDER]`.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Page, check, command, host, root, temporaryFolder } from './driver.mjs';
import { scoredStudy } from './scored.mjs';

const folder = temporaryFolder();
const data = path.join(folder, 'data');
const out = path.resolve(process.argv[2] ?? path.join(root, 'target/end-to-end/numbers'));
mkdirSync(out, { recursive: true });
const golden = JSON.parse(readFileSync(path.join(root, 'tests/fixtures/mmi-demo/golden.json'), 'utf8'));
/** How long a view may take on a busy machine with development builds. */
const long = 120_000;
const percent = (share) => (share * 100).toFixed(1);
const two = (value) => value.toFixed(2).replace(/^-(?=0\.?0*$)/, '').replace('-', '−');

function study(name, sources) {
  const at = path.join(folder, `${name}.assize`);
  command(['new', at, '--name', name], data);
  command(['import', at, ...sources], data);
  return at;
}
const studies = {
  demo: study('Demo', [path.join(root, 'assets/demo')]),
  figure16: study('Figure 16', [path.join(root, 'tests/fixtures/agreement/figure16.jsonl')]),
};

/** The rows of the table with this caption, each as its cells' text. */
const rows = (page, caption) => page.run(
  `const wanted = arguments[0].toLowerCase();
   const table = [...document.querySelectorAll('main table')].find((t) => t.caption && t.caption.innerText.toLowerCase().startsWith(wanted));
   return table ? [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim())) : null;`,
  caption);
/** The wide page as one picture: as tall as what is in it. */
async function shot(page, name) {
  const height = await page.run('const main = document.querySelector("main"); main.scrollTop = 0; return main.scrollHeight + 160');
  await page.ask('POST', `${page.session}/window/rect`, { width: 1400, height: Math.min(6000, Math.max(900, height)) });
  await page.picture(path.join(out, `${name}.png`));
  await page.ask('POST', `${page.session}/window/rect`, { width: 1400, height: 900 });
}
const noOverflow = async (page, what) => {
  const over = await page.run('const main = document.querySelector("main"); return main.scrollWidth - main.clientWidth');
  check(over <= 1, `${what} is no wider than the window`);
};

/** Keeps a plot as SVG and as PNG, in both themes; the files are pictures on their own, without what only follows the pointer. */
async function saved(page, title) {
  for (const [kind, theme] of [['SVG', 'light'], ['SVG', 'dark'], ['PNG', 'light']]) {
    await page.click(`Save plot: ${title}`, { within: 'main' });
    await page.click(`${kind}, ${theme}`, { within: 'main' });
    const ending = `-${theme}.${kind.toLowerCase()}`;
    const file = await page.until(`the path of the ${kind}`, async () =>
      (await page.text()).split('\n').map((line) => line.match(/Saved as (.+)$/)?.[1]).find((path) => path?.endsWith(ending)), long);
    if (kind === 'PNG') {
      const bytes = readFileSync(file);
      check(bytes.subarray(1, 4).toString() === 'PNG' && bytes.readUInt32BE(16) === 1920, 'the PNG is three times as large as drawn');
    } else {
      const svg = readFileSync(file, 'utf8');
      check(svg.includes('Scott’s π') && (svg.match(/<path /g) ?? []).length === 3, `the ${theme} SVG holds its lines and their keys`);
      check(!/rgba\(|slider|class=/.test(svg), 'and nothing that a page alone understands');
    }
  }
}

async function agreement(page, name, dark) {
  const theme = dark ? 'dark' : 'light';
  await page.click('Agreement', { within: 'nav' });
  await page.see('All coefficients', long);
  const by = await page.until('the table by modality', () => rows(page, 'By modality'), long);
  const cell = (label) => by.find((row) => row[0] === label);
  if (name === 'figure16') {
    for (const [label, n, agree, pi] of [['Text', '519', '70.9', '0.34'], ['Image', '415', '66.5', '0.28'], ['Audio', '284', '73.6', '0.45'], ['Video', '281', '74.4', '0.31'], ['All', '1,499', '70.8', '0.41']])
      check(cell(label)?.[1] === n && cell(label)[2] === agree && cell(label)[4] === pi, `figure 16, ${label}: ${agree} % and π ${pi}`);
    await page.see('highest at 0.90: 0.43', long);
    const sweep = await page.run(`return [...document.querySelectorAll('main figure table tbody tr')].map((r) => [...r.cells].map((cell) => cell.textContent.trim()).join(' '))`);
    check(sweep.some((row) => row.startsWith('0.80 ') && row.includes('73.2')), 'the sweep reaches 73.2 % at 0.80');
    if (!dark) await saved(page, 'Agreement by threshold of the mean criterion score');
  } else {
    const wanted = golden.agreement.sets.produced.majority;
    for (const label of ['Text', 'Image', 'Audio', 'Video', 'Document'])
      if (wanted[label]) check(cell(label)?.[2] === percent(wanted[label].percent), `the demo, ${label}: ${percent(wanted[label].percent)} %`);
    check(cell('All')[4] === two(wanted.overall.scott_pi), `the demo's π is ${two(wanted.overall.scott_pi)}`);
  }
  await shot(page, `${name}-agreement-${theme}`);
  await noOverflow(page, 'Agreement');

  await page.click('By group', { within: 'main' });
  await page.see('People among themselves', long);
  for (const key of ['Model', 'Annotator', 'Prompt tag', 'Detection route', 'Rubric version', 'Modality']) {
    await page.run(
      `const select = [...document.querySelectorAll('main select')].find((s) => [...s.options].some((o) => o.text === 'Detection route'));
       select.value = [...select.options].find((o) => o.text === arguments[0]).value; select.dispatchEvent(new Event('change', { bubbles: true }));`, key);
    await page.see(new RegExp(`Agreement by ${key}|No unit can be split`, 'i'), long);
  }
  const groups = await page.until('the groups', () => rows(page, 'Agreement by modality'), long);
  check(groups.length >= 4, 'every modality has its row, beside people among themselves');
  await shot(page, `${name}-groups-${theme}`);

  await page.click('People', { within: 'main' });
  await page.see('Who agrees with whom', long);
  await page.see('Dawid–Skene: a model, not a measurement', long);
  await shot(page, `${name}-people-${theme}`);
  await page.click('Criteria', { within: 'main' });
  await page.see('Criteria graded', long);
  await shot(page, `${name}-criteria-${theme}`);
  await page.click('Judges', { within: 'main' });
  await page.see(/Judges compared|One judge alone/i, long);
  await shot(page, `${name}-judges-${theme}`);
  await page.click('Difference', { within: 'main' });
  await page.see(/holds 0|leaves 0 out|no difference/i, long);
  await shot(page, `${name}-difference-${theme}`);
  await page.click('Planner', { within: 'main' });
  await page.see(/units, of about|There is no plan/i, long);
  await page.see('at most 9.5 %', long);
  await shot(page, `${name}-planner-${theme}`);
}

async function itemsOpen(page) {
  await page.click('Agreement', { within: 'nav' });
  await page.click('By group', { within: 'main' });
  const groups = await page.until('the groups', () => rows(page, 'Agreement by modality'), long);
  await page.click(groups[0][0], { within: 'main .dense' });
  await page.see('Settled', long);
  check(true, 'a group opens its cases');
  await page.click('Agreement', { within: 'nav' });
  await page.click('People', { within: 'main' });
  await page.clickOn('main svg g[role=button]');
  await page.see(/judge’s place/i, long);
  check(true, 'a cell of the heat map opens the cases of two people');
  await page.click('Agreement', { within: 'nav' });
  await page.click('Reset', { within: 'main' });
}

async function results(page, name, dark) {
  const theme = dark ? 'dark' : 'light';
  await page.click('Results', { within: 'nav' });
  // The figures are shown before their intervals.
  const presence = await page.until('the presence table with intervals', async () => {
    const found = await rows(page, 'Presence');
    return found && / to /.test(found[0][2]) && found;
  }, long);
  await page.see('How expected modalities came back', long);
  if (name === 'demo') {
    const f1 = percent(golden.runs.demo.overall.mps);
    check(presence.at(-1)[1] === f1, `the demo's MPS is ${f1}`);
    check(/^\d+\.\d to \d+\.\d$/.test(presence[0][2]), 'with an interval beside it');
    await page.see('Inputs by expected outputs', long);
  }
  await shot(page, `${name}-results-${theme}`);
  await noOverflow(page, 'Results');
  await page.press('r');
  await page.see('One page with methods', long);
  await shot(page, `${name}-report-dialog-${theme}`);
  await page.click('Write the report');
  await page.see('Written to', 60_000);
  const file = await page.run('return document.querySelector("dialog code").innerText');
  await page.click('Close', { within: 'dialog' });
  return file;
}

/** Single checks, judges by GAMUT scores, and the scores of checklists and samples. */
async function scored(page, dark) {
  const theme = dark ? 'dark' : 'light';
  await page.click('Agreement', { within: 'nav' });
  await page.click('Criteria', { within: 'main' });
  await page.see('All checks together', long);
  const checks = await page.until('the checks', () => rows(page, 'Check by check'), long);
  check(checks.length === 18 && checks[0][0] === 'q1', 'every criterion that people graded has its row');
  await page.clickOn('main table tbody tr.clickable');
  await page.until('the responses behind a number', () => page.run('return Boolean(document.querySelector("main [role=region] li"))'), long);
  await shot(page, `scored-criteria-${theme}`);
  await noOverflow(page, 'Criteria');
  await page.click('Judges', { within: 'main' });
  await page.see('GAMUT score', long);
  await page.see('Self-preference', long);
  await shot(page, `scored-judges-${theme}`);
  await page.click('Results', { within: 'nav' });
  await page.see('GAMUT score by tier', long);
  await page.see('Consistency: samples that turn on vision', long);
  const table = await page.until('GAMUT’s table', () => rows(page, 'GAMUT score · alpha-judge, multimodal'), long);
  check(table.length === 3, 'three models under one judge');
  await shot(page, `scored-results-${theme}`);
  await noOverflow(page, 'Results');
  await page.click('Save as Parquet', { within: 'main' });
  await page.see('Saved as', long);
  check(true, 'a table on screen is kept as a file');
  await page.press('r');
  await page.see('One page with methods', long);
  await page.click('Write the report');
  await page.see('Written to', 60_000);
  const file = await page.run('return document.querySelector("dialog code").innerText');
  await page.click('Close', { within: 'dialog' });
  return file;
}

/** The report by itself, without the host: as light, as dark, and at print. */
async function report(file, name) {
  for (const dark of [false, true]) {
    const page = await Page.browser({ address: `file://${file}`, dark });
    try {
      await page.see('Methods', long);
      const height = await page.run('return document.documentElement.scrollHeight');
      await page.ask('POST', `${page.session}/window/rect`, { width: 1100, height: Math.min(9000, height + 150) });
      await page.picture(path.join(out, `${name}-report-${dark ? 'dark' : 'light'}.png`));
      const asked = await page.run('return performance.getEntriesByType("resource").length');
      check(asked === 0, 'the report asks for nothing');
    } finally {
      await page.close();
    }
  }
}

studies.scored = await scoredStudy(folder, data);
for (const dark of [false, true])
  for (const [name, at] of Object.entries(studies)) {
    console.log(`numbers of ${name}, ${dark ? 'dark' : 'light'}`);
    const served = await host({ data, args: ['--study', at, '--as', 'lead', '--role', 'auditor'] });
    const page = await Page.browser({ address: served.address, dark });
    try {
      if (name !== 'scored') await agreement(page, name, dark);
      if (name === 'demo' && !dark) await itemsOpen(page);
      const file = name === 'scored' ? await scored(page, dark) : await results(page, name, dark);
      if (!dark) await report(file, name);
    } catch (error) {
      await page.picture(path.join(out, 'failed.png')).catch(() => {});
      throw error;
    } finally {
      await page.close();
      await served.stop();
    }
  }
