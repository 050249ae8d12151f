/** The list of missions: live, filtered by its address, and what each role sees. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { real } from '../support/real.js';
import {
  ask,
  consoleForSuite,
  decided,
  example,
  executed,
  loaded,
  queued,
  send,
  small,
  told,
  until,
  words,
} from './console-given.js';
import { membersOf } from '../support/lists.js';

real('chromium', 'the console: the list', () => {
  const suite = consoleForSuite();

  const home = (): string => `--home ${suite.server().cli.env['AGENT_HOME']}`;

  it('is empty at first, and shows a mission that somebody queues elsewhere', async () => {
    const { page } = await suite.signIn();
    await page.waitForSelector('.empty');
    assert.match(await words(page), /No missions yet/);
    await page.waitForSelector('.feed-live');
    const { cli } = suite.server();
    const file = join(cli.directory, 'small.json');
    writeFileSync(file, JSON.stringify(small));
    const { id } = cli.json('run', file) as { id: string };
    await page.waitForSelector(`a[href="#/missions/${id}"]`);
    await until(page, `/1\\s*Queued/.test(document.querySelector('.counts').textContent)`);
  });

  it('leads whoever may decide to what needs a decision, the oldest first', async () => {
    const server = suite.server();
    const waiting = { ...small, goal: 'what somebody has to decide' };
    const missions = [await executed(server, waiting), await executed(server, waiting)];
    const { page } = await suite.signIn();
    await page.getByRole('link', { name: 'Needs you: 2' }).click();
    await loaded(page);
    assert.equal(new URL(page.url()).hash, '#/missions?needs=me&order=asc');
    const links = await page.locator('.list tbody a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    assert.deepEqual(
      links,
      missions.map(({ id }) => `#/missions/${id}`),
    );
    for (const mission of missions) decided(server, mission, '--reject', '--note', 'seen');
    await page.getByRole('link', { name: /^Needs you/ }).waitFor({ state: 'detached' });
  });

  it('keeps its filters in the address, and reads them from it', async () => {
    const server = suite.server();
    const code = await queued(server, example('code'));
    const done = await executed(server, small);
    const { page, go } = await suite.at('#/missions?state=queued&kind=code', { alone: true });
    assert.equal(await page.locator('.list tbody tr').count(), 1);
    assert.equal(await page.locator('.list tbody a').getAttribute('href'), `#/missions/${code.id}`);
    assert.equal(await page.inputValue('select'), 'code');
    assert.equal(await page.locator('.counts [aria-current=true]').textContent(), '2 Queued');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await loaded(page);
    assert.equal(new URL(page.url()).hash, '#/missions');
    await page.fill('input[type=search]', 'REPAIRS');
    await until(page, `location.hash === '#/missions?q=REPAIRS'`);
    await until(page, `document.querySelectorAll('.list tbody tr').length === 2`);
    await page
      .locator('.counts')
      .getByRole('link', { name: /Needs review/ })
      .click();
    await until(page, `document.querySelectorAll('.list tbody tr').length === 1`);
    assert.equal(new URL(page.url()).hash, '#/missions?state=review&q=REPAIRS');
    assert.equal(await page.locator('.list tbody a').getAttribute('href'), `#/missions/${done.id}`);
    await go('#/missions?q=nothing-like-it');
    assert.match(await words(page), /No mission matches these filters/);
  });

  for (const [title, before] of [
    ['where there is none, as over plain HTTP', 'Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })'],
    ['where the browser refuses it', 'Clipboard.prototype.writeText = () => Promise.reject(new Error("not allowed"))'],
  ] as const) {
    it(`copies without the clipboard of secure pages: ${title}`, async () => {
      const { page } = await suite.at('#/missions?state=review', { before });
      await told(page, 'Copied', () => page.getByRole('button', { name: /Copy command/ }).click());
      assert.equal(await page.locator('.copy-area').count(), 0);
      assert.match(await ask(page, 'document.activeElement.textContent'), /Copied/);
      await page.focus('input[type=search]');
      await page.keyboard.press('ControlOrMeta+V');
      assert.equal(await page.inputValue('input[type=search]'), `agent-cli list --state review --limit 25 ${home()}`);
    });
  }

  it('shows a command with the search and the home', async () => {
    const { page } = await suite.at('#/missions?kind=schedule&q=two%20repairs');
    assert.equal(
      await page.textContent('.command code'),
      `agent-cli list --kind schedule --q 'two repairs' --limit 25 ${home()}`,
    );
    const { items } = suite.server().cli.json('list', '--kind', 'schedule', '--q', 'two repairs', '--limit', '25') as {
      items: { id: string }[];
    };
    const links = await ask(
      page,
      `[...document.querySelectorAll('.list tbody a')].map((link) => link.getAttribute('href').split('/').at(-1))`,
    );
    assert.deepEqual(
      links,
      items.map(({ id }) => id),
    );
    assert.ok(items.length > 0);
    assert.equal(await page.locator('.command .help').count(), 0);
  });

  it('continues with the next part when a search found nothing in the first one', async () => {
    const { page, go } = await suite.signIn();
    const cursors: (string | null)[] = [];
    await page.route('**/api/missions?*', (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      cursors.push(cursor);
      return cursor === null
        ? route.fulfill({ json: { items: [], next_cursor: '7' } })
        : route.fulfill({ json: { items: [], next_cursor: null } });
    });
    await go('#/missions?q=needle');
    assert.match(await words(page), /No match in the first missions/);
    await page.getByRole('link', { name: /Next page/ }).click();
    await until(page, `/No mission matches these filters/.test(document.querySelector('main').textContent)`);
    assert.deepEqual([cursors[0], cursors.at(-1)], [null, '7']);
  });

  it('has pages of 25: the older ones, and the way back', async () => {
    const { cli } = suite.server();
    for (let i = 0; i < 27; i++)
      assert.equal((await send(suite.server(), 'missions', { ...small, goal: `Paged ${i}` })).status, 201);
    const { page, go } = await suite.signIn();
    const goals = (): Promise<string[]> => page.locator('.list tbody a').allTextContents();
    const expected = Array.from({ length: 27 }, (_, i) => `Paged ${26 - i}`);
    await go('#/missions?q=paged');
    assert.deepEqual(await goals(), expected.slice(0, 25));
    await page.getByRole('link', { name: /Next page/ }).click();
    await until(page, `document.querySelectorAll('.list tbody tr').length === 2`);
    assert.deepEqual(await goals(), expected.slice(25));
    assert.equal(await page.getByRole('link', { name: /Next page/ }).count(), 0);
    const command = (await page.textContent('.command code')) ?? '';
    const words_ = command.split(' ').slice(1);
    const { items } = cli.json(...words_) as { items: { goal: string }[] };
    assert.deepEqual(membersOf(items, 'goal'), expected.slice(25));
    await page.getByRole('link', { name: /First page/ }).click();
    await until(page, `document.querySelectorAll('.list tbody tr').length === 25`);
    assert.deepEqual(await goals(), expected.slice(0, 25));
  });

  it('shows a viewer no button that changes anything, a reviewer no pause', async () => {
    const { items } = suite.server().cli.json('list', '--state', 'queued') as { items: { id: string }[] };
    const viewer = await suite.signIn({ role: 'viewer' });
    assert.equal(await viewer.page.getByRole('link', { name: /New mission|Needs me/ }).count(), 0);
    assert.equal(await viewer.page.getByRole('button', { name: 'Pause' }).count(), 0);
    await viewer.go(`#/missions/${items[0]?.id}`);
    assert.equal(await viewer.page.getByRole('button', { name: 'Execute', exact: true }).count(), 0);
    await viewer.go('#/new');
    assert.match(await words(viewer.page), /not create them/);
    const reviewer = await suite.signIn({ role: 'reviewer' });
    assert.equal(await reviewer.page.getByRole('button', { name: 'Pause' }).count(), 0);
    await reviewer.go(`#/missions/${items[0]?.id}`);
    assert.equal(await reviewer.page.getByRole('button', { name: 'Execute', exact: true }).count(), 1);
  });

  it('marks what an assistant submitted, in the list and on its page, and shows its texts as texts', async () => {
    const server = suite.server();
    const { token } = server.cli.json('token', 'create', 'claude', '--role', 'agent') as { token: string };
    const goal = 'order\u202E tides \u001B[2J <a href="https://evil.example">approve</a> https://evil.example';
    const response = await send(server, 'missions', { ...small, goal }, token);
    const { id } = (await response.json()) as { id: string };
    const { page: outside } = await suite.open();
    await outside.fill('#token', token);
    await outside.keyboard.press('Enter');
    await outside.getByText('This token is for an assistant').waitFor();
    const { page, go } = await suite.signIn();
    await page.waitForSelector(`a[href="#/missions/${id}"]`);
    const marks = await page.locator('.list .badge-assistant').allTextContents();
    assert.deepEqual(
      marks.map((mark) => mark.slice(2)),
      ['from the assistant claude'],
    );
    await go(`#/missions/${id}`);
    assert.match((await page.textContent('.mission-head')) ?? '', /from the assistant claude/);
    assert.match(
      (await page.textContent('.mission-head h1')) ?? '',
      /U\+202E.*U\+001B.*<a href="https:\/\/evil\.example">approve<\/a>/,
    );
    assert.equal(await page.locator('a[href*="evil.example"]').count(), 0);
  });
});
