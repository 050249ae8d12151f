/** A mission whose worker was killed: it stays running until its lease ends, and then an operator recovers it in the console. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lease_ms } from '../../src/base/limits.js';
import { program, type Scratch } from '../support/cli-run.js';
import { endless, longWork } from '../support/given-daemon.js';
import { real } from '../support/real.js';
import { startDaemon } from './console-daemon.js';
import { consoleForSuite, words } from './console-given.js';

const offset_ms = lease_ms + 60_000;
/** The page's clock goes with the daemon's. */
const before = `{ const now = Date.now; Date.now = () => now() + ${offset_ms}; }`;

real('chromium', 'the console: a lease that ended', () => {
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
    assert.equal(cli.json('show', id)['state'], 'running');
  }
  const suite = consoleForSuite(undefined, () => startDaemon({ offset_ms, before: killedAtWork }));

  it('a viewer is told, and cannot recover it', async () => {
    const { page, go } = await suite.signIn({ role: 'viewer', before });
    await go(`#/missions/${id}`);
    assert.match(await words(page), /The lease expired: the process that ran this mission has stopped/);
    assert.equal(await page.getByRole('button', { name: 'Recover', exact: true }).count(), 0);
  });

  it('is said, and the mission is recovered: queued again as attempt 2, not executed', async () => {
    const { page, go } = await suite.signIn({ role: 'reviewer', before });
    await go(`#/missions/${id}`);
    await page.waitForSelector('.badge-running');
    assert.match(await words(page), /The lease expired: the process that ran this mission has stopped/);
    assert.equal(await page.getByRole('button', { name: 'Cancel mission' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Execute', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Recover', exact: true }).click();
    await page.waitForSelector('.badge-queued');
    const { state, attempt, lease_expires_at } = suite.server().cli.json('show', id);
    assert.deepEqual([state, attempt, lease_expires_at], ['queued', 2, null]);
  });
});
