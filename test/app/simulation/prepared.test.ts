/** A large outcome's texts, which the run's thread prepares: they are what the journal's own bytes give, and cost the main thread little. */
import assert from 'node:assert/strict';
import { blob_salt_bytes } from '../../../src/base/limits.js';
import { executeRun } from '../../../src/app/simulation/runs/execute.js';
import type { AnsweredSimulation } from '../../../src/app/simulation/runs/thread.js';
import { ResultsTexts } from '../../../src/app/simulation/runs/results-text.js';
import { requestRun, requireRun } from '../../../src/app/simulation/runs/runs.js';
import { resultsOf, outcomeText } from '../../../src/app/simulation/runs/stored.js';
import type { SimulationRun } from '../../../src/domain/simulation.js';
import type { Home } from '../../../src/app/home/home.js';
import { verifyHome } from '../../../src/app/log/verify-home.js';
import { until } from '../../support/given-daemon.js';
import { rejectsRefusal } from '../../support/given-home.js';
import { ask, servicesForEach } from '../../support/given-simulations.js';
import { homeForEach } from '../../support/temporary-home.js';
import { requestOf } from '../../support/simulation.js';

const services = servicesForEach();
const homes = homeForEach();
const actor = 'operator';
/** Its outcome has some 100 kB, and a name whose text could be taken for the outcome's own members. */
const large = { entropy: 2, samples: 3, pop_size: 300, sectors: ['],"request":é', ...'abcdefghijklmnopqrst'] };

interface Recorded {
  readonly run: SimulationRun;
  readonly answer: AnsweredSimulation;
}

async function recorded(home: Home, document: unknown): Promise<Recorded> {
  const { id } = await requestRun(home, { request: requestOf(document), runner: 'command', actor });
  const heard: Recorded[] = [];
  await executeRun(home, id, { actor, onCompleted: (run, answer) => void heard.push({ run, answer }) });
  return heard[0] ?? assert.fail('nothing was recorded');
}

const served = (home: Home, run: SimulationRun, genome: boolean): unknown =>
  JSON.parse(JSON.stringify(resultsOf(home.db, run, { genome })));

/** The journal's blobs can be read no more, so that what still answers did not read them. */
const withoutBlobs = (home: Home): void => void home.db.exec('ALTER TABLE blob RENAME TO hidden');
const withBlobs = (home: Home): void => void home.db.exec('ALTER TABLE hidden RENAME TO blob');

describe('the outcome that the thread of a run prepares', () => {
  it('is served as the journal itself would be, without reading it back', () =>
    homes.get().with(async (home) => {
      const { run, answer } = await recorded(home, large);
      assert.ok(typeof answer.text !== 'string' && answer.prepared !== undefined);
      const texts = new ResultsTexts(home.db, home.paths.journal);
      texts.prepared(run, answer);
      withoutBlobs(home);
      const said = await Promise.all([true, false].map(async (genome) => texts.of(run, genome)));
      const forecast = await texts.forecast(run);
      assert.throws(() => outcomeText(home.db, run), /no such table: blob/);
      withBlobs(home);
      for (const [i, genome] of [true, false].entries()) {
        const { results, population } = said[i] ?? assert.fail('it has two forms');
        assert.deepEqual(JSON.parse(String(results)), served(home, run, genome));
        const again = await new ResultsTexts(home.db, home.paths.journal).of(run, genome);
        assert.deepEqual([String(again.results), String(again.population)], [String(results), String(population)]);
        assert.deepEqual(JSON.parse(String(population)), resultsOf(home.db, run, { genome }).population);
      }
      assert.deepEqual(forecast, resultsOf(home.db, run).forecast);
    }));

  it('is read by a thread when it is not kept, once for all that ask', () =>
    homes.get().with(async (home) => {
      const { run } = await recorded(home, { ...large, pop_size: 1_500 });
      const texts = new ResultsTexts(home.db, home.paths.journal);
      const [soon, same] = [texts.of(run, true), texts.of(run, true)];
      assert.ok(soon instanceof Promise);
      assert.equal((await soon).results, (await same).results);
      assert.deepEqual(JSON.parse(String((await soon).results)), served(home, run, true));
      const read = new ResultsTexts(home.db, home.paths.journal);
      assert.deepEqual(await read.forecast(run), resultsOf(home.db, run).forecast);
      withoutBlobs(home);
      const kept = await read.of(run, false);
      withBlobs(home);
      assert.deepEqual(JSON.parse(String(kept.results)), served(home, run, false));
      assert.equal((await read.of(run, false)).results, kept.results);
    }));

  it('is refused by the thread when its bytes are not those that were signed', () =>
    homes.get().with(async (home) => {
      const { run, answer } = await recorded(home, { ...large, pop_size: 1_500 });
      const { hash = '' } = answer.prepared?.salted ?? {};
      home.db.exec('DROP TRIGGER blob_update');
      home.db
        .prepare('UPDATE blob SET bytes = CAST(replace(bytes, ?, ?) AS BLOB) WHERE hash = ?')
        .run('"rank":1', '"rank":2', hash);
      const texts = new ResultsTexts(home.db, home.paths.journal);
      await rejectsRefusal(Promise.resolve(texts.of(run, false)), 'integrity');
      await rejectsRefusal(Promise.resolve(texts.forecast(run)), 'integrity');
    }));

  it('is recorded in the journal as a blob of its salted hash', () =>
    homes.get().with(async (home) => {
      const { run, answer } = await recorded(home, large);
      const { salt } = home.db.prepare('SELECT salt FROM blob WHERE hash = ?').get(answer.prepared?.salted.hash) as {
        readonly salt: Buffer;
      };
      assert.deepEqual([...salt], [...(answer.prepared?.salted.salt ?? [])]);
      assert.equal(salt.length, blob_salt_bytes);
      assert.equal(outcomeText(home.db, run), new TextDecoder().decode(answer.text as Uint8Array));
      assert.equal((await verifyHome(home, { deep: true })).failure, null);
    }));

  it('is forgotten when too much is kept, and then read again', () =>
    homes.get().with(async (home) => {
      const { run, answer } = await recorded(home, large);
      const texts = new ResultsTexts(home.db, home.paths.journal, 1);
      texts.prepared(run, answer);
      withoutBlobs(home);
      assert.throws(() => texts.of(run, true), /no such table: blob/);
      withBlobs(home);
      assert.deepEqual(JSON.parse(String((await texts.of(run, true)).results)), served(home, run, true));
    }));

  it('is empty where the outcome is small', () =>
    homes.get().with(async (home) => {
      const { run, answer } = await recorded(home, {});
      assert.deepEqual([typeof answer.text, answer.prepared], ['string', undefined]);
      const texts = new ResultsTexts(home.db, home.paths.journal);
      texts.prepared(run, answer);
      assert.deepEqual(JSON.parse(String((await texts.of(run, true)).results)), served(home, run, true));
    }));

  it('is what the service returns at first', async () => {
    const { service, daemon } = await services.start(homes.get(), { daemon: { orchestrator: {} } });
    const id = await ask(service, large);
    await until(() => service.ended().succeeded === 1);
    const run = requireRun(daemon.home.db, id);
    const expected = [true, false].map((genome) => served(daemon.home, run, genome));
    withoutBlobs(daemon.home);
    const bodies = await Promise.all([true, false].map(async (genome) => service.results(run, genome)));
    const said = bodies.map(({ results }): unknown => JSON.parse(String(results)));
    withBlobs(daemon.home);
    assert.deepEqual(said, expected);
  });
});
