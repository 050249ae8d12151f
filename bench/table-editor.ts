/**
 * A key press in the table of the form of a new mission, in Chromium: from the key to the moment when the frame that shows what it did can be
 * drawn. The processor's part is what the page computes before; the rest of a frame of 16.7 ms is waiting. BENCH_ROWS sets another number of rows.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { initHome } from '../src/app/home/init.js';
import { createLogger } from '../src/http/log.js';
import { startServers } from '../src/http/start.js';
import { executable, flags } from '../test/support/console/chromium.js';
import { world } from './journal-data.js';
import { median } from './measure.js';

export const name = 'table-editor';

const rows = Number(process.env['BENCH_ROWS'] ?? 2_000);
const keys = 60;
/** Columns of an item. */
const items = Array.from({ length: rows }, (_, i) => `item${i}\tThe title of item ${i}\t${i + 1}\t${(i * 7) % 100}`).join('\n');

export async function run(print: (line: string) => void): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-bench-table-'));
  const directory = path.join(base, 'home');
  initHome(world(directory));
  const options = { host: '127.0.0.1', port: 0, allowedHosts: [], logger: createLogger('silent'), daemon: { executing_max: 1 } };
  const servers = await startServers(world(directory), options);
  const browser = await chromium.launch({ executablePath: executable(), args: flags });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${servers.port}/#/new?kind=allocation`);
    await page.fill('#token', readFileSync(path.join(directory, 'api.token'), 'utf8').trim());
    await page.keyboard.press('Enter');
    await page.locator('.grid [role=gridcell]').first().focus();
    print(`${rows} rows pasted: ${(await pasted(page)).toFixed(0)} ms`);
    for (const acts of [['ArrowDown'], ['PageDown'], ['Delete'], ['a letter', 'Enter']]) {
      const times = await pressed(page, acts);
      acts.forEach((key, i) => {
        const [middle, longest] = [median(times[i] ?? []), Math.max(...(times[i] ?? []))];
        print(`${key}: median ${middle.toFixed(1)} ms, longest ${longest.toFixed(1)} ms (target: 50 ms)`);
      });
    }
  } finally {
    await browser.close();
    await servers.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

/** Resolves in the page when what was done before can be drawn. */
const frame = 'await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));';

const pasted = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
    const data = new DataTransfer();
    data.setData('text/plain', ${JSON.stringify(items)});
    const began = performance.now();
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    ${frame}
    return performance.now() - began;
  })()`);

/** Presses keys in turn, as often as they count, and returns the times of each; a letter begins to type, and Enter keeps what was typed. */
const pressed = (page: Page, acts: readonly string[]): Promise<number[][]> =>
  page.evaluate(`(async () => {
    const press = (key) =>
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const type = (text) => {
      press('x');
      document.activeElement.value = text;
      document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    const acts = ${JSON.stringify(acts)};
    const times = acts.map(() => []);
    for (let i = 0; i < ${keys}; i++)
      for (const [place, act] of acts.entries()) {
        const began = performance.now();
        if (act === 'a letter') type(String(i));
        else press(act);
        ${frame}
        times[place].push(performance.now() - began);
      }
    return times;
  })()`);
