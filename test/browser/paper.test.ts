/** Printed pages: PDFs of every kind of page at A4 and Letter beside what the screen shows. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prints } from '../support/console/paper.js';
import { real } from '../support/real.js';
import { approved, ask, consoleForSuite, example, executed, loaded, queued, until } from './console-given.js';
import { dashboardForSuite, kinds as sectors, succeeded, sweepOfEntropy, swept } from './dashboard-given.js';

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

real('chromium', 'the console on paper', () => {
  const pages: Record<string, string> = {
    missions: '#/missions',
    new: '#/new',
    payments: '#/payments',
    journal: '#/journal',
    approvers: '#/approvers',
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
    const isClosed = 'document.querySelectorAll("figure.chart details[open]").length === 0';
    await until(page, isClosed);
    await page.emulateMedia({ media: 'print' });
    await until(page, 'document.querySelectorAll("figure.chart details[open] tbody tr").length === 6');
    assert.equal(await ask(page, 'getComputedStyle(document.querySelector(".operation rect")).printColorAdjust'), 'exact');
    await page.emulateMedia({ media: 'screen' });
    await until(page, isClosed);
  });

  it('prints every other page without its frame and its forms, words unbroken, and dates in place of how long ago', async () => {
    const { page, go } = await suite.signIn();
    const expected: typeof pages = { missions: `joinery|Schedule|${new Date().getFullYear()}`, new: 'A form is not printed' };
    for (const [name, hash] of Object.entries(pages)) {
      await go(hash);
      await loaded(page);
      await prints(page, name, (expected[name] ?? '').split('|'));
    }
  });
});

real('chromium', 'the dashboard on paper', () => {
  const suite = dashboardForSuite();

  it('prints the whole of its charts, with the run and its hash', async () => {
    const request = { horizon: 15, x0: 0.5, sectors, pop_size: 60, generations: 4, mut_rate: 0.3, samples: 200, seed: 7 };
    const first = await succeeded(suite, request);
    const { id } = await succeeded(suite, { ...request, horizon: 10 });
    const { page, go } = await suite.signIn();
    await go(`#/run/${first.id}`);
    await prints(page, 'run', [first.id, first.outcome_hash]);
    const sweep = await swept(suite, sweepOfEntropy);
    for (const hash of ['#/runs', `#/sweep/${sweep}`, `#/compare?ids=${first.id},${id}`, `#/insight?ids=${first.id},${id}`]) {
      await go(hash);
      await prints(page, hash, []);
    }
  });
});
