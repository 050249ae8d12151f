/** A mission whose process was killed, which an operator recovers; and a result that a language model proposed, with the record of the call. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { words as researchWords } from '../../src/console/operator/kinds/research/words.js';
import { cliLater, configure, program, type Scratch } from '../support/cli/cli-run.js';
import { good, tides } from '../support/provider/given-provider.js';
import { answers, withProvider } from '../support/provider/provider-server.js';
import { endless, longWork } from '../support/app/given-daemon.js';
import { real } from '../support/real.js';
import { startDaemon } from './console-daemon.js';
import { consoleForSuite, words } from './console-given.js';

function file({ directory }: Scratch, name: string, document: unknown): string {
  writeFileSync(join(directory, name), JSON.stringify(document));
  return join(directory, name);
}

real('chromium', 'the console: missions that the command line executed', () => {
  let id = '';
  let made: MissionRecord | null = null;

  /** Executes a mission while the provider is there; the page needs none. */
  const proposed = (cli: Scratch): Promise<void> =>
    withProvider({ chat: answers({ findings: good }) }, async ({ url }) => {
      configure(cli, { llm_url: url, llm_model: 'small', llm_response_format: 'json_schema' });
      const words = ['run', file(cli, 'tides.json', tides), '--execute', '--json'];
      const { code, stdout, stderr } = await cliLater(words, cli.env, cli.directory);
      assert.equal(code, 0, stderr);
      made = JSON.parse(stdout) as MissionRecord;
    });

  async function killedAtWork(cli: Scratch): Promise<void> {
    configure(cli, endless);
    id = String(cli.json('run', file(cli, 'long.json', longWork('Plan for hours')))['id']);
    const worker = spawn(process.execPath, [program, 'execute', id], { cwd: cli.directory, env: cli.env, stdio: 'ignore' });
    const ended = once(worker, 'exit');
    while (worker.exitCode === null && cli.json('show', id)['state'] === 'queued') await sleep(20);
    worker.kill('SIGKILL');
    await ended;
    const { state, interrupted } = cli.json('show', id);
    assert.deepEqual([state, interrupted], ['running', true]);
  }
  const suite = consoleForSuite(undefined, () =>
    startDaemon({ before: async (cli) => (await proposed(cli), await killedAtWork(cli)) }),
  );

  it('tells a viewer, who cannot recover it, and is named in the list', async () => {
    const { page, go } = await suite.at(`#/missions/${id}`, { role: 'viewer' });
    assert.match(await words(page), /the process that executed it ended/);
    assert.equal(await page.getByRole('button', { name: 'Recover', exact: true }).count(), 0);
    await go('#/missions');
    assert.match(await words(page), /Interrupted/);
  });

  it('is reported, and the mission is recovered: queued again as attempt 2, not executed', async () => {
    const { page } = await suite.at(`#/missions/${id}`, { role: 'reviewer' });
    assert.equal(await page.getByRole('button', { name: 'Cancel mission' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Execute', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Recover', exact: true }).click();
    await page.waitForSelector('.badge-queued');
    const { state, attempt, lease_expires_at } = suite.server().cli.json('show', id);
    assert.deepEqual([state, attempt, lease_expires_at], ['queued', 2, null]);
  });

  it('shows claims of a language model beside their quotes, says that only quotes are checked, and lists the evidence', async () => {
    assert.ok(made?.inference);
    const { page, complaints } = await suite.at(`#/missions/${made.id}`);
    assert.deepEqual(
      await page.locator('.finding-claim').allTextContents(),
      good.map(({ claim }) => claim),
    );
    assert.deepEqual(
      await page.locator('.findings blockquote').allTextContents(),
      good.map(({ quote }) => quote),
    );
    const { result: said } = researchWords.en;
    const shown = await words(page);
    assert.ok(shown.includes(said.model('small-2026-01')), shown);
    assert.ok(shown.includes(said.exact), shown);
    assert.ok(!(await page.locator('.finding-place').allTextContents()).join().includes(said.score));
    const { request_hash, response_hash } = made.inference;
    await page.getByText(said.evidence, { exact: true }).click();
    await page.getByText(request_hash).waitFor();
    const evidence = await words(page);
    for (const part of [request_hash, response_hash, 'json_schema', said.tokensUsed('10', '5')])
      assert.ok(evidence.includes(part), part);
    assert.deepEqual(complaints, []);
  });
});
