// Cold start of the window: from the moment it is asked for until the first button of Home is on screen and takes a click.
// What WebKitWebDriver needs to start a session is in it. "Cold" is a first start with an empty folder of its own; the
// programs' pages may be in the file cache, which only root can empty (done when it can be).
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Page, temporaryFolder } from '../tests/end-to-end/driver.mjs';

function emptyFileCache() {
  try {
    execFileSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

const usable = `
  const button = [...document.querySelectorAll('main button')].find((e) => e.getClientRects().length && !e.disabled);
  if (!button) return false;
  const box = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));`;

const folder = temporaryFolder();
let started = 0;

async function start() {
  const began = performance.now();
  const page = await Page.window({ data: path.join(folder, String(started++)) });
  await page.until('the first button of Home', () => page.run(usable));
  const took = performance.now() - began;
  await page.close();
  return took;
}

const runs = 5;
const print = (what, times) => {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(`${what}: median ${sorted[2].toFixed(0)} ms (${sorted.map((t) => t.toFixed(0)).join(', ')})`);
};
await start(); // the driver's own first start
const warm = [];
for (let n = 0; n < runs; n++) warm.push(await start());
print('programs in the file cache', warm);
if (emptyFileCache()) {
  const cold = [];
  for (let n = 0; n < runs; n++) {
    emptyFileCache();
    cold.push(await start());
  }
  print('file cache emptied before each', cold);
} else {
  console.log('file cache emptied before each: not measured, only root can empty it');
}
