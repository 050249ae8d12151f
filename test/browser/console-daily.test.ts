/** A day's work in the console: a long list, an agent that goes away and comes back, the journal as an audit view, keys. */
import assert from 'node:assert/strict';
import { faults, nameRules } from '../support/console/accessibility.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import type { Role } from './console-daemon.js';
import { ask, consoleForSuite, drawn, loaded, send, small, until, words } from './console-given.js';
import type { Page } from 'playwright-core';

real('chromium', 'the console: a day of work', () => {
  const suite = consoleForSuite();
  const wide = { width: 1440, height: 900 };

  async function post(role: Role, path: string, body: unknown = ''): Promise<{ readonly id: string }> {
    const response = await send(suite.server(), path, body, suite.server().tokens[role]);
    assert.ok(response.ok, `${path}: ${response.status}`);
    return (await response.json()) as { readonly id: string };
  }
  const goals = (page: Page): Promise<string[]> => page.locator('.list tbody .goal').allTextContents();
  const rowsAre = (page: Page, count: number): Promise<void> =>
    until(
      page,
      `document.querySelector('.list[aria-busy=false]') !== null && document.querySelectorAll('.list tbody tr').length === ${count}`,
    );
  let done = '';

  before(async () => {
    for (let i = 1; i <= 20; i++) {
      const goal = `Repair ${String.fromCharCode(64 + ((i * 7) % 20) + 1)}`;
      const { id } = await post(i <= 17 ? 'admin' : 'reviewer', 'missions', { ...small, goal });
      if (i === 1) done = id;
    }
    await post('admin', `missions/${done}/execute?wait=1`);
  });

  it('shows 15 missions and more on a screen that is 900 pixels high', async () => {
    const { page } = await suite.at('#/missions', { viewport: wide });
    const whole = await ask<number>(
      page,
      `[...document.querySelectorAll('.list tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`,
    );
    assert.ok(whole >= 15, `${whole} rows`);
    const widths = `new Set(['.list', '.command'].map((each) => document.querySelector(each).getBoundingClientRect().width)).size`;
    assert.equal(await ask(page, widths), 1, 'the command is as wide as the list');
  });

  it('sorts by a column, both ways, as the command does', async () => {
    const { page } = await suite.at('#/missions', { viewport: wide });
    const head = page.getByRole('columnheader', { name: 'Goal' });
    for (const order of ['ascending', 'descending']) {
      await head.getByRole('link').click();
      await page.waitForSelector(`th[aria-sort=${order}] >> text=Goal`);
      await loaded(page);
      assert.match(await page.evaluate<string>(`document.activeElement.textContent`), /^Goal/, 'the focus');
      const command = (await page.textContent('.command code')) ?? '';
      assert.match(command, /--sort goal/);
      const { items } = suite.server().cli.json(...command.split(' ').slice(1)) as { items: { goal: string }[] };
      assert.deepEqual(
        await goals(page),
        items.map(({ goal }) => goal),
      );
      const sorted = (await goals(page)).toSorted();
      assert.deepEqual(await goals(page), order === 'ascending' ? sorted : sorted.toReversed());
    }
    assert.match(page.url(), /sort=goal&order=desc$/);
  });

  it('narrows the list to who acted and to days', async () => {
    const { page } = await suite.at('#/missions', { viewport: wide });
    await page.getByLabel('Who acted').fill('reviewer');
    await rowsAre(page, 3);
    const today = await ask<string>(page, `new Date().toLocaleDateString('sv')`);
    await page.getByLabel('Changed from').fill('2020-01-01');
    await page.getByLabel('Changed until').fill(today);
    await until(page, `location.hash.endsWith('until=${today}')`);
    await rowsAre(page, 3);
    await page.getByLabel('Changed until').fill('2020-01-02');
    await page.waitForSelector('.empty');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowsAre(page, 20);
    await until(page, `document.querySelector('#content input[type=date]').value === ''`);
  });

  it('cancels several missions after a question with their number, and shows the result of each', async () => {
    const { page } = await suite.at('#/missions?state=queued&actor=reviewer', { role: 'reviewer', viewport: wide });
    await rowsAre(page, 3);
    await page.getByRole('button', { name: 'Select all that can be cancelled (3)' }).click();
    await page.getByRole('button', { name: 'Cancel 3 missions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 3 missions?' });
    await dialog.waitFor();
    const ids = await dialog.locator('.id').allTextContents();
    assert.equal(ids.length, 3);
    // Somebody else cancels one of them meanwhile.
    const { items } = suite.server().cli.json('list', '--state', 'queued', '--q', ids[1] ?? '') as { items: { id: string }[] };
    await post('admin', `missions/${items[0]?.id}/cancel`);
    await dialog.getByRole('button', { name: 'Cancel 3 missions' }).click();
    await dialog.getByRole('button', { name: 'Back to the list' }).waitFor();
    const said = await dialog.locator('li').allTextContents();
    assert.match(said[0] ?? '', /Cancelled$/);
    assert.match(said[1] ?? '', /Could not cancel the mission: .*wrong_state/);
    assert.match(said[2] ?? '', /Cancelled$/);
    await dialog.getByRole('button', { name: 'Back to the list' }).click();
    await page.waitForSelector('.empty');
    const failed = suite.server().cli.json('list', '--state', 'failed') as { items: unknown[] };
    assert.equal(failed.items.length, 3);
  });

  it('reports once that the agent is away, and shows everything again when it is back', async () => {
    const { page } = await suite.signIn({ alone: true });
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(request.url()));
    await page.waitForSelector('.feed-live');
    // The agent is away while the browser has a network: no event says when it is back.
    await page.evaluate(`addEventListener('online', (event) => event.stopImmediatePropagation())`);
    await page.context().setOffline(true);
    await ask(page, `location.hash = '#/doctor'`);
    await page.waitForSelector('.banner-away');
    assert.equal(await page.locator('.feed-live').count(), 0);
    await until(page, `document.querySelector('main h1').textContent === 'Doctor'`);
    const parts = ['/api/doctor', '/api/agents'];
    await until(page, `document.querySelectorAll('.loading').length === ${parts.length}`);
    // They are said to be loading before their requests have failed, too.
    for (const part of parts) while (!failed.some((url) => url.endsWith(part))) await page.waitForEvent('requestfailed');
    await drawn(page);
    assert.equal(await page.locator('[role=alert]:not(:empty)').count(), 1);
    assert.equal(await page.locator('.problem').count(), 0);
    await page.context().setOffline(false);
    await page.waitForSelector('.banner-away', { state: 'detached' });
    await page.waitForSelector('.agents tbody tr');
    await page.waitForSelector('.checks li');
    await page.waitForSelector('.feed-live');
  });

  it('shows in the journal who did what, in which stage and with which content, and filters by each', async () => {
    const { page, go } = await suite.at(`#/journal?mission=${done.slice(0, 8)}`, { viewport: wide });
    const cells = (column: string): Promise<string[]> =>
      page.locator(`.list-journal td[data-label="${column}"]`).allTextContents();
    const actors = await cells('Who');
    assert.equal(actors.at(-1), 'operator HTTP API, with a token');
    assert.ok(actors.includes('Agent'));
    assert.match((await cells('What')).at(-1) ?? '', /Mission queued mission\.submitted/);
    assert.deepEqual((await cells('Stage')).toReversed().slice(0, 3), ['Planning', 'Research', 'Strategy']);
    await page.getByLabel('What').selectOption({ label: 'Mission queued' });
    await until(page, `document.querySelectorAll('.list-journal tbody tr').length === 1`);
    await page.locator('.list-journal .content summary').click();
    await page.waitForSelector('.list-journal pre');
    const { goal } = JSON.parse((await page.textContent('.list-journal pre')) ?? '') as { goal: string };
    assert.equal(await page.textContent('.list-journal .summary'), goal);
    await go('#/journal?type=mission&actor=reviewer');
    const types = await cells('What');
    assert.ok(types.length >= 5 && types.every((each) => each.includes('mission.')), String(types));
    assert.deepEqual(new Set(await cells('Who')), new Set(['reviewer HTTP API, with a token']));
    await go('#/journal?until=2020-01-01');
    assert.match(await words(page), /No entry matches these filters/);
  });

  it('moves to the search with /, through the list with j and k, and shows its keys with ?, but not while somebody types', async () => {
    const { page, go } = await suite.at('#/missions', { viewport: wide });
    const focused = (): Promise<string> => ask(page, `document.activeElement.textContent`);
    const [first = '', second = ''] = await goals(page);
    await page.keyboard.press('j');
    assert.equal(await focused(), first);
    await page.keyboard.press('j');
    assert.equal(await focused(), second);
    await page.keyboard.press('k');
    assert.equal(await focused(), first);
    await page.keyboard.press('/');
    await page.keyboard.type('jk?/');
    assert.equal(await page.inputValue('input[type=search]'), 'jk?/');
    assert.equal(await page.locator('dialog').count(), 0);
    // The search is in the address once typing rests, and not after the page has changed.
    await until(page, `/q=jk/.test(location.hash)`);
    await go('#/doctor');
    await page.keyboard.press('/');
    await until(page, `document.activeElement.matches('[data-search]') && location.hash === '#/missions'`);
    await go('#/tools');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await dialog.getByLabel('Use these shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The page no longer listens once it is drawn.
    await drawn(page);
    await page.keyboard.press('?');
    await page.keyboard.press('j');
    assert.equal(await page.locator('dialog').count(), 0);
    assert.equal(await ask(page, `document.activeElement.closest('.list') === null`), true);
  });

  it('names every control by what it shows, and has no accessibility fault in French', async () => {
    const { page, go } = await suite.signIn({ locale: 'fr-FR', viewport: wide });
    // Everything else is the same in English, where test/browser/console-access.test.ts looks at it.
    const only = fullEffort ? {} : { only: [...nameRules] };
    for (const hash of ['#/missions', `#/missions/${done}`, '#/journal', '#/new', '#/doctor', '#/tools']) {
      await go(hash);
      if (hash === '#/missions') await page.getByRole('button', { name: /^Sélectionner tout/ }).click();
      assert.deepEqual(await faults(page, { also: ['label-content-name-mismatch'], ...only }), [], hash);
    }
  });
});
