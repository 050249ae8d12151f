/** A mission whose process was killed: the daemon records that it was interrupted, and an operator recovers it in the console. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { program, type Scratch } from '../support/cli/cli-run.js';
import { endless, longWork } from '../support/app/given-daemon.js';
import { real } from '../support/real.js';
import { startDaemon } from './console-daemon.js';
import { consoleForSuite, words } from './console-given.js';

real('chromium', 'the console: an interrupted mission', () => {
  let id = '';

  async function killedAtWork(cli: Scratch): Promise<void> {
    const file = (name: string, document: unknown): string => {
      writeFileSync(join(cli.directory, name), JSON.stringify(document));
      return join(cli.directory, name);
    };
    cli.json('pause');
    cli.json('configure', file('effort.json', endless));
    cli.json('resume');
    id = String(cli.json('run', file('long.json', longWork('Plan for hours')))['id']);
    const worker = spawn(process.execPath, [program, 'execute', id], { cwd: cli.directory, env: cli.env, stdio: 'ignore' });
    const ended = once(worker, 'exit');
    while (worker.exitCode === null && cli.json('show', id)['state'] === 'queued') await sleep(20);
    worker.kill('SIGKILL');
    await ended;
    const { state, interrupted } = cli.json('show', id);
    assert.deepEqual([state, interrupted], ['running', true]);
  }
  const suite = consoleForSuite(undefined, () => startDaemon({ before: killedAtWork }));

  it('tells a viewer, who cannot recover it', async () => {
    const { page } = await suite.at(`#/missions/${id}`, { role: 'viewer' });
    await page.waitForSelector('.badge-failed');
    assert.match(await words(page), /the process that executed it ended/);
    assert.equal(await page.getByRole('button', { name: 'Recover', exact: true }).count(), 0);
  });

  it('is named in the list', async () => {
    const { page } = await suite.at('#/missions', { role: 'viewer' });
    await page.waitForSelector('.badge-failed');
    assert.match(await words(page), /Interrupted/);
  });

  it('is reported, and the mission is recovered: queued again as attempt 2, not executed', async () => {
    const { page } = await suite.at(`#/missions/${id}`, { role: 'reviewer' });
    await page.waitForSelector('.badge-failed');
    assert.match(await words(page), /the process that executed it ended/);
    assert.equal(await page.getByRole('button', { name: 'Cancel mission' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Execute', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Recover', exact: true }).click();
    await page.waitForSelector('.badge-queued');
    const { state, attempt, lease_expires_at } = suite.server().cli.json('show', id);
    assert.deepEqual([state, attempt, lease_expires_at], ['queued', 2, null]);
  });
});
