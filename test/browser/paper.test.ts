/** Printed pages: PDFs of every kind of page at A4 and Letter beside what the screen shows. @slow */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type ChartOnScreen, chartsOn, type Paper, printed } from '../support/console/paper.js';
import { real } from '../support/real.js';
import { approved, ask, consoleForSuite, example, executed, loaded, queued, until } from './console-given.js';
import { dashboardForSuite, kinds as sectors, succeeded } from './dashboard-given.js';

const formats = ['A4', 'Letter'];
/** The margin of the paper in points, and how much a text may reach into it. */
const margin = 42.5;
const tolerance = 2;

/** Compares the charts with a print: all of their labels, and where those of the axis are. */
function sameCharts(charts: readonly ChartOnScreen[], sheets: readonly Paper[], name: string): void {
  const all = sheets.flatMap(({ lines }) => lines);
  for (const { width, lines, beyond } of charts) {
    assert.ok(beyond <= 2, `${name}: a mark reaches ${beyond} pixels beyond its chart`);
    for (const { text } of lines.flat())
      assert.ok(
        all.some((line) => line.text.includes(text)),
        `${name}: ${text}`,
      );
    const axis = lines.reduce((most, line) => (line.length > most.length ? line : most), []).toSorted((a, b) => a.left - b.left);
    const [first, last] = [axis[0], axis.at(-1)];
    if (first === undefined || last === undefined) continue;
    const line = all.find(({ text }) => text.includes(axis.map((label) => label.text).join('')));
    assert.ok(line, `${name}: ${axis.map(({ text }) => text).join(' ')}`);
    const from = line.starts[line.text.indexOf(first.text)]!;
    const to = line.starts[line.text.lastIndexOf(last.text)]!;
    const scale = Math.min(0.75, (sheets[0]!.width - 2 * margin) / width);
    const apart = (last.left - first.left) * scale;
    assert.ok(Math.abs(to - from - apart) < 0.02 * apart + tolerance, `${name}: ${to - from} points in place of ${apart}`);
  }
}

async function prints(page: Page, name: string, expected: readonly string[]): Promise<void> {
  const charts = await chartsOn(page);
  for (const format of formats) {
    const sheets = await printed(page, format);
    const what = `${name}, ${format}`;
    sameCharts(charts, sheets, what);
    const text = sheets.flatMap(({ lines }) => lines.map((line) => line.text)).join('\n');
    for (const { width, lines } of sheets)
      for (const line of lines) assert.ok(line.right <= width - margin + tolerance, `${what}: ${line.text} is cut off`);
    for (const each of expected) assert.ok(text.includes(each.replaceAll(' ', '')), `${what}: ${each} in\n${text}`);
    for (const each of ['Signout', 'Spreadsheet', 'noinvoice', 'Savechart', 'Copycommand', 'Showasatable'])
      assert.ok(!text.includes(each), `${what}: ${each}`);
  }
}

/** Days of a week in a joinery, dates in and out. */
const shop = {
  goal: 'Finish the orders of a joinery in time',
  work: {
    kind: 'schedule',
    start: '2026-12-07 08:00',
    calendar: { weekly: { mon: ['08:00-12:00', '13:00-17:00'], tue: ['08:00-12:00'] }, holidays: ['2026-12-14'] },
    machines: [{ id: 'm1', title: 'Panel saw' }],
    jobs: ['Stairs', 'Door', 'Table'].map((title, j) => ({
      id: `j${j}`,
      title,
      due: '2026-12-15',
      operations: [
        { machine: 'm1', duration: 240 + 60 * j },
        { machine: 'm2', duration: 120 },
      ],
    })),
  },
};

real('chromium', 'the console on paper', function () {
  this.timeout(240_000);
  const pages: Record<string, string> = {
    missions: '#/missions',
    payments: '#/payments',
    journal: '#/journal',
    doctor: '#/doctor',
    tools: '#/tools',
    tool: '#/tools/mission_schedule',
  };
  const ids: Record<string, { readonly id: string; readonly result_hash: string | null }> = {};
  const suite = consoleForSuite(async (server) => {
    const file = join(server.cli.directory, 'shop.json');
    writeFileSync(file, JSON.stringify(shop));
    for (const kind of ['research', 'allocation', 'schedule', 'forecast', 'shop'])
      ids[kind] = await approved(server, await executed(server, kind === 'shop' ? file : example(kind)));
    pages['code'] = `#/missions/${(await queued(server, example('code'))).id}`;
  });

  for (const kind of ['research', 'allocation', 'schedule', 'forecast', 'shop'])
    it(`prints the whole of a result, with who approved it and its hash: ${kind}`, async () => {
      const { id, result_hash } = ids[kind]!;
      const { page, go } = await suite.signIn({ viewport: { width: 1_600, height: 900 } });
      await go(`#/missions/${id}`);
      await loaded(page);
      await prints(page, kind, [id, 'Approved by operator', result_hash ?? '']);
    });

  it('opens the table of a chart on paper, and closes it after', async () => {
    const { page, go } = await suite.signIn();
    await go(`#/missions/${ids['shop']!.id}`);
    await loaded(page);
    await prints(page, 'shop', ['Panel saw', 'Stairs', '7 Dec 2026, 08:00']);
    assert.equal(await page.locator('figure.chart details[open]').count(), 0);
    await page.emulateMedia({ media: 'print' });
    await until(page, 'document.querySelectorAll("figure.chart details[open] tbody tr").length === 6');
    assert.equal(await ask(page, 'getComputedStyle(document.querySelector(".operation rect")).printColorAdjust'), 'exact');
    await page.emulateMedia({ media: 'screen' });
    await until(page, 'document.querySelectorAll("figure.chart details[open]").length === 0');
  });

  it('prints every other page without its frame and its forms', async () => {
    const { page, go } = await suite.signIn();
    for (const [name, hash] of Object.entries(pages)) {
      await go(hash);
      await loaded(page);
      await prints(page, name, []);
    }
  });
});

real('chromium', 'the dashboard on paper', function () {
  this.timeout(240_000);
  const suite = dashboardForSuite();

  it('prints the whole of its charts, with the run and its hash', async () => {
    const request = { horizon: 15, x0: 0.5, sectors, pop_size: 60, generations: 4, mut_rate: 0.3, samples: 200, seed: 7 };
    const first = await succeeded(suite, request);
    const { id } = await succeeded(suite, { ...request, horizon: 10 });
    const { page, go } = await suite.signIn();
    await go(`#/run/${first.id}`);
    await prints(page, 'run', [first.id, first.outcome_hash]);
    for (const hash of ['#/runs', `#/compare?ids=${first.id},${id}`, `#/insight?ids=${first.id},${id}`]) {
      await go(hash);
      await prints(page, hash, []);
    }
    await go(`#/run/${first.id}`);
    await page.emulateMedia({ media: 'print' });
    const boxes = await ask(
      page,
      `['svg[role=img]', 'canvas'].map((name) => { const { width, height } = document.querySelector('.scatter ' + name).getBoundingClientRect(); return Math.round(width) + ' ' + Math.round(height); })`,
    );
    assert.equal(new Set(boxes as string[]).size, 1, String(boxes));
  });
});
