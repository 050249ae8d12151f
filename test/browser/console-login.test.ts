/** Signing in, and what the page may do: its own files, its own origin, no storage. */
import assert from 'node:assert/strict';
import { real } from '../support/real.js';
import { consoleForSuite, enter } from './console-given.js';

real('chromium', 'the console: signing in', () => {
  const suite = consoleForSuite();

  it('refuses what cannot be a token, and a wrong one, and says where the token stands', async () => {
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
    const kept = JSON.stringify(
      await page.evaluate('[location.href, { ...localStorage }, { ...sessionStorage }, document.cookie]'),
    );
    assert.ok(!kept.includes(admin));
    assert.equal((await page.content()).includes(admin), false);
    await page.reload();
    await page.waitForSelector('#token');
    assert.equal(await page.inputValue('#token'), '');
    assert.deepEqual(complaints, []);
  });

  it('locks: the token is forgotten and the page asks again', async () => {
    const { page } = await suite.signIn();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForSelector('#token');
    await enter(page, suite.server().tokens.viewer);
    assert.match((await page.textContent('.who')) ?? '', /viewer/);
  });

  it('loads its own files under its policy, with nothing inline and no other origin', async () => {
    const { page, requests, complaints, go } = await suite.signIn();
    for (const hash of ['#/new', '#/payments', '#/journal', '#/tools', '#/doctor', '#/missions']) await go(hash);
    const { origin } = new URL(suite.server().url);
    assert.deepEqual(
      requests.filter((address) => new URL(address).origin !== origin),
      [],
    );
    const inline = await Promise.all(
      ['script:not([src])', 'style', '[style]', '[onclick],[onload],[onerror]'].map((each) => page.locator(each).count()),
    );
    assert.deepEqual(inline, [0, 0, 0, 0]);
    const policy = (await page.request.get(suite.server().url)).headers()['content-security-policy'] ?? '';
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /style-src 'self';/);
    assert.deepEqual(complaints, []);
  });

  it('says so when the agent takes the token no longer, and goes back to the sign-in page', async () => {
    const { page } = await suite.signIn();
    await page.route('**/api/tools', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"unauthorized","detail":"revoked"}' }),
    );
    await page.evaluate(`location.hash = '#/tools'`);
    await page.waitForSelector('#token');
    assert.match((await page.textContent('#token-error')) ?? '', /no longer accepts/);
  });

  it('an agent that cannot tell its state says why, and offers doctor and pause still', async () => {
    const { page } = await suite.open();
    const problem = { code: 'integrity', title: 'Integrity', status: 500, detail: 'entry 3 does not follow entry 2' };
    await page.route('**/api/status', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await page.fill('#token', suite.server().tokens.admin);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.limited');
    assert.match((await page.textContent('.limited .problem')) ?? '', /entry 3 does not follow entry 2.*integrity/);
    await page.getByRole('button', { name: 'Open Doctor' }).click();
    await page.waitForSelector('.checks');
    const { checks, capabilities } = suite.server().cli.json('doctor') as { checks: unknown[]; capabilities: unknown[] };
    assert.equal(await page.locator('.checks li').count(), checks.length + capabilities.length);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.waitForSelector('.toast:has-text("paused")');
    assert.equal((suite.server().cli.json('doctor') as { control: string }).control, 'paused');
    suite.server().cli.json('resume');
    await page.unroute('**/api/status');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForSelector('header.top');
  });

  it('says so when the agent does not answer', async () => {
    const { page } = await suite.open();
    await page.route('**/api/status', (route) => route.abort());
    await page.fill('#token', 'abc');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.problem');
    assert.match((await page.textContent('.problem')) ?? '', /did not respond/);
  });
});
