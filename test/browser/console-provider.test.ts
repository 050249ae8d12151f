/** The page of a result that a language model proposed: who wrote what, and the record of the call. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { words as researchWords } from '../../src/console/operator/kinds/research/words.js';
import { cliLater, type Scratch } from '../support/cli/cli-run.js';
import { good, tides } from '../support/provider/given-provider.js';
import { answers, withProvider } from '../support/provider/provider-server.js';
import { real } from '../support/real.js';
import { startDaemon } from './console-daemon.js';
import { consoleForSuite, words } from './console-given.js';

real('chromium', 'the console: research with a language model', () => {
  let made: MissionRecord | null = null;

  /** Executes the mission by the command line while the provider is there; the page needs none. */
  async function executed(cli: Scratch): Promise<void> {
    const file = (name: string, value: unknown): string => {
      writeFileSync(join(cli.directory, name), JSON.stringify(value));
      return name;
    };
    await withProvider({ chat: answers({ findings: good }) }, async ({ url }) => {
      cli.json('pause');
      cli.json('configure', file('config.json', { llm_url: url, llm_model: 'small', llm_response_format: 'json_schema' }));
      cli.json('resume');
      const { code, stdout, stderr } = await cliLater(
        ['run', file('tides.json', tides), '--execute', '--json'],
        cli.env,
        cli.directory,
      );
      assert.equal(code, 0, stderr);
      made = JSON.parse(stdout) as MissionRecord;
    });
  }
  const suite = consoleForSuite(undefined, () => startDaemon({ before: executed }));

  it('shows claims beside their quotes, says that only quotes are checked, and lists the evidence', async () => {
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
