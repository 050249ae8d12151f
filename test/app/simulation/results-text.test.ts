/** The results as they are served: what the journal's own bytes give, kept, and read by another thread when they are large. */
import assert from 'node:assert/strict';
import { executeRun } from '../../../src/app/simulation/runs/execute.js';
import { simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { hasBlobHash } from '../../../src/journal/salted.js';
import { ResultsTexts } from '../../../src/app/simulation/runs/results-text.js';
import { requestRun } from '../../../src/app/simulation/runs/runs.js';
import { resultsOf } from '../../../src/app/simulation/runs/stored.js';
import type { SimulationRun } from '../../../src/domain/simulation.js';
import type { Home } from '../../../src/app/home/home.js';
import { verifyHome } from '../../../src/app/log/verify-home.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { requestOf } from '../../support/app/simulation.js';

const homes = homeForEach();
const actor = 'operator';
/** Its outcome has some 100 kB, and a name whose text could be taken for the outcome's own members. */
const large = { entropy: 2, samples: 20, pop_size: 300, sectors: ['],"request":é', ...'abcdefghijklmnopqrst'] };

async function recorded(home: Home, document: unknown): Promise<SimulationRun> {
  const { id } = await requestRun(home, { request: requestOf(document), runner: 'command', actor });
  return executeRun(home, id, { actor });
}

const served = (home: Home, run: SimulationRun, genome: boolean): unknown =>
  JSON.parse(JSON.stringify(resultsOf(home.db, run, { genome })));

/** The journal's blobs can be read no more, so that what still answers did not read them. */
const withoutBlobs = (home: Home): void => void home.db.exec('ALTER TABLE blob RENAME TO hidden');
const withBlobs = (home: Home): void => void home.db.exec('ALTER TABLE hidden RENAME TO blob');

describe('the results that are served', () => {
  homes.it('are those of the journal, and are not read again', async (home) => {
    for (const document of [{}, large]) {
      const run = await recorded(home, document);
      const texts = new ResultsTexts(home.db, home.paths.journal);
      for (const genome of [true, false]) {
        const { results, population } = await texts.of(run, genome);
        assert.deepEqual(JSON.parse(String(results)), served(home, run, genome));
        assert.deepEqual(JSON.parse(String(population)), resultsOf(home.db, run, { genome }).population);
      }
      withoutBlobs(home);
      const again = await texts.of(run, true);
      const forecast = await texts.forecast(run);
      withBlobs(home);
      assert.deepEqual(JSON.parse(String(again.results)), served(home, run, true));
      assert.deepEqual(forecast, resultsOf(home.db, run).forecast);
    }
  });

  homes.it('are read by a thread when they are large, once for all that ask', async (home) => {
    const run = await recorded(home, { ...large, pop_size: 1_500 });
    const texts = new ResultsTexts(home.db, home.paths.journal);
    const [soon, same] = [texts.of(run, true), texts.of(run, true)];
    assert.equal((await soon).results, (await same).results);
    assert.deepEqual(JSON.parse(String((await soon).results)), served(home, run, true));
    const read = new ResultsTexts(home.db, home.paths.journal);
    assert.deepEqual(await read.forecast(run), resultsOf(home.db, run).forecast);
    withoutBlobs(home);
    const kept = await read.of(run, false);
    withBlobs(home);
    assert.deepEqual(JSON.parse(String(kept.results)), served(home, run, false));
    assert.equal((await read.of(run, false)).results, kept.results);
  });

  homes.it('are refused when the bytes are not those that were signed', async (home) => {
    const run = await recorded(home, { ...large, pop_size: 1_500 });
    home.db.exec('DROP TRIGGER blob_update');
    home.db.prepare('UPDATE blob SET bytes = CAST(replace(bytes, ?, ?) AS BLOB)').run('"rank":1', '"rank":2');
    const texts = new ResultsTexts(home.db, home.paths.journal);
    await rejectsRefusal(texts.of(run, false), 'integrity');
    await rejectsRefusal(texts.forecast(run), 'integrity');
  });

  homes.it('are forgotten when too much is kept, and then read again', async (home) => {
    const run = await recorded(home, large);
    const texts = new ResultsTexts(home.db, home.paths.journal, 1);
    await texts.of(run, true);
    withoutBlobs(home);
    await assert.rejects(texts.of(run, true), /no such table: blob/);
    withBlobs(home);
    assert.deepEqual(JSON.parse(String((await texts.of(run, true)).results)), served(home, run, true));
  });
});

describe('the thread of a run', () => {
  it('salts and hashes a large outcome, and leaves that of a small one to the journal', async () => {
    for (const [document, isLarge] of [
      [large, true],
      [{}, false],
    ] as const) {
      const answer = await simulateOnThread({ request: requestOf(document), islands: ['main'] });
      assert.ok(answer.type === 'answered');
      const { text, salted } = answer;
      assert.deepEqual([typeof text === 'string', salted === undefined], [!isLarge, !isLarge]);
      if (salted !== undefined) assert.ok(hasBlobHash(salted.hash, salted.salt, text));
    }
    await homes.get().with(async (home) => {
      await recorded(home, large);
      assert.equal((await verifyHome(home, { deep: true })).failure, null);
    });
  });
});
