/** The largest runs on the dashboard respond to input about as fast as a small one. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { real } from '../support/real.js';
import { ask, rowsOf } from './console-given.js';
import { dashboardForSuite, succeeded, type Signed } from './dashboard-given.js';

const sectorsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `sector ${i}`,
    energy: 1 + (i % 7),
    entropy: 1 + (i % 5),
    growth: 0.001 * (i % 9),
  }));

const rounds = 7;
/** Beside a small run, which costs some milliseconds: no hand notices twice a tenth of a second. */
const factor_max = 8;
const extra_ms_max = 200;

/** Milliseconds that the page's main thread works while something is done, by the thread's own clock: a busy machine does not count. */
async function workOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  };
  const before = await worked();
  await act();
  const after = await worked();
  await session.detach();
  return after - before;
}

/** The middle work from a key on a slider to the frame that shows what it did. */
async function pressTime(page: Page, slider: string): Promise<number> {
  const times: number[] = [];
  await page.focus(slider);
  await page.keyboard.press('Home');
  const frame = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`;
  for (let i = 0; i < rounds; i++) {
    const before = await ask<string>(page, `document.activeElement.value`);
    times.push(
      await workOf(page, async () => {
        await page.keyboard.press('ArrowRight');
        await ask(page, frame);
      }),
    );
    assert.notEqual(await ask<string>(page, `document.activeElement.value`), before);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Infinity;
}

real('chromium', 'the dashboard: the largest runs', () => {
  const suite = dashboardForSuite();
  let visit: Signed | null = null;
  let small = { chooser: 0, year: 0 };
  const chooser = '.population .reader input[type=range]';
  const year = '.chart input[type=range]';

  before(async () => {
    const { id } = await succeeded(suite, { horizon: 12, sectors: sectorsOf(4), pop_size: 20 });
    visit = await suite.signIn({}, `#/run/${id}`);
    await visit.page.locator('.quick button').first().click();
    await visit.page.waitForSelector('.chosen-one table');
    small = { chooser: await pressTime(visit.page, chooser), year: await pressTime(visit.page, year) };
  });

  const isQuick = (time: number, than: number, what: string): void =>
    assert.ok(time <= factor_max * than + extra_ms_max, `${what}: ${time.toFixed(0)} ms beside ${than.toFixed(0)} ms`);

  it('browses ten thousand individuals quickly', async () => {
    const large = { horizon: 5, sectors: sectorsOf(20), pop_size: 10_000, generations: 2 };
    const { id, population } = await succeeded(suite, large, 0);
    const { page } = await suite.signIn({}, `#/run/${id}`);
    assert.match((await page.getAttribute('.population svg[role=img]', 'aria-label')) ?? '', /10,000 solutions/);
    await page.locator('.quick button').first().click();
    await page.waitForSelector('.chosen-one table');
    isQuick(await pressTime(page, chooser), small.chooser, 'the next individual');
    await page.getByText('All solutions').click();
    isQuick(await pressTime(page, chooser), small.chooser, 'the next individual beside the table');
    const rows = await rowsOf(page, '.population > details table.data');
    assert.equal(rows.length, 25);
    await page.getByRole('checkbox', { name: 'Pareto front only' }).check();
    const front = population.filter(({ rank }) => rank === 0).length;
    assert.equal(await page.getAttribute(chooser, 'max'), String(front));
    assert.ok((await ask<number>(page, `document.querySelectorAll('main *').length`)) < 3_000);
  });

  it('browses two hundred years of a thousand sectors quickly', async () => {
    const large = { horizon: 200, sectors: sectorsOf(1_000), pop_size: 2, generations: 1, samples: 20 };
    const { id } = await succeeded(suite, large, 0);
    const { page } = await suite.signIn({}, `#/run/${id}`);
    isQuick(await pressTime(page, year), small.year, 'the next year');
    const found = await workOf(page, async () => {
      await page.getByRole('searchbox').fill('sector 77');
      await page.getByText(/^11 of 1,000 sectors/).waitFor();
    });
    isQuick(found, small.year, 'finding a sector');
    assert.ok((await ask<number>(page, `document.querySelectorAll('main *').length`)) < 3_000);
  });
});
