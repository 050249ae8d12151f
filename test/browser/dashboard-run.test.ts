/** One run on the dashboard: signing in, asking for it, following it, reading it, keeping it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import readExcelFile from 'read-excel-file/node';
import type { Page } from 'playwright-core';
import type { Run } from '../../src/codec/api-simulation.js';
import { formatFor } from '../../src/console/kit/text/format.js';
import { topShares } from '../../src/console/dashboard/pure/results.js';
import { real } from '../support/real.js';
import { ask, enter, loaded, rowsOf, until, words } from './console-given.js';
import { dashboardForSuite, endless, kinds, started, stateOf, succeeded } from './dashboard-given.js';
import { paste } from './grid.js';

const f = formatFor('en-GB');
const scenario = { horizon: 7, sectors: kinds, pop_size: 24, generations: 8, samples: 100, seed: 5 };

const idOf = async (page: Page): Promise<string> => (await ask<string>(page, 'location.hash')).split('/').at(-1) ?? '';

real('chromium', 'the dashboard: a run', () => {
  const suite = dashboardForSuite();

  it('requests the token, keeps it in memory only, and sends it in no address', async () => {
    const { page, requests, complaints } = await suite.open();
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await page.fill('#token', 'another');
    await page.keyboard.press('Enter');
    await until(page, `/does not accept/.test(document.querySelector('#token-error').textContent)`);
    const { token } = suite.server();
    await enter(page, token);
    await page.waitForSelector('.feed-live');
    assert.deepEqual(await ask(page, '[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, '']);
    assert.equal((await page.content()).includes(token), false);
    assert.equal(sockets.length > 0, true);
    assert.ok(![...requests, ...sockets, page.url()].join().includes(token));
    await page.reload();
    await page.waitForSelector('#token');
    assert.equal(await page.locator('header.top').count(), 0);
    const others = complaints.filter((text) => !/403/.test(text));
    assert.deepEqual(others, []);
  });

  it('shows what is wrong with a request at its field, before anything is sent', async () => {
    const { page, requests, go } = await suite.signIn({ alone: true });
    await page.fill('[data-path=horizon]', '201');
    await page.fill('[data-path=mut_rate]', '0,5');
    await page.getByRole('button', { name: 'Start run' }).click();
    const named = page.locator('form .problem[role=alert] button');
    assert.deepEqual(await named.allTextContents(), ['Horizon, years', 'Mutation rate']);
    assert.equal(await page.locator('[data-path=horizon]').getAttribute('aria-invalid'), 'true');
    // Once it is drawn, the summary takes the focus.
    await until(page, `document.activeElement.matches('.problem')`);
    await named.first().click();
    assert.equal(await ask(page, 'document.activeElement.dataset.path'), 'horizon');
    assert.equal(requests.filter((url) => url.endsWith('/simulate')).length, 0);
    // What was typed survives a look at another page, and a reload with its new sign-in.
    await go('#/runs');
    await page.reload();
    await enter(page, suite.server().token);
    await go('#/');
    assert.equal(await page.inputValue('[data-path=mut_rate]'), '0,5');
  });

  it('takes the sectors of a file into the table, where they are changed, and says what is wrong with another file', async () => {
    const { page } = await suite.signIn();
    const open = (list: unknown): Promise<void> =>
      page
        .getByLabel('Open a file of sectors')
        .setInputFiles({ name: 'sectors.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(list)) });
    await page.getByRole('button', { name: 'One by one' }).click();
    await open(['a', { name: 'b', cost: 1 }]);
    await page.getByText('sectors[1].cost: ').waitFor();
    await open(Array.from({ length: 1_000 }, (_, i) => `sector ${i}`));
    await page.getByText('Read 1,000 sectors.').waitFor();
    await page.locator('.grid input').nth(4).click();
    await paste(page, { 'text/plain': '1\tmedia\t1\t1\t0' });
    await page.getByText('more columns than this table').first().waitFor();
    await page.locator('.grid input').nth(4).fill('media');
    await page.getByRole('button', { name: 'Start run' }).click();
    await until(page, `/^#\\/run\\//.test(location.hash)`);
    const { request } = (await (await suite.api('GET', `/runs/${await idOf(page)}`)).json()) as Run;
    const row = { energy: 1, entropy: 1, growth: 0.05 };
    assert.deepEqual(
      [request.sectors?.length, request.sectors?.slice(0, 2)],
      [1_000, ['sector 0', 'media'].map((name) => ({ name, ...row }))],
    );
  });

  it('starts a run and shows its result as it arrives on the socket, without polling', async () => {
    const { page, requests } = await suite.signIn();
    // Long enough that the page paints some progress before the result arrives.
    await page.fill('[data-path=generations]', '4000');
    await page.fill('[data-path=pop_size]', '200');
    const begun_ms = performance.now();
    await page.getByRole('button', { name: 'Start run' }).click();
    await until(page, `/^#\\/run\\//.test(location.hash)`);
    // A busy machine may have no time to paint progress before the result is there.
    await page.waitForSelector('main progress[value]:not([value="0"]), .figures');
    await page.waitForSelector('.figures');
    const id = await idOf(page);
    const asked = requests.filter((url) => url.includes(id));
    // At first, when the socket is opened again, at the end, and for the results; meanwhile the remaining time, every 10 s at most.
    const asked_max = 4 + Math.ceil((performance.now() - begun_ms) / 10_000);
    assert.ok(asked.length <= asked_max, `asked ${asked.length} times, not ${asked_max}: ${asked.join(' ')}`);
    assert.equal(await stateOf(suite, id), 'succeeded');
  });

  it('cancels a run under way', async () => {
    const id = await started(suite, endless);
    const { page } = await suite.open({}, `#/run/${id}`);
    await enter(page, suite.server().token);
    await page.waitForSelector('main progress[value]:not([value="0"])');
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await until(page, `/The run was cancelled/.test(document.querySelector('main').textContent)`);
    assert.equal(await stateOf(suite, id), 'cancelled');
    await until(page, `document.activeElement.tagName === 'H1'`);
  });

  it('has the values of the interface in its table', async () => {
    const { id, forecast } = await succeeded(suite, scenario);
    const { page } = await suite.signIn({}, `#/run/${id}`);
    await page.getByText('Show as a table').first().click();
    const rows = await rowsOf(page, '.chart table.data');
    const numbers = forecast.map(({ capability, p05, p25, p50, p75, p95, affected }, i) => [
      ...[capability, p05, p25, p50, p75, p95, affected].map((value) => value ?? NaN),
      affected - (forecast[i - 1]?.affected ?? 0),
    ]);
    assert.deepEqual(
      rows,
      numbers.map((row, i) => [String(forecast[i]?.year), ...row.slice(0, 6).map(f.percent), ...row.slice(6).map(f.number)]),
    );
  });

  it('chooses an individual by keys, by pointer and in the table, and shows how it shares its effort', async () => {
    const { id, population, sectors } = await succeeded(suite, scenario);
    const { page } = await suite.signIn({}, `#/run/${id}`);
    const shown = async (): Promise<string[][]> => rowsOf(page, '.chosen-one table.data');
    const expected = (index: number): string[][] =>
      topShares(population[index]?.genome ?? [], 10).top.map(({ index: i, share }) => [sectors[i]?.name ?? '', f.percent(share)]);
    const slider = page.getByRole('slider', { name: /Browse solutions/ });
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await shown(), expected(0));
    await page.keyboard.press('End');
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^24 of 24: effectiveness /);
    assert.deepEqual(await shown(), expected(23));
    await page.getByRole('button', { name: 'Least risk' }).click();
    const front = population.filter(({ rank }) => rank === 0);
    const least = front.toSorted((a, b) => a.risk - b.risk)[0];
    const safest = population.findIndex((one) => one === least);
    assert.deepEqual(await shown(), expected(safest));
    const ring = await ask<{ x: number; y: number }>(
      page,
      `(({ cx, cy }) => ({ x: cx.baseVal.value, y: cy.baseVal.value }))(document.querySelector('.ring-chosen'))`,
    );
    await page.getByRole('button', { name: 'Clear selection' }).click();
    assert.equal(await page.locator('.chosen-one').count(), 0);
    await page.locator('.scatter').click({ position: ring });
    assert.deepEqual(await shown(), expected(safest));
    await page.getByText('All solutions').click();
    await page.getByRole('button', { name: 'Select solution 3' }).click();
    assert.deepEqual(await shown(), expected(2));
    const rows = (await rowsOf(page, '.population > details table.data')).map((row) => row.slice(1));
    const figures = population.map((one) => [one.effectiveness, one.risk, one.complexity, one.rank].map(f.number));
    assert.deepEqual(rows, figures);
  });

  it('explains what risk is, and that a risk below zero is a surplus', async () => {
    const { id, population } = await succeeded(suite, { horizon: 3, entropy: 0.1, pop_size: 8, generations: 2, seed: 5 });
    const { page } = await suite.signIn({}, `#/run/${id}`);
    assert.match((await page.textContent('.population')) ?? '', /below zero there is a surplus/);
    await page.getByRole('button', { name: 'Least risk' }).click();
    const least = Math.min(...population.filter(({ rank }) => rank === 0).map(({ risk }) => risk));
    assert.ok(least < 0);
    const facts = (await page.locator('.chosen-one .facts').textContent()) ?? '';
    assert.ok(facts.includes(`${f.number(least)} (a surplus of ${f.number(-least)})`), facts);
  });

  it('saves the bytes of the interface, its tables as a workbook, and what people read as one page', async () => {
    const { id } = await succeeded(suite, { ...scenario, name: 'first look' });
    const { page } = await suite.signIn({}, `#/run/${id}`);
    const saved = async (name: string | RegExp, file: string): Promise<Buffer> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      assert.equal(download.suggestedFilename(), file);
      return readFileSync(await download.path());
    };
    const served = async (path: string): Promise<Buffer> => Buffer.from(await (await suite.api('GET', path)).arrayBuffer());
    const csv = await saved('Save forecast (CSV)', `forecast-${id}.csv`);
    assert.deepEqual(csv, await served(`/results/${id}.csv`));
    assert.deepEqual(await saved('Save full result (JSON)', `run-${id}.json`), await served(`/results/${id}?genome=1`));
    assert.deepEqual(JSON.parse((await saved('Save sectors.json', 'sectors.json')).toString()), kinds);
    const sheets = await readExcelFile(await saved('Save tables (Excel)', `run-${id}.xlsx`));
    const names = sheets.map(({ sheet }) => sheet);
    assert.deepEqual(names, ['Forecast', 'Sectors', 'Population', 'About']);
    const about = new Map(sheets[3]?.data.map(([name, value]) => [name, value]));
    assert.deepEqual([about.get('run'), about.get('seed')], [id, String(scenario.seed)]);
    assert.deepEqual(sheets[0]?.data[1]?.map(String), csv.toString().split('\r\n')[1]?.split(','));
    for (const [shown, title, row] of [
      ['Show as a table', 'Capability and disruption', sheets[0]?.data[1]?.slice(0, 2)],
      ['All solutions', 'All solutions', sheets[2]?.data[1]],
    ] as const) {
      await page.getByText(shown, { exact: true }).first().click();
      const file = `${title.toLowerCase().replaceAll(' ', '-')}.csv`;
      const table = (await saved(new RegExp(`^CSV\\s*: ${title}`), file)).toString();
      assert.ok(table.includes(`${row?.join()}`), table);
    }
    const html = (await saved('Save page (HTML)', `run-${id}.html`)).toString('utf8');
    assert.ok(html.startsWith('<!doctype html>') && html.includes(id) && !html.includes('<script'));
    const pictures = html.split('<img src="data:image/svg+xml;').slice(1);
    assert.equal(pictures.length, await page.locator('figure.chart').count());
    // A picture shows no cursor, so its legend has the years of disruption and not the energies in one year.
    const legend = decodeURIComponent(pictures[2] ?? '').replaceAll(/<[^>]*>/g, ' ');
    assert.match(legend, /energy +○ +1 +transport +○ +1 +health +○ +2 +farming +○ +disruption/);
    const population = decodeURIComponent(pictures[3]?.split('"', 1)[0] ?? '');
    assert.match(population, /<path [^>]*opacity="0.4"/);
    assert.match(population, /Risk: energy shortfall in bad cases/);
    assert.doesNotMatch(population, /Browse solutions/);
    const made = await page.innerText('.eyebrow time');
    await page.setContent(html);
    const text = await page.innerText('body');
    assert.match(text, /✓ Succeeded · first look · Requested [^·]* · Duration[^]*Capability at the end/);
    assert.ok(text.includes(made) && !text.includes('Copy'));
  });

  it('has an address that can be sent: it names the run and holds no token', async () => {
    const { id } = await succeeded(suite, { entropy: 3 });
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page } = await suite.signIn(options, `#/run/${id}`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await until(page, `navigator.clipboard.readText().then((link) => link === '${suite.server().url}#/run/${id}')`);
    const other = await suite.open({}, `#/run/${id}`);
    await other.page.waitForSelector('#token');
    assert.doesNotMatch(await words(other.page), /Capability/);
    await enter(other.page, suite.server().token);
    await loaded(other.page);
    assert.equal(await other.page.textContent('h1 code'), id);
  });
});
