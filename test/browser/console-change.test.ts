/** Change and run again: the form of another mission, what it keeps, and what the new mission says of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { real } from '../support/real.js';
import { freshFetch } from '../support/http/fetch.js';
import { consoleForSuite, enter, executed, small, words } from './console-given.js';

real('chromium', 'the console: change and run again', () => {
  let file = '';
  const suite = consoleForSuite((server) => {
    file = join(server.cli.directory, 'small.json');
    writeFileSync(file, JSON.stringify(small));
  });

  it('fills the form with a rejected mission, keeps what is typed over a reload, and says what was changed', async () => {
    const { id, revision, result_hash } = await executed(suite.server(), file);
    const decision = { revision, result_hash, approve: false, note: 'the saw is free from noon' };
    const headers = { Authorization: `Bearer ${suite.server().tokens.reviewer}`, 'Content-Type': 'application/json' };
    const url = `${suite.server().url}api/missions/${id}/review`;
    assert.equal((await freshFetch(url, { method: 'POST', headers, body: JSON.stringify(decision) })).status, 200);
    const { page, go } = await suite.signIn({ role: 'reviewer' });
    await go(`#/missions/${id}`);
    await page.getByRole('link', { name: 'Change and run again' }).click();
    await page.waitForSelector('form');
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
});
