/** Change and run again: the form of another mission, what it keeps, and what the new mission says of it. */
import assert from 'node:assert/strict';
import { real } from '../support/real.js';
import { consoleForSuite, drawn, enter, executed, failing, send, small, until, words } from './console-given.js';

real('chromium', 'the console: change and run again', () => {
  const suite = consoleForSuite();

  it('fills the form with a rejected mission, keeps what is typed over a reload, and says what was changed', async () => {
    const { id, revision, result_hash } = await executed(suite.server(), small);
    const decision = { revision, result_hash, approve: false, note: 'the saw is free from noon' };
    const { reviewer } = suite.server().tokens;
    assert.equal((await send(suite.server(), `missions/${id}/review`, decision, reviewer)).status, 200);
    const { page } = await suite.at(`#/missions/${id}`, { role: 'reviewer' });
    await page.getByRole('link', { name: 'Change and run again' }).click();
    await page.waitForSelector('form');
    await drawn(page);
    assert.match(await words(page), /the saw is free from noon/);
    const goal = page.getByLabel('Goal');
    assert.equal(await goal.inputValue(), small.goal);
    await goal.fill('Plan two repairs after noon');
    await page.reload();
    await page.waitForSelector('form');
    if ((await page.locator('input[type=password]').count()) > 0) await enter(page, suite.server().tokens.reviewer);
    await page.waitForSelector('fieldset.kinds');
    assert.equal(await goal.inputValue(), 'Plan two repairs after noon');
    await page.getByLabel('Effort').fill('thorough');
    assert.match(await words(page), /Would take about 2 h: .* ends after 8 min .*choose the effort quick, or at most 60,000/);
    await page.getByLabel('Effort').fill('quick');
    assert.match(await words(page), /Takes at most about 8 s/);
    const kept = await page.evaluate('JSON.stringify({ ...sessionStorage })');
    const form = Object.entries(JSON.parse(String(kept)) as Record<string, string>).find(([name]) => name.includes('form'));
    assert.ok(form !== undefined && !form[1].includes(suite.server().tokens.reviewer));
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    assert.match(await words(page), /Takes at most about 8 s[^]*Inputs[^]*Finish as early as possible/);
    assert.match(await words(page), /goal Plan two repairs → Plan two repairs after noon/);
  });

  it('keeps a form through a revoked token, and lets the browser ask before it is closed', async () => {
    const { page, go } = await suite.at('#/new?kind=allocation', { role: 'reviewer' });
    // The page listens once it is drawn, which is after what is typed is in its field.
    const asks = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
    assert.equal(await page.evaluate(asks), false);
    await page.getByLabel('Goal').fill('Choose the pumps');
    await until(page, asks);
    await failing(page, '**/api/**', { status: 401, code: 'unauthorized', title: 'Unauthorized', detail: 'revoked' });
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.waitForSelector('#token');
    await page.unroute('**/api/**');
    await enter(page, suite.server().tokens.reviewer);
    await go('#/new?kind=allocation');
    assert.equal(await page.getByLabel('Goal').inputValue(), 'Choose the pumps');
    await until(page, asks);
  });

  it('notifies in the browser while nobody sees the page, once a person asked for it', async () => {
    const { page, go } = await suite.signIn({ role: 'reviewer' });
    await page.evaluate(`
      window.notices = [];
      window.Notification = class {
        static permission = 'default';
        static requestPermission = async () => (window.Notification.permission = 'granted');
        constructor(text) { window.notices.push(text); }
      };
      Object.defineProperty(document, 'hidden', { get: () => true });
    `);
    await go('#/journal');
    await go('#/missions');
    await executed(suite.server(), small);
    await page.waitForSelector('text=Needs you: 1');
    await drawn(page);
    assert.deepEqual(await page.evaluate('window.notices'), []);
    await page.getByRole('button', { name: 'Notify me in this browser' }).click();
    await page.waitForSelector('text=Notify me in this browser', { state: 'detached' });
    await executed(suite.server(), small);
    await page.waitForSelector('text=Needs you: 2');
    await until(page, `window.notices.join() === 'Needs you: 2'`);
  });
});
