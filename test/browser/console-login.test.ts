/** Signing in, what the page may do (its own files, its own origin, no storage), and the live feed of many tabs. */
import assert from 'node:assert/strict';
import { real } from '../support/real.js';
import { freshFetch } from '../support/http/fetch.js';
import type { Page } from 'playwright-core';
import { ask, consoleForSuite, enter, failing, loaded, queued, small, told, until } from './console-given.js';
import { assertNone } from '../support/lists.js';

/** Notes the page's address at every request that its scripts make. */
const noting = `const send = fetch; window.addresses = []; window.fetch = (...args) => (window.addresses.push(location.href), send(...args));`;

/** As a browser does it when another tab is brought to the front; a page that is driven by a test is always visible. */
const show = (page: Page, visible: boolean): Promise<unknown> =>
  page.evaluate(
    `(Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!visible} }), document.dispatchEvent(new Event('visibilitychange')))`,
  );

real('chromium', 'the console: signing in', () => {
  const suite = consoleForSuite();

  it('refuses what cannot be a token, and a wrong one, and says where the token is', async () => {
    const { page } = await suite.open();
    assert.match((await page.textContent('#token-help')) ?? '', /api\.token/);
    await page.click('button[type=submit]');
    assert.equal(await page.textContent('#token-error'), 'Paste the token first.');
    await page.fill('#token', 'caf\u00e9 token');
    await page.keyboard.press('Enter');
    assert.match((await page.textContent('#token-error')) ?? '', /is not a token/);
    await page.fill('#token', 'x'.repeat(43));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#token-error:has-text("does not accept")');
    assert.equal(await page.locator('header.top').count(), 0);
  });

  it('keeps the token in memory only: not in the address, no storage, no cookie, and a reload forgets it', async () => {
    const { page, complaints } = await suite.signIn();
    const { admin } = suite.server().tokens;
    const places = '[location.href, { ...localStorage }, { ...sessionStorage }, document.cookie]';
    const kept = JSON.stringify(await page.evaluate(places));
    assert.ok(!kept.includes(admin));
    assert.equal((await page.content()).includes(admin), false);
    await page.reload();
    await page.waitForSelector('#token');
    assert.equal(await page.inputValue('#token'), '');
    assert.deepEqual(complaints, []);
  });

  it('locks: the token is forgotten and the page asks again', async () => {
    const { page } = await suite.signIn({ alone: true });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForSelector('#token');
    await enter(page, suite.server().tokens.viewer);
    assert.match((await page.textContent('.who')) ?? '', /viewer/);
  });

  it('loads its own files under its policy, with nothing inline and no other origin', async () => {
    const { page, requests, complaints, go } = await suite.signIn({ alone: true });
    for (const hash of ['#/new', '#/payments', '#/journal', '#/tools', '#/doctor', '#/missions']) await go(hash);
    const { origin } = new URL(suite.server().url);
    assertNone(requests, (address) => new URL(address).origin !== origin);
    const inline = await Promise.all(
      ['script:not([src])', 'style', '[style]', '[onclick],[onload],[onerror]'].map((each) => page.locator(each).count()),
    );
    assert.deepEqual(inline, [0, 0, 0, 0]);
    const policy = (await page.request.get(suite.server().url)).headers()['content-security-policy'] ?? '';
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /style-src 'self';/);
    assert.deepEqual(complaints, []);
  });

  it('reports that the agent no longer accepts the token, and returns to the sign-in page', async () => {
    const { page } = await suite.signIn();
    await failing(page, '**/api/tools', { status: 401, code: 'unauthorized', detail: 'revoked' });
    await page.evaluate(`location.hash = '#/tools'`);
    await page.waitForSelector('#token');
    assert.match((await page.textContent('#token-error')) ?? '', /no longer accepts/);
  });

  it('shows why an agent cannot report its state, and still offers doctor and pause', async () => {
    const { page } = await suite.open();
    const detail = 'entry 3 does not follow entry 2';
    const problem = { status: 500, code: 'integrity', title: 'Integrity', detail, errors: [{ path: '', message: detail }] };
    await failing(page, '**/api/status', problem);
    await page.fill('#token', suite.server().tokens.admin);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.limited');
    assert.match((await page.textContent('.limited .problem')) ?? '', /entry 3 does not follow entry 2(?!.*entry 3).*integrity/);
    await page.getByRole('button', { name: 'Open Doctor' }).click();
    await page.waitForSelector('.checks');
    const { checks, capabilities } = suite.server().cli.json('doctor') as { checks: unknown[]; capabilities: unknown[] };
    assert.equal(await page.locator('.checks li').count(), checks.length + capabilities.length);
    await told(page, 'paused', () => page.getByRole('button', { name: 'Pause', exact: true }).click());
    assert.equal((suite.server().cli.json('doctor') as { control: string }).control, 'paused');
    suite.server().cli.json('resume');
    await page.unroute('**/api/status');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForSelector('header.top');
  });

  const apiCall = (path: string, token: string, method = 'POST'): Promise<Response> =>
    freshFetch(new URL(path, suite.server().url).href, { method, headers: { Authorization: `Bearer ${token}` } });
  const freshCode = async (): Promise<string> =>
    ((await (await apiCall('api/login-code', suite.server().tokens.admin)).json()) as { code: string }).code;
  const linkOf = (code: string): string => `${suite.server().url}#login=${code}`;

  it('signs in by a login link, whose code leaves the address before anything is sent', async () => {
    const { page, complaints } = await suite.open({ before: noting });
    const code = await freshCode();
    await page.goto('about:blank');
    await page.goto(linkOf(code));
    await page.waitForSelector('header.top');
    assert.match((await page.textContent('.who')) ?? '', /operator · admin/);
    const addresses = await ask<string[]>(page, 'window.addresses');
    assert.ok(addresses.length >= 2);
    for (const address of [...addresses, page.url()]) assert.ok(!address.includes(code), address);
    const kept = await ask(page, 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])');
    assert.equal(kept, '[{},{},"",null]');
    assert.deepEqual(complaints, []);
    await page.reload();
    await page.waitForSelector('#token');
  });

  it('accepts a login link in an open tab too, and says when a link is used up', async () => {
    const { page } = await suite.open();
    const code = await freshCode();
    await page.evaluate(`location.hash = 'login=${code}'`);
    await page.waitForSelector('header.top');
    await page.evaluate(`location.hash = 'login=${code}'`);
    await page.waitForSelector('#token-error:has-text("no longer valid")');
    assert.equal(page.url(), suite.server().url);
    await enter(page, suite.server().tokens.viewer);
  });

  it('ends the session with signing out', async () => {
    const { page } = await suite.open();
    const status = page.waitForRequest((request) => request.url().endsWith('/api/status'));
    await page.evaluate(`location.hash = 'login=${await freshCode()}'`);
    const token = ((await (await status).allHeaders())['authorization'] ?? '').replace('Bearer ', '');
    await page.waitForSelector('header.top');
    assert.equal((await apiCall('api/status', token, 'GET')).status, 200);
    const ended = page.waitForResponse((response) => response.url().endsWith('/api/logout'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    assert.equal((await ended).status(), 200);
    assert.equal((await apiCall('api/status', token, 'GET')).status, 401);
  });

  it('signs a further tab in through one that is, with a code of its own', async () => {
    const { page } = await suite.signIn({ role: 'reviewer' });
    const further = await page.context().newPage();
    const exchanged = further.waitForRequest((request) => request.url().endsWith('/api/login'));
    await further.goto(suite.server().url);
    assert.match((await exchanged).postData() ?? '', /^\{"code":"[A-Za-z0-9_-]{22}"\}$/);
    await further.waitForSelector('header.top');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await further.getByRole('link', { name: 'Journal' }).click();
    await further.waitForSelector('main h1:has-text("Journal")');
    // A session that ended, as all do with the daemon, is opened anew once another tab has one.
    await further.route('**/api/tools', (route) => route.fulfill({ status: 401 }), { times: 1 });
    await further.getByRole('link', { name: 'Tools' }).click();
    await further.waitForSelector('#token');
    await enter(page, suite.server().tokens.viewer);
    await show(further, true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await enter(page, suite.server().tokens.reviewer);
    await show(further, true);
    await further.waitForSelector('main h1:has-text("Tools")');
    assert.match((await further.textContent('.who')) ?? '', /reviewer · reviewer/);
  });

  it('reports that the agent does not respond', async () => {
    const { page } = await suite.open();
    await page.route('**/api/status', (route) => route.abort());
    await page.fill('#token', 'abc');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.problem');
    assert.match((await page.textContent('.problem')) ?? '', /did not respond/);
  });

  // A browser allows six connections to one host, so a page that nobody sees holds none.
  it('works in eight tabs of one browser, and a tab that is shown again has missed nothing', async () => {
    const { page: first } = await suite.signIn();
    await first.waitForSelector('.feed-live');
    const pages = [first];
    while (pages.length < 8) {
      const before = pages.at(-1);
      if (before !== undefined) await show(before, false);
      const page = await first.context().newPage();
      await page.goto(suite.server().url);
      // Signed in through the tabs that are.
      await page.waitForSelector('.feed-live');
      pages.push(page);
    }
    const last = pages.at(-1) ?? first;
    await last.evaluate(`location.hash = '#/tools'`);
    await loaded(last);
    await first.waitForSelector('.feed-connecting');
    const { id } = await queued(suite.server(), small);
    await last.waitForTimeout(800);
    assert.equal(await first.locator(`a[href="#/missions/${id}"]`).count(), 0, 'a hidden page has no feed');
    await show(last, false);
    const resumed = first.waitForRequest('**/api/events');
    await show(first, true);
    assert.match((await resumed).headers()['last-event-id'] ?? '', /^\d+$/);
    await first.waitForSelector(`a[href="#/missions/${id}"]`);
    await until(first, `/1\\s*Queued/.test(document.querySelector('.counts').textContent)`);
    await first.waitForSelector('.feed-live');
  });
});
