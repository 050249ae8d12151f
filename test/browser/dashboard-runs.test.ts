/** Many runs on the dashboard: the list, runs beside each other, runs together, and who carries them. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { formatFor } from '../../src/console/kit/text/format.js';
import { altering } from '../support/console/browser.js';
import type { Loose } from '../support/http/schema-check.js';
import { real } from '../support/real.js';
import { ask, enter, loaded, rowsOf, until } from './console-given.js';
import { dashboardForSuite, endless, kinds, started, stateOf, succeeded } from './dashboard-given.js';
import type { Results, Run } from '../../src/codec/api-simulation.js';

const f = formatFor('en-GB');

/** Ids of the list, in its order. */
const listed = (page: Page): Promise<string[]> =>
  ask(page, `[...document.querySelectorAll('.list-runs tbody th a')].map((each) => each.textContent)`);
const filter = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Runs by state' }).getByText(name, { exact: true });

real('chromium', 'the dashboard: runs', () => {
  const suite = dashboardForSuite();
  const given: Results[] = [];
  before(async () => {
    given.push(await succeeded(suite, { horizon: 7, sectors: kinds, pop_size: 12, generations: 5, seed: 1 }));
    given.push(await succeeded(suite, { horizon: 9, sectors: kinds.slice(1), curve: 'linear', seed: 2 }));
    given.push(await succeeded(suite, { horizon: 3, k: 4, x0: 0.5, seed: 3 }));
  });
  const ids = (): string[] => given.map(({ id }) => id);
  const newestFirst = (): string[] => ids().toReversed();

  it('filters the list by what the address says', async () => {
    const { page, complaints } = await suite.signIn({}, '#/runs');
    assert.deepEqual(await listed(page), newestFirst());
    await filter(page, 'Cancelled').click();
    await page.waitForSelector('.empty');
    assert.equal(await ask(page, 'location.hash'), '#/runs?state=cancelled');
    await filter(page, 'Succeeded').click();
    await until(page, `document.querySelectorAll('.list-runs tbody tr').length === 3`);
    await page.goBack();
    await page.waitForSelector('.empty');
    assert.equal(await filter(page, 'Cancelled').getAttribute('aria-current'), 'true');
    await page.getByRole('link', { name: 'Show all runs' }).click();
    await until(page, `document.querySelectorAll('.list-runs tbody tr').length === 3`);
    assert.deepEqual(complaints, []);
  });

  it('shows the end of each run in the list: capability, and how many sectors are disrupted', async () => {
    const { page } = await suite.signIn({}, '#/runs');
    const shown = await ask<string[]>(
      page,
      `[...document.querySelectorAll('.list-runs tbody td[data-label="Outcome"]')].map((each) => each.textContent)`,
    );
    const expected = given.toReversed().map(({ forecast, sectors }) => {
      const { capability, affected } = forecast.at(-1) ?? { capability: Number.NaN, affected: Number.NaN };
      return `capability ${f.percent(capability)}${f.number(affected)} of ${f.number(sectors.length)} sectors disrupted`;
    });
    assert.deepEqual(shown, expected);
  });

  it('starts a preset with one click, under the name that was typed', async () => {
    const { page, go } = await suite.signIn({}, '#/');
    await page.getByLabel('Name (optional)').fill('first look');
    await page.getByRole('button', { name: 'Start: Quick look' }).click();
    const id = (await page.textContent('h1 .run-id')) ?? '';
    await page.waitForSelector('.figures');
    assert.match((await page.textContent('.eyebrow')) ?? '', /first look/);
    assert.equal(await page.locator('.warnings').count(), 0);
    const { name, request } = (await (await suite.api('GET', `/runs/${id}`)).json()) as Run;
    assert.deepEqual([name, request.horizon], ['first look', 10]);
    await go('#/runs');
    assert.match((await page.locator('.list-runs tbody tr', { hasText: id }).textContent()) ?? '', /first look/);
    await go('#/');
    assert.equal(await page.getByLabel('Name (optional)').inputValue(), '');
  });

  it('updates the list: a run of another client appears with its progress, and is cancelled from its row', async () => {
    const { page } = await suite.signIn({}, '#/runs');
    const id = await started(suite, endless);
    const row = page.locator('.list-runs tbody tr', { hasText: id });
    await row.locator('progress').waitFor();
    const progress = async (): Promise<number> => Number(await row.locator('progress').getAttribute('value'));
    const before = await progress();
    await until(page, `Number(document.querySelector('.list-runs progress').getAttribute('value')) > ${before}`);
    await page.getByRole('button', { name: `Cancel run ${id}` }).click();
    await row.getByText('Cancelled').waitFor();
    assert.equal(await stateOf(suite, id), 'cancelled');
    assert.equal(await row.getByRole('button').count(), 0);
    assert.equal(await row.getByRole('checkbox').isDisabled(), true);
    const { id: next } = await succeeded(suite, { seed: 4, horizon: 2 });
    await page.locator('.list-runs tbody tr', { hasText: next }).getByText('Succeeded').waitFor();
    assert.deepEqual((await listed(page)).slice(0, 2), [next, id]);
  });

  it('shows runs that are selected in the list side by side, with the values of the interface', async () => {
    const { page } = await suite.signIn({}, '#/runs?state=succeeded');
    for (const id of ids()) await page.getByRole('checkbox', { name: `Select run ${id} to compare` }).check();
    await page.locator('.picked').getByRole('link', { name: 'Compare' }).click();
    await page.waitForSelector('h1:has-text("Compare")');
    await loaded(page);
    assert.equal(await ask(page, 'location.hash'), `#/compare?ids=${ids().join(',')}`);
    const tables = await Promise.all([0, 1, 2].map((nth) => rowsOf(page, 'table.data', nth)));
    const [request = [], outcome = [], sectors = []] = tables;
    const field = (name: string): string[] | undefined =>
      request.find(([first]) => first?.replace(' differs', '') === name)?.slice(1);
    assert.deepEqual(field('Horizon, years'), ['7', '9', '3']);
    assert.deepEqual(field('Capability curve'), ['logistic', 'linear', 'logistic']);
    assert.deepEqual(field('Steepness k'), ['10 (curve default)', 'not used', '4']);
    assert.deepEqual(field('Sectors'), ['4, from a list', '3, from a list', '6, generated']);
    assert.deepEqual(field('Mutation rate'), ['0.1', '0.1', '0.1']);
    assert.deepEqual(outcome[0], ['Hypervolume', ...given.map(({ hypervolume }) => f.number(hypervolume ?? NaN))]);
    const year = (run: Results, name: string): string => {
      const sector = run.sectors.find((each) => each.name === name);
      if (sector === undefined) return '–no such sector';
      return sector.disrupted_year === null ? 'not disrupted' : f.number(sector.disrupted_year);
    };
    const names = sectors.map(([first]) => first?.replace(' differs', '') ?? '');
    assert.deepEqual(names, [...kinds.map(({ name }) => name), 's00', 's01', 's02', 's03', 's04', 's05']);
    const years = names.map((name) => given.map((run) => year(run, name)));
    const shown = sectors.map((row) => row.slice(1));
    assert.deepEqual(shown, years);
    await page.getByRole('checkbox', { name: 'Differences only' }).first().check();
    assert.ok(!(await rowsOf(page, 'table.data', 0)).some(([first]) => first === 'Mutation rate'));
  });

  it('overlays the forecasts of the compared runs, and shows them as a table', async () => {
    const { page } = await suite.signIn({}, `#/compare?ids=${ids().join(',')}`);
    assert.equal(await page.locator('.chart svg[role=img] .line path').count(), 3);
    await page.getByText('Show as a table').click();
    const [first, , third] = given;
    const rows = await rowsOf(page, '.chart table.data');
    assert.equal(rows.length, 9);
    assert.deepEqual(
      rows.map(([, capability]) => capability).slice(0, 7),
      first?.forecast.map(({ capability }) => f.percent(capability)),
    );
    assert.deepEqual([rows[2]?.[3], rows[3]?.[3]], [f.percent(third?.forecast[2]?.capability ?? NaN), '–']);
    await page.getByRole('button', { name: 'Disrupted sectors' }).click();
    const affected = first?.forecast.map((entry) => f.number(entry.affected));
    assert.deepEqual((await rowsOf(page, '.chart table.data')).map((row) => row[1]).slice(0, 7), affected);
  });

  it('shows an insight of selected runs with the figures of the interface', async () => {
    const chosen = ids().slice(0, 2);
    const answer = (await (await suite.api('POST', '/insight', { ids: chosen })).json()) as {
      forecast: Record<string, number>[];
    };
    const { page } = await suite.signIn({}, `#/insight?ids=${chosen.join(',')}`);
    await page.getByText('Show as a table').first().click();
    const expected = answer.forecast.map((entry) =>
      ['year', 'capability', 'min', 'max', 'runs'].map((name) =>
        (name === 'year' || name === 'runs' ? f.number : f.percent)(entry[name] ?? NaN),
      ),
    );
    assert.deepEqual(await rowsOf(page, '.chart table.data'), expected);
    assert.equal(expected.at(-1)?.at(-1), '1');
  });

  it('shows in an insight each run, the mean in the last shared year, and a break where the number of runs changes', async () => {
    const { page, complaints } = await suite.signIn({}, `#/insight?ids=${ids().join(',')}`);
    assert.equal(await page.locator('.insight-run').count(), 3);
    assert.equal(await page.locator('.insight-break').count(), 2);
    const labels = page.locator('.insight-break text');
    assert.deepEqual(await labels.allTextContents(), ['2 of 3 runs', '1 of 3 runs']);
    await page.setViewportSize({ width: 320, height: 740 });
    // The second would be over the first.
    await labels.nth(1).waitFor({ state: 'detached' });
    const mean = given.reduce((sum, { forecast }) => sum + (forecast[2]?.capability ?? NaN), 0) / given.length;
    assert.equal(await page.locator('.figure-value').first().textContent(), f.percent(mean));
    assert.equal(await page.locator('.figures dt').first().textContent(), 'Mean capability in year 3');
    // The mean of all runs ends with the shared years; what follows is another line.
    const points = async (selector: string): Promise<number[]> =>
      (await page.locator(selector).evaluateAll((all) => all.map((each) => each.getAttribute('d') ?? ''))).map(
        (d) => d.split(/[ML]/).length - 1,
      );
    assert.deepEqual(await points('.series-ahead'), [3]);
    assert.deepEqual(await points('.insight-fewer'), [4, 2]);
    const slider = page.getByRole('slider', { name: 'Year' });
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^Year 3: mean .*\(all 3 runs\)/);
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^Year 4: mean .*\(2 of 3 runs\), lowest /);
    assert.deepEqual(complaints, []);
  });

  it('shows capability as a percentage on every axis and in every table', async () => {
    for (const hash of [`#/insight?ids=${ids().join(',')}`, `#/compare?ids=${ids().join(',')}`, `#/run/${ids()[0]}`]) {
      const { page } = await suite.signIn({}, hash);
      const chart = page.locator('figure.chart').first();
      await chart.getByText('Show as a table').click();
      const labels = await chart.locator('.axis').first().locator('text:not(.axis-name)').allTextContents();
      assert.ok(labels.length > 2 && labels.every((label) => label.endsWith('%')), `${hash} ${labels.join()}`);
      assert.match((await rowsOf(page, 'figure.chart table.data'))[0]?.[1] ?? '', /%$/);
      for (const axis of await page.locator('figure.chart svg[role=img]').all())
        assert.equal(await axis.locator('.axis-name').count(), 2, hash);
    }
  });

  it('shows the seven agents with their last heartbeat, and the workers of queues', async () => {
    // The clock of the browser is wrong by an hour.
    const { page } = await suite.open({ before: 'const { now } = Date; Date.now = () => now() + 3_600_000;' });
    let restarts: string[] = [];
    let others = {};
    await altering(page, '**/status', (status) => {
      const agents = Object.entries<Loose>(status.agents);
      restarts = agents.map(([, beat]) => String(beat.restarts));
      // On a busy machine a heartbeat may be late.
      const fresh = agents.map(([name, each]) => [name, { ...each, last_beat: Date.now() / 1000 }]);
      return { ...status, agents: Object.fromEntries(fresh), ...others };
    });
    await enter(page, suite.server().token);
    await loaded(page);
    const rows = await rowsOf(page, '.agents table.data');
    const names = ['Planning', 'Research', 'Strategy', 'Market', 'Code generation', 'Safety', 'Memory'];
    assert.deepEqual(
      rows.map((row) => row.toSpliced(2, 1)),
      names.map((name, i) => [name, '✓ responding', restarts[i]]),
    );
    for (const [, , age] of rows) assert.match(age ?? '', /^[0-9.]+ s ago$/);
    assert.equal(await page.locator('.workers').count(), 0);
    const listed = { key: 'b2'.repeat(32), version: '1.9.0', state: 'idle', last_beat: 1_700_000_000, done: 3 };
    others = { workers: [listed] };
    await page.locator('.agents button').click();
    const [worker = []] = await rowsOf(page, '.workers table.data');
    assert.deepEqual([worker[0], worker[1], worker[4]], [listed.key, '✓ idle', '3']);
  });
});
