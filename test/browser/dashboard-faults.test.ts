/** What goes wrong on the dashboard, from a stand-in server that does wrong when it is told to. */
import assert from 'node:assert/strict';
import { finish, startDashboardMock } from '../support/dashboard-mock.js';
import type { MockRun } from '../support/dashboard-mock-runs.js';
import { real } from '../support/real.js';
import { ask, loaded, rowsOf, until, words } from './console-given.js';
import { suiteWith } from './dashboard-given.js';

const internal = { code: 'integrity', detail: 'the journal cannot be read' } as const;

real('chromium', 'the dashboard: faults', () => {
  const suite = suiteWith(startDashboardMock);
  const made = (request: unknown): MockRun => {
    const run = suite.server().runs.request(request);
    if (run._tag === 'Left') throw new Error(run.left.detail);
    return run.right;
  };
  afterEach(() => suite.server().failures.clear());

  it('shows that there is no run yet, and nothing to compare or to summarize', async () => {
    const { page, go } = await suite.signIn({}, '#/runs');
    assert.match(await words(page), /No runs yet/);
    await go('#/insight');
    assert.match(await words(page), /No run has succeeded yet/);
    await go('#/compare');
    assert.match(await words(page), /Select at least two runs/);
  });

  it('shows a failure of the server with its message, and tries again', async () => {
    const { page } = await suite.signIn();
    suite.server().failures.set('GET /runs', internal);
    await ask(page, `location.hash = '#/runs'`);
    await page.waitForSelector('[role=alert]');
    assert.match(await words(page), /the journal cannot be read/);
    suite.server().failures.clear();
    finish(suite.server().runs, made({ entropy: 3 }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('.list-runs');
    assert.equal(await page.locator('[role=alert]').count(), 0);
  });

  it('shows when a busy server can be tried again, and tries by itself', async () => {
    const { page } = await suite.signIn();
    suite.server().failures.set('GET /runs', { code: 'busy', detail: 'asked too often', facts: { retry_after_s: 1 } });
    await ask(page, `location.hash = '#/runs?state=succeeded'`);
    await page.waitForSelector('[role=alert]');
    assert.match(await words(page), /asked too often\s*Try again in 1 s\./);
    suite.server().failures.clear();
    await until(page, `document.querySelector('[role=alert]') === null`);
  });

  it('keeps a request that the server refuses, and shows its faults at the fields', async () => {
    const { page } = await suite.signIn();
    const errors = [{ path: 'pop_size', message: 'must be at least 2 for each of 30 islands' }];
    suite.server().failures.set('POST /simulate', { code: 'invalid', detail: 'pop_size', errors });
    await page.fill('[data-path=pop_size]', '40');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForSelector('.field-bad');
    assert.equal(await page.inputValue('[data-path=pop_size]'), '40');
    assert.match((await page.textContent('.field-bad')) ?? '', /at least 2 for each of 30 islands/);
  });

  it('shows the progress of a run, and why it fails', async () => {
    const run = made({ generations: 20, entropy: 3 });
    const { page } = await suite.signIn({}, `#/run/${run.id}`);
    assert.match(await words(page), /Waiting in the queue/);
    suite.server().runs.begin(run, 9);
    await until(page, `/generation 9 of 20/.test(document.querySelector('main').textContent)`);
    assert.equal(await page.getAttribute('main progress', 'value'), '0.45');
    suite.server().runs.end(run, 'failed', { code: 'interrupted', message: 'the process ended before the run did' });
    await until(page, `/The run failed/.test(document.querySelector('main').textContent)`);
    assert.match(await words(page), /interrupted/);
  });

  it('cancels a queued run from the list', async () => {
    const { id } = made({});
    const { page } = await suite.signIn({}, '#/runs?state=queued');
    await page.getByRole('button', { name: `Cancel run ${id}` }).click();
    await page.waitForSelector('.empty');
    assert.equal(suite.server().runs.find(id)?.state, 'cancelled');
    assert.equal(await page.textContent('.toast'), `Run ${id} is being cancelled.`);
  });

  it('shows a broken connection, reconnects, and shows what arrived meanwhile', async () => {
    const { page } = await suite.signIn({}, '#/runs');
    await page.waitForSelector('.feed-live');
    const count = await page.locator('.list-runs tbody tr').count();
    suite.server().drop();
    await page.waitForSelector('.feed-broken');
    finish(suite.server().runs, made({}));
    await page.waitForSelector('.feed-live');
    await until(page, `document.querySelectorAll('.list-runs tbody tr').length === ${count + 1}`);
  });

  it('ends the session when the token is no longer accepted', async () => {
    const { page } = await suite.signIn({}, '#/runs');
    suite.server().failures.set('GET /results', { code: 'forbidden', detail: 'the token is wrong' });
    await page.locator('.list-runs a').first().click();
    await page.waitForSelector('#token');
    assert.match(await words(page), /no longer accepts the token/);
  });

  it('shows the other runs of a comparison when one is missing', async () => {
    const there = [made({ entropy: 3 }), made({ entropy: 4 })];
    for (const run of there) finish(suite.server().runs, run);
    const missing = 'f'.repeat(16);
    const { page } = await suite.signIn({}, `#/compare?ids=${[...there.map(({ id }) => id), missing].join(',')}`);
    assert.match(await words(page), new RegExp(`Could not load run ${missing}`));
    assert.equal(await page.locator('.chart svg[role=img] .line path').count(), 2);
  });

  it('shows that genes did not arrive, and requests them again', async () => {
    const run = made({ entropy: 3 });
    finish(suite.server().runs, run);
    const { page } = await suite.signIn({}, `#/run/${run.id}`);
    suite.server().failures.set(`GET /results/${run.id}`, internal);
    await page.getByRole('button', { name: 'Most effective' }).click();
    await page.waitForSelector('.chosen-one [role=alert]');
    suite.server().failures.clear();
    await page.locator('.chosen-one').getByRole('button', { name: 'Try again' }).click();
    assert.notDeepEqual(await rowsOf(page, '.chosen-one table.data'), []);
  });

  it('highlights an unresponsive agent, and shows its restart after a refresh', async () => {
    suite.server().agents.set('market', { age: 7.3, restarts: 2 });
    const { page } = await suite.signIn();
    const market = async (): Promise<string[] | undefined> =>
      (await rowsOf(page, '.agents table.data')).find(([name]) => name === 'Market');
    const [name, state, beat = '', restarts] = (await market()) ?? [];
    assert.deepEqual([name, state, restarts], ['Market', '! unresponsive', '2']);
    // The heartbeat grows older while the response is on its way.
    assert.ok(Number(/^(\d+\.\d) s ago$/.exec(beat)?.[1]) >= 7.3, beat);
    suite.server().agents.set('market', { age: 0.2, restarts: 3 });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(page, `!document.querySelector('.agents').textContent.includes('unresponsive')`);
    assert.equal((await market())?.[3], '3');
  });

  it('pages through a long list, and keeps the selection', async () => {
    for (let i = 0; i < 27; i++) finish(suite.server().runs, made({ horizon: 1 }));
    const { page } = await suite.signIn({}, '#/runs?state=succeeded');
    await page.locator('.list-runs input').first().check();
    await page.getByRole('link', { name: 'Older →' }).click();
    await loaded(page);
    assert.match(await ask<string>(page, 'location.hash'), /cursor=25/);
    for (let i = 0; i < 5; i++) await page.locator('.list-runs input').nth(i).check();
    assert.match(await words(page), /6 runs selected\. You can compare at most six\./);
    assert.equal(await page.locator('.list-runs input').nth(5).isDisabled(), true);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    assert.equal(await page.locator('.list-runs input:checked').count(), 0);
  });
});
