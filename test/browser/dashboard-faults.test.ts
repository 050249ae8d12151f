/** What goes wrong on the dashboard: responses and the progress socket of the real server are replaced on their way to the page. */
import assert from 'node:assert/strict';
import type { Page, WebSocketRoute } from 'playwright-core';
import { refusals, type Refusal } from '../../src/base/refusal.js';
import type { Run } from '../../src/codec/api-simulation.js';
import { real } from '../support/real.js';
import { ask, drawn, enter, failing, loaded, rowsOf, told, until, words } from './console-given.js';
import { dashboardForSuite, endless, started, succeeded } from './dashboard-given.js';

const internal: Refusal = { code: 'integrity', detail: 'the journal cannot be read' };
const quick = { horizon: 2, pop_size: 4, generations: 20 };

/** Answers what matches with a problem; `page.unrouteAll` ends it. */
const refuse = (page: Page, path: RegExp, refusal: Refusal, headers: Record<string, string> = {}): Promise<unknown> =>
  failing(page, path, { ...refusals[refusal.code], ...refusal }, headers);

real('chromium', 'the dashboard: faults', () => {
  const suite = dashboardForSuite();

  /** Signs in on a page that was prepared before it asked for anything; its progress sockets are the test's. */
  async function signInTo(hash: string, prepare: (page: Page) => Promise<unknown>) {
    const { page } = await suite.open({}, hash);
    let isDown = false;
    let newest: WebSocketRoute | null = null;
    await page.routeWebSocket(/\/ws\/progress/, async (socket) => {
      if (isDown) await socket.close({ code: 1011 });
      else newest = socket;
    });
    await prepare(page);
    await page.reload();
    await enter(page, suite.server().token);
    await page.waitForSelector('.feed-live');
    await loaded(page);
    return {
      page,
      tell: (message: object) => newest?.send(JSON.stringify(message)),
      drop: async () => {
        isDown = true;
        await newest?.close({ code: 1011 });
      },
      restore: () => (isDown = false),
    };
  }

  const recordOf = async (id: string): Promise<Run> => (await (await suite.api('GET', `/runs/${id}`)).json()) as Run;

  it('shows that there is no run yet, and nothing to compare or to summarize', async () => {
    const { page, go } = await suite.signIn({}, '#/runs');
    assert.match(await words(page), /No runs yet/);
    await go('#/insight');
    assert.match(await words(page), /No run has succeeded yet/);
    await go('#/compare');
    assert.match(await words(page), /Select at least two runs/);
  });

  it('shows a failure of the server with its message, and tries again', async () => {
    await succeeded(suite, quick);
    const { page } = await signInTo('#/', () => Promise.resolve());
    await refuse(page, /\/runs\?/, internal);
    await ask(page, `location.hash = '#/runs'`);
    await page.waitForSelector('[role=alert]');
    assert.match(await words(page), /the journal cannot be read/);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('.list-runs');
    assert.equal(await page.locator('[role=alert]').count(), 0);
  });

  it('shows when a busy server can be tried again, and tries by itself', async () => {
    const { page } = await suite.signIn();
    await refuse(page, /\/runs\?/, { code: 'busy', detail: 'asked too often' }, { 'Retry-After': '1' });
    await ask(page, `location.hash = '#/runs?state=succeeded'`);
    await page.waitForSelector('[role=alert]');
    assert.match(await words(page), /asked too often\s*Try again in 1 s\./);
    await page.unrouteAll();
    await until(page, `document.querySelector('[role=alert]') === null`);
    await page.route(/\/runs\?/, (route) => route.abort());
    await ask(page, `location.hash = '#/'`);
    await page.waitForSelector('[role=alert]');
    await page.unrouteAll();
    await until(page, `document.querySelector('[role=alert]') === null`);
  });

  it('keeps a request that the server refuses, and shows its faults at the fields', async () => {
    const { page } = await suite.signIn();
    const errors = [{ path: 'pop_size', message: 'must be at least 2 for each of 30 islands' }];
    await refuse(page, /\/simulate$/, { code: 'invalid', detail: 'pop_size', errors });
    await page.fill('[data-path=pop_size]', '40');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForSelector('.field-bad');
    assert.equal(await page.inputValue('[data-path=pop_size]'), '40');
    assert.match((await page.textContent('.field-bad')) ?? '', /at least 2 for each of 30 islands/);
  });

  it('does not take a reader away who went elsewhere while the request was on its way', async () => {
    const { page } = await suite.signIn();
    let goOn = (): void => undefined;
    const isElsewhere = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/simulate', (route) => isElsewhere.then(() => route.continue()));
    await page.getByRole('button', { name: 'Start run' }).click();
    await ask(page, `location.hash = '#/compare'`);
    await page.waitForSelector('h1:has-text("Compare")');
    await told(page, 'Run started', () => Promise.resolve(goOn()));
    assert.equal(await ask(page, 'location.hash'), '#/compare');
  });

  it('shows the progress of a run, and why it fails', async () => {
    const { id } = await succeeded(suite, quick);
    let now: Partial<Run> = { state: 'queued', started_at: null, finished_at: null, progress: 0, outcome: null };
    const { page, tell } = await signInTo(`#/run/${id}`, async (opened) => {
      const record = await recordOf(id);
      await opened.route(new RegExp(`/runs/${id}$`), (route) => route.fulfill({ json: { ...record, ...now } }));
    });
    assert.match(await words(page), /Waiting in the queue/);
    tell({ id, type: 'generation', generation: 9 });
    await until(page, `/generation 9 of 20/.test(document.querySelector('main').textContent)`);
    assert.equal(await page.getAttribute('main progress', 'value'), '0.45');
    now = { state: 'failed', error: { code: 'interrupted', message: 'the process ended before the run did' } };
    tell({ id, type: 'ended', state: 'failed' });
    await until(page, `/The run failed.*interrupted/.test(document.querySelector('main').textContent)`);
  });

  it('does not go on showing a run that the server does not have any more, as one of another home', async () => {
    const id = await started(suite, endless);
    const { page, drop, restore } = await signInTo(`#/run/${id}`, () => Promise.resolve());
    await page.waitForSelector('.running');
    await refuse(page, new RegExp(`/runs/${id}`), { code: 'not_found', detail: `there is no run ${id}` });
    await drop();
    restore();
    await page.waitForSelector('[role=alert]');
    await suite.api('DELETE', `/runs/${id}`);
    assert.doesNotMatch(await words(page), /Running|Cancel run/);
  });

  it('shows a broken connection, reconnects, and shows what arrived meanwhile, late where the server limits requests', async () => {
    const { page, drop, restore } = await signInTo('#/runs', () => Promise.resolve());
    const count = await page.locator('.list-runs tbody tr').count();
    await drop();
    await page.waitForSelector('.feed-broken');
    await succeeded(suite, quick);
    await refuse(page, /\/runs\?/, { code: 'too_many_requests', detail: 'more than 60' }, { 'Retry-After': '1' });
    const refused = page.waitForResponse((response) => response.status() === 429);
    restore();
    await (await refused).finished();
    await drawn(page);
    assert.equal(await page.locator('[role=alert]').count(), 0);
    await page.unrouteAll();
    await until(page, `document.querySelectorAll('.list-runs tbody tr').length === ${count + 1}`);
  });

  it('shows that the server hangs, and that it responds again', async () => {
    const { page } = await suite.open();
    await page.clock.install();
    await page.reload();
    await enter(page, suite.server().token);
    await page.waitForSelector('.feed-live');
    suite.server().hang(true);
    const opened = page.waitForEvent('websocket');
    await page.clock.fastForward(30_000);
    await opened;
    await page.clock.fastForward(30_000);
    await page.waitForSelector('.feed-broken').finally(() => suite.server().hang(false));
    await page.waitForSelector('.feed-live');
  });

  it('follows a run to its results where no WebSocket can be opened', async () => {
    const { page } = await suite.open({}, '#/runs');
    await page.routeWebSocket(/\/ws\/progress/, (socket) => void socket.close({ code: 1011 }));
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    await page.reload();
    await enter(page, suite.server().token);
    await page.waitForSelector('.feed-broken');
    const { id } = await succeeded(suite, quick);
    // For the page it goes on at first, however fast it was.
    const record: Run = { ...(await recordOf(id)), state: 'running', finished_at: null, outcome: null };
    await page.route(new RegExp(`/runs/${id}$`), (route) => route.fulfill({ json: record }), { times: 1 });
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    await page.route(`**/runs/${id}?wait=*`, (route) => ended.then(() => route.continue()));
    await ask(page, `location.hash = '#/run/${id}'`);
    await page.waitForSelector('.running');
    end();
    await page.waitForSelector('.chart svg[role=img]');
    assert.ok(asked.filter((each) => each === `/runs/${id}?wait=20`).length >= 1, asked.join(' '));
  });

  it('ends the session when the token is no longer accepted', async () => {
    const { page } = await suite.signIn({}, '#/runs');
    await refuse(page, /\/results\//, { code: 'forbidden', detail: 'the token is wrong' });
    await page.locator('.list-runs a').first().click();
    await page.waitForSelector('#token');
    assert.match(await words(page), /no longer accepts the token/);
  });

  it('shows the other runs of a comparison when one is missing', async () => {
    const there = [await succeeded(suite, quick), await succeeded(suite, { ...quick, entropy: 4 })];
    const missing = 'f'.repeat(16);
    const { page } = await suite.signIn({}, `#/compare?ids=${[...there.map(({ id }) => id), missing].join(',')}`);
    assert.match(await words(page), new RegExp(`Could not load run ${missing}`));
    assert.equal(await page.locator('.chart svg[role=img] .line path').count(), 2);
  });

  it('shows that genes did not arrive, and requests them again', async () => {
    const { id } = await succeeded(suite, quick);
    const { page } = await suite.signIn({}, `#/run/${id}`);
    await refuse(page, /\?genome=1$/, internal);
    await page.getByRole('button', { name: 'Most effective' }).click();
    await page.waitForSelector('.chosen-one [role=alert]');
    await page.unrouteAll();
    await page.locator('.chosen-one').getByRole('button', { name: 'Try again' }).click();
    assert.notDeepEqual(await rowsOf(page, '.chosen-one table.data'), []);
  });

  it('highlights an unresponsive agent, and shows its restart after a refresh', async () => {
    let market = { age: 7.3, restarts: 2 };
    const { page } = await signInTo('#/', async (opened) => {
      const status = (await (await suite.api('GET', '/status')).json()) as { readonly agents: object };
      await opened.route(/\/status$/, (route) => {
        const beat = { last_beat: Date.now() / 1000 - market.age, restarts: market.restarts };
        return route.fulfill({ json: { ...status, agents: { ...status.agents, market: beat } } });
      });
    });
    const row = async (): Promise<string[] | undefined> =>
      (await rowsOf(page, '.agents table.data')).find(([name]) => name === 'Market');
    const [name, state, beat = '', restarts] = (await row()) ?? [];
    assert.deepEqual([name, state, restarts], ['Market', '! unresponsive', '2']);
    // The heartbeat grows older while the response is on its way.
    assert.ok(Number(/^(\d+\.\d) s ago$/.exec(beat)?.[1]) >= 7.3, beat);
    market = { age: 0.2, restarts: 3 };
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(
      page,
      `[...document.querySelectorAll('.agents tr')].some((row) => /Market✓ responding/.test(row.textContent.replace(/\\s*✓/, '✓')))`,
    );
    assert.equal((await row())?.[3], '3');
  });

  it('pages through a long list, and keeps the selection', async () => {
    for (let i = 0; i < 27; i++) await succeeded(suite, { ...quick, horizon: 1, generations: 1 });
    const { page } = await suite.signIn({}, '#/runs?state=succeeded');
    await page.locator('.list-runs input').first().check();
    await page.getByRole('link', { name: 'Older →' }).click();
    await loaded(page);
    assert.match(await ask<string>(page, 'location.hash'), /cursor=./);
    for (let i = 0; i < 5; i++) await page.locator('.list-runs input').nth(i).check();
    assert.match(await words(page), /6 runs selected\. You can compare at most six\./);
    assert.equal(await page.locator('.list-runs input').nth(5).isDisabled(), true);
    await page.locator('.picked').getByRole('link', { name: 'Compare' }).click();
    await page.waitForSelector('h1:has-text("Compare")');
    await page.goBack();
    await page.getByText('6 runs selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    assert.equal(await page.locator('.list-runs input:checked').count(), 0);
  });
});
