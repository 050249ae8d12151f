/** From `npm start` to a signed decision in the browser, in five actions. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { browserForSuite } from '../support/console/browser.js';
import { root, scratch } from '../support/cli/cli-run.js';
import { real } from '../support/real.js';
import { membersOf } from '../support/lists.js';

real('chromium', 'the console: from npm start to a signed decision', () => {
  const browser = browserForSuite();
  const place = scratch({ AGENT_PORT: '0' });
  let started: ChildProcess | null = null;
  after(async () => {
    if (started !== null && started.exitCode === null) {
      const ended = once(started, 'exit');
      started.kill('SIGTERM');
      await ended;
    }
    place.remove();
  });

  /** The login link that `npm start` prints. */
  function loginLink(): Promise<string> {
    const script = join(root, 'scripts', 'start.mjs');
    const child = spawn(process.execPath, [script, '--login-link'], {
      cwd: place.directory,
      env: { ...place.env, INIT_CWD: place.directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started = child;
    let [said, log] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    return new Promise((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const link = /^login +(http:\S+)\n/m.exec(said)?.[1];
        if (link !== undefined) resolve(link);
      });
      child.once('exit', (code) => reject(new Error(`npm start ended with ${String(code)}: ${said}${log}`)));
    });
  }

  it('includes the link, opening the mission, the decision, its reason, and the signature', async () => {
    const link = await loginLink();
    const { page, complaints } = await browser.open(link, { locale: 'en-GB' });
    const actions = ['login link'];
    const act = async (name: string, does: () => Promise<void>): Promise<void> => {
      actions.push(name);
      await does();
    };
    await act('open', () => page.locator('.list tbody a').first().click());
    await act('approve', () => page.getByRole('radio', { name: 'Approve' }).check());
    await act('reason', async () => {
      await page.getByLabel('Reason').fill('checked against the orders');
      await page.getByLabel('Reason').press('Control+Enter');
    });
    await act('sign', () => page.getByRole('button', { name: 'Sign approval' }).click());
    await page.waitForSelector('.badge-completed');
    assert.deepEqual(actions, ['login link', 'open', 'approve', 'reason', 'sign']);
    const { items } = place.json('list') as { items: { id: string; state: string }[] };
    assert.deepEqual(membersOf(items, 'state'), ['completed']);
    const { review } = place.json('show', items[0]?.id ?? '') as { review: Record<string, unknown> };
    assert.deepEqual([review['approved'], review['note'], review['actor']], [true, 'checked against the orders', 'operator']);
    assert.deepEqual(complaints, []);
  });
});
