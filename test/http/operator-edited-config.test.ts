import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { forecast } from '../support/app/given-home.js';
import { givenOperator, stopAfterEach } from './given-operator.js';

type Ask = Awaited<ReturnType<typeof givenOperator>>['get'];
type Status = Awaited<ReturnType<Ask>>;

/** The first status that is as somebody waits for it: the journal's verification, and an edit's discovery, come when they come. */
async function statusWhere(get: Ask, isSo: (status: Status) => boolean): Promise<Status> {
  for (;;) {
    const status = await get('/api/status');
    if (isSo(status)) return status;
    await sleep(20);
  }
}

describe('operator API: an edited config.json', () => {
  stopAfterEach();

  for (const [what, damage] of [
    ['edited by hand', (file: string) => fs.appendFileSync(file, ' ')],
    ['missing', (file: string) => fs.rmSync(file)],
    ['a folder', (file: string) => (fs.rmSync(file), fs.mkdirSync(file))],
  ] as const) {
    it(`responds to status and metrics with the last name known, and executes nothing: ${what}`, async () => {
      const { ask, get, home } = await givenOperator();
      const before = await statusWhere(get, ({ journal }) => journal.valid === true);
      assert.deepEqual([before.config_signed, typeof before.name, before.name === ''], [true, 'string', false]);
      const text = fs.readFileSync(home.paths.config);
      damage(home.paths.config);
      const { config_signed: _1, ...status } = await statusWhere(get, ({ config_signed }) => config_signed === false);
      const { config_signed: _2, ...unchanged } = before;
      assert.deepEqual(status, unchanged);
      const metrics = await ask('GET', '/metrics');
      assert.equal(metrics.status, 200);
      assert.match(metrics.text, /^agent_journal_entries [1-9]/m);
      const { id } = (await ask('POST', '/api/missions', { body: forecast() })).body;
      assert.equal((await ask('POST', `/api/missions/${id}/execute`)).status, 500);
      fs.rmSync(home.paths.config, { recursive: true, force: true });
      fs.writeFileSync(home.paths.config, text);
      await statusWhere(get, ({ config_signed }) => config_signed === true);
    });
  }

  it('has an empty name when it was edited from the beginning', async () => {
    const { get, home } = await givenOperator();
    fs.appendFileSync(home.paths.config, ' ');
    const { name, config_signed } = await get('/api/status');
    assert.deepEqual([name, config_signed], ['', false]);
  });
});
