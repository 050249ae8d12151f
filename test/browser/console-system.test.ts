/** Journal, doctor and tools: what the commands say, and what an administrator may change. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { altering } from '../support/console/browser.js';
import { real } from '../support/real.js';
import { consoleForSuite, enter, executed, queued, rowsOf, small, until, words } from './console-given.js';

real('chromium', 'the console: journal, doctor, tools', () => {
  const suite = consoleForSuite(async (server) => {
    for (let i = 0; i < 4; i++) await executed(server, small);
  });

  it('pages through the journal, with a proof of each entry that the page and the command verify', async () => {
    const { cli } = suite.server();
    const { events } = cli.json('verify') as { events: number };
    const { page } = await suite.at('#/journal');
    assert.equal((await rowsOf(page, '.list'))[0]?.[0], String(events));
    await page.getByRole('link', { name: /Older/ }).click();
    await until(page, `document.querySelector('.list tbody th')?.textContent.trim() === '${events - 25}'`);
    assert.match(page.url(), /#\/journal\?before=\d+$/);
    await page.getByRole('button', { name: `Prove entry ${events - 25}` }).click();
    await page.waitForSelector('dialog .notice-good');
    await page.locator('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.locator('dialog [role=status]').getByText('Copied').waitFor({ state: 'attached' });
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
    const proof = join(cli.directory, 'entry.tlog-proof');
    await download.saveAs(proof);
    const [hash = '', signature = ''] = await page.locator('dialog .mono').allTextContents();
    const { identity } = cli.json('doctor') as { identity: string };
    const checked = cli.json('verify-proof', proof, '--public-key', identity.slice(-64), '--entry', `${hash}:${signature}`);
    assert.equal(checked['valid'], true);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  });

  it('reports a proof that does not lead to the root', async () => {
    const { page, go } = await suite.signIn();
    await altering(page, '**/api/journal/proof?*', (body) => ({ ...body, hash: '00'.repeat(32) }));
    await go('#/journal');
    await page
      .getByRole('button', { name: /Prove entry/ })
      .first()
      .click();
    await page.waitForSelector('dialog .notice-bad');
  });

  it('shows new entries as they are written', async () => {
    const { page } = await suite.at('#/journal');
    await page.waitForSelector('.feed-live');
    await queued(suite.server(), small);
    const newer = page.getByRole('button', { name: /newer entries/ });
    await newer.waitFor();
    await newer.click();
    await until(page, `document.querySelector('.list tbody td')?.textContent.includes('mission.submitted')`);
  });

  it('shows in Doctor the agents with their restarts, the workers, and the newest alerts', async () => {
    const { page } = await suite.at('#/doctor', { role: 'viewer' });
    await page.waitForSelector('.agents table');
    assert.equal(await page.locator('.agents tbody tr').count(), 7);
    assert.equal(await page.locator('.workers').count(), 0);
    assert.match((await page.textContent('.alerts')) ?? '', /ALERT_WEBHOOK_URL is not set.*No alerts/s);
    const alert = { type: 'agent_restarted', text: 'agent-cli: the <b>strategy</b> agent', time: '2026-11-20T05:00:00.000000Z' };
    const items = [{ ...alert, count: 3, delivery: 'sent' }];
    await page.route('**/api/alerts', (route) => route.fulfill({ json: { webhook: true, items } }));
    const worker = { key: 'a1'.repeat(32), version: '1.9.0', state: 'other_version', last_beat: 1_700_000_000, done: 12 };
    await altering(page, '**/api/agents', (body) => ({ ...body, workers: [worker] }));
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.waitForSelector('.alerts tbody tr');
    await page.waitForSelector('.workers tbody tr');
    const listed = await page.locator('.workers tbody tr > *').allTextContents();
    assert.deepEqual([listed[0], listed[1], listed[2], listed[4]], [worker.key, '! other version', '1.9.0', '12']);
    await page.unroute('**/api/agents');
    const cells = await page.locator('.alerts tbody tr > *').allTextContents();
    assert.deepEqual(cells.slice(1), [alert.text, '3', 'sent']);
    await page.unroute('**/api/alerts');
  });

  it('says above every page that config.json is not the signed configuration', async () => {
    const config = join(suite.server().cli.directory, 'home', 'config.json');
    const text = readFileSync(config);
    appendFileSync(config, ' ');
    try {
      const { page, go } = await suite.signIn();
      await page.waitForSelector('.banner-bad');
      assert.match((await page.textContent('.banner-bad')) ?? '', /^config\.json is not the signed configuration\. Only pauses/);
      await page.waitForSelector('tbody tr');
      await go('#/tools');
      assert.equal(await page.locator('.banner-bad').count(), 1);
    } finally {
      writeFileSync(config, text);
    }
    const { page } = await suite.open();
    await altering(page, '**/api/status', (body) => ({ ...body, unwritable: 'read-only' }));
    await enter(page, suite.server().tokens.viewer);
    assert.match((await page.locator('.banner-bad').allTextContents()).join('|'), /^The agent cannot write to its home: [^|]*$/);
  });

  it('sets the status of a tool with a reason, and refuses one without', async () => {
    const { cli } = suite.server();
    const { page } = await suite.at('#/tools');
    await page.getByRole('link', { name: 'Schedule mission' }).click();
    await page.getByLabel('New status').selectOption('quarantined');
    assert.equal(await page.locator('form code').textContent(), 'agent-cli tool status mission_schedule --help');
    await page.getByRole('button', { name: 'Set status' }).click();
    assert.match(await words(page), /Give a reason/);
    await page.getByLabel('Reason').fill('under suspicion');
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.waitForSelector('.list-journal');
    await page.goBack();
    assert.equal(
      await page.locator('form code').textContent(),
      `agent-cli tool status mission_schedule --set quarantined --note 'under suspicion' --home ${cli.env['AGENT_HOME']}`,
    );
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.waitForSelector('.tool-quarantined');
    const tool = cli.json('tool', 'show', 'mission_schedule');
    assert.deepEqual([tool['status'], tool['note']], ['quarantined', 'under suspicion']);
    await page.getByLabel('New status').selectOption('active');
    await page.getByLabel('Reason').fill('cleared');
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.waitForSelector('.tool-active');
  });

  it('imports a tool manifest, and reports what is wrong with another', async () => {
    const { cli } = suite.server();
    const { manifest } = cli.json('tool', 'show', 'mission_schedule') as { manifest: Record<string, unknown> };
    const { page } = await suite.at('#/tools');
    const choose = (value: unknown): Promise<void> =>
      page.setInputFiles('#manifest-file', {
        name: 'm.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(value)),
      });
    await choose({ ...manifest, tool_id: 'printer', risk_class: 'none' });
    await page.getByRole('button', { name: 'Import manifest' }).click();
    await page.waitForSelector('.problem');
    assert.match((await page.textContent('.problem')) ?? '', /risk_class/);
    await choose({ ...manifest, tool_id: 'printer', tool_name: 'Printer', provider: 'somebody' });
    await page.getByRole('button', { name: 'Import manifest' }).click();
    await page.getByRole('link', { name: 'Printer' }).waitFor();
    assert.equal((cli.json('tool', 'show', 'printer') as { manifest: { provider: string } }).manifest.provider, 'somebody');
    const reviewer = await suite.signIn({ role: 'reviewer' });
    await reviewer.go('#/tools/printer');
    assert.equal(await reviewer.page.getByRole('button', { name: 'Set status' }).count(), 0);
  });
});
