/** Runs in a home: their events, their tables, every way in which they end, and their results as they are served. */
import assert from 'node:assert/strict';
import type { Home } from '../../../src/app/home/home.js';
import { rebuildHome } from '../../../src/app/home/rebuild.js';
import { verifyHome } from '../../../src/app/log/verify-home.js';
import { executeRun, type ExecuteRunOptions } from '../../../src/app/simulation/runs/execute.js';
import { cancelRun, failDeadRuns, type NewRun, requestRun, requireRun } from '../../../src/app/simulation/runs/runs.js';
import { resultsOf, runRecords, showRun, signedOutcome, storedRun } from '../../../src/app/simulation/runs/stored.js';
import { type RunSimulation, simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { simulation_outcome_bytes_max } from '../../../src/base/limits.js';
import type { SimulationRun } from '../../../src/domain/simulation.js';
import { entriesOfStream } from '../../../src/journal/reader.js';
import { newestSucceeded, searchRuns } from '../../../src/tables/simulations.js';
import { until } from '../../support/app/given-daemon.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { requestOf, run } from '../../support/app/simulation.js';
import { tamper } from '../../support/app/mixed-home.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { ResultsTexts } from '../../../src/app/simulation/runs/results-text.js';
import { hasBlobHash } from '../../../src/journal/salted.js';
import { membersOf } from '../../support/lists.js';
import { requestSweep, requireSweep, sweepOf } from '../../../src/app/simulation/runs/sweeps.js';

const homes = homeForEach();
const actor = 'operator';

const inline: RunSimulation = async ({ request, islands }, watch = {}) => {
  const outcome = run(request, islands, request.seed);
  watch.onGeneration?.(1, 1);
  const text = canonicalJson(outcome);
  return { type: 'answered', text, outcome_hash: sha256Hex(text) };
};

const asked = (home: Home, document: unknown = {}, more: Partial<NewRun> = {}): Promise<SimulationRun> =>
  requestRun(home, { request: requestOf(document), runner: 'command', actor, ...more });
const execute = (home: Home, id: string, options: Partial<ExecuteRunOptions> = {}): Promise<SimulationRun> =>
  executeRun(home, id, { actor, simulate: inline, ...options });
const typesOf = (home: Home, id: string): (string | undefined)[] =>
  entriesOfStream(home.db, `@simulation:${id}`).map(({ event }) => event?.type.slice('simulation.'.length));

/** The home still verifies to the last signature and table, and a rebuild changes no run. */
async function assertSound(home: Home): Promise<void> {
  const before = await runRecords(home.db, { limit: 100 });
  const { failure, streams } = await verifyHome(home, { deep: true });
  assert.equal(failure, null);
  assert.ok((streams['@simulation'] ?? 0) > 0);
  rebuildHome(home, () => undefined);
  assert.deepEqual(await runRecords(home.db, { limit: 100 }), before);
}

describe('simulation runs', () => {
  homes.it('are requested, started and completed, and return what was computed', async (home) => {
    const { id } = await asked(home, { entropy: 2, samples: 20 });
    assert.match(id, /^[0-9a-f]{16}$/);
    const ended = await execute(home, id);
    assert.equal(ended.state, 'succeeded');
    assert.deepEqual(typesOf(home, id), ['requested', 'started', 'completed']);
    const computed = run({ entropy: 2, samples: 20 });
    assert.equal(ended.outcome_hash, sha256Hex(canonicalJson(computed)));
    const results = resultsOf(home.db, ended, { genome: true });
    assert.deepEqual(Object.keys(results).slice(0, 3), ['id', 'forecast', 'population']);
    assert.deepEqual(results.population, computed.population);
    assert.deepEqual(results.forecast, computed.forecast);
    assert.equal(canonicalJson(results.request), canonicalJson(computed.request));
    assert.deepEqual(results.journal.seq, home.writer.head.size);
    assert.deepEqual(results.journal.hash, home.writer.head.hash);
    assert.equal(results.draws?.samples, 20);
    assert.ok(resultsOf(home.db, ended).population.every((one) => !('genome' in one)));
    assert.equal(newestSucceeded(home.db)?.id, id);
    await assertSound(home);
  });

  homes.it('are stored in blobs over 64 KiB, which verification counts as referenced', async (home) => {
    const sector = { energy: 1.5, entropy: 2, growth: 0.01 };
    const sectors = Array.from({ length: 900 }, (_, i) => ({ ...sector, name: `${'sector '.repeat(10)}${i}` }));
    const { id } = await asked(home, { sectors, pop_size: 40 });
    const ended = await execute(home, id);
    const [requested, , completed] = entriesOfStream(home.db, `@simulation:${id}`);
    assert.ok(requested?.event?.type === 'simulation.requested' && requested.event.document.request === undefined);
    assert.ok(completed?.event?.type === 'simulation.completed' && completed.event.document.outcome === undefined);
    assert.equal(storedRun(home.db, ended).request.sectors?.length, 900);
    assert.equal(sha256Hex(canonicalJson(signedOutcome(home.db, ended))), ended.outcome_hash);
    await assertSound(home);
    home.db.prepare('DELETE FROM blob WHERE hash = ?').run(completed.event.document.result_blob);
    assert.throws(() => signedOutcome(home.db, ended), /a blob of the run is missing/);
    const { failure } = await verifyHome(home, { deep: false });
    assert.equal(failure?.code, 'integrity');
  });

  homes.it('are found in parts, by a page or a state without reading those of others', async (home) => {
    const [first, second, third] = [await asked(home), await asked(home), await asked(home)];
    await cancelRun(home, second.id, actor);
    const found = (filter: object) => searchRuns(home.db, { limit: 3, ...filter }, 2);
    assert.deepEqual(found({ search: first.id }), { runs: [], next: second.request_seq });
    tamper(homes.get(), `UPDATE simulation SET name = 'x' WHERE id = '${third.id}'`);
    assert.deepEqual(membersOf(found({ before: third.request_seq }).runs, 'id'), [second.id, first.id]);
    assert.deepEqual(membersOf(found({ state: 'cancelled' }).runs, 'id'), [second.id]);
    assert.throws(() => found({}), /does not match its signed entries/);
  });

  homes.it('need two individuals for each island', async (home) => {
    const islands = ['b', 'a', 'c', 'd', 'a'];
    const few = requestRun(home, { request: requestOf({ pop_size: 7 }), islands, runner: 'command', actor });
    const { errors } = await rejectsRefusal(few, 'invalid');
    assert.deepEqual(membersOf(errors ?? [], 'path'), ['pop_size']);
    const { id } = await asked(home, { pop_size: 8 }, { islands });
    assert.deepEqual(showRun(home.db, id, false).islands, ['a', 'b', 'c', 'd']);
  });
});

describe('the end of a simulation run', () => {
  homes.it('is cancelled when the run is told to stop, or cancelled by somebody else', async (home) => {
    const stopped = await execute(home, (await asked(home)).id, { stopReason: () => 'cancelled' });
    assert.deepEqual([stopped.state, stopped.error?.code], ['cancelled', 'cancelled']);
    const second = await asked(home);
    const other: RunSimulation = async (task, watch) => {
      assert.equal(watch?.mustStop?.(), false);
      await cancelRun(home, second.id, 'ann');
      assert.equal(watch?.mustStop?.(), true);
      return inline(task);
    };
    await rejectsRefusal(execute(home, second.id, { simulate: other }), 'wrong_state');
    assert.equal(requireRun(home.db, second.id).error?.message, 'cancelled by ann');
    assert.deepEqual(typesOf(home, second.id), ['requested', 'started', 'cancelled']);
    await rejectsRefusal(cancelRun(home, second.id, actor), 'wrong_state');
    await assertSound(home);
  });

  homes.it('is interrupted when its lease ended, or when another daemon starts', async (home) => {
    const [command, queued, daemon] = [await asked(home), await asked(home), await asked(home, {}, { runner: 'daemon' })];
    const never: RunSimulation = () => new Promise(() => undefined);
    void execute(home, command.id, { simulate: never });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(requireRun(home.db, command.id).state, 'running');
    assert.deepEqual(await failDeadRuns(home, { actor }), []);
    homes.get().clock.now += 661_000;
    assert.deepEqual(await failDeadRuns(home, { actor }), [command.id, queued.id]);
    const error = { code: 'interrupted', message: 'its process ended before the run did' };
    assert.deepEqual(requireRun(home.db, command.id).error, error);
    assert.equal(requireRun(home.db, daemon.id).state, 'queued');
    assert.deepEqual(await failDeadRuns(home, { actor, isDaemon: true }), [], 'it waits for the next daemon');
    void execute(home, daemon.id, { simulate: never });
    await until(() => requireRun(home.db, daemon.id).state === 'running');
    assert.deepEqual(await failDeadRuns(home, { actor, isDaemon: true }), [daemon.id]);
    assert.deepEqual(await failDeadRuns(home, { actor, isDaemon: true }), []);
    await assertSound(home);
  });

  homes.it('is interrupted with those of its sweep, which then ends', async (home) => {
    const options = { islands: ['main'], runner: 'command', actor } as const;
    const { sweep } = await requestSweep(home, sweepOf({ field: 'k', values: [1, 2] }), options);
    homes.get().clock.now += 661_000;
    assert.equal((await failDeadRuns(home, { actor })).length, 2);
    assert.equal(requireSweep(home.db, sweep.id).state, 'completed');
  });

  homes.it('is interrupted after an unclean stop when the run began before it', async (home) => {
    const { id } = await asked(home);
    const after = { ...home, uncleanStop: true };
    assert.deepEqual(await failDeadRuns(after, { actor, began: home.world.clock() }), []);
    assert.deepEqual(await failDeadRuns(after, { actor, began: home.world.clock() + 1 }), [id]);
  });
});

describe('a large simulation', () => {
  it('stays within its bound with the largest request', () => {
    const sector = { energy: 1.23456789012e11, entropy: 1e12, growth: 9.87654321 };
    const sectors = Array.from({ length: 1_000 }, (_, i) => ({ ...sector, name: `${'\u0001'.repeat(96)}${i}` }));
    const outcome = run({ sectors, pop_size: 1_000, generations: 1, horizon: 200, samples: 20 });
    const bytes = Buffer.byteLength(canonicalJson(outcome));
    assert.ok(bytes > 14_000_000 && bytes <= simulation_outcome_bytes_max, `${bytes} bytes`);
  });
});

/** Its outcome has some 100 kB, and a name whose text could be taken for the outcome's own members. */
const large = { entropy: 2, samples: 20, pop_size: 300, sectors: ['],"request":é', ...'abcdefghijklmnopqrst'] };

async function recorded(home: Home, document: unknown): Promise<SimulationRun> {
  const { id } = await requestRun(home, { request: requestOf(document), runner: 'command', actor });
  return executeRun(home, id, { actor });
}

const served = (home: Home, run: SimulationRun, genome: boolean): unknown =>
  JSON.parse(JSON.stringify(resultsOf(home.db, run, { genome })));

const valueOf = (json: Uint8Array): unknown => JSON.parse(Buffer.from(json).toString());

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
        assert.deepEqual(valueOf(results), served(home, run, genome));
        assert.deepEqual(valueOf(population), resultsOf(home.db, run, { genome }).population);
      }
      withoutBlobs(home);
      const again = await texts.of(run, true);
      withBlobs(home);
      assert.deepEqual(valueOf(again.results), served(home, run, true));
    }
  });

  homes.it('are read by a thread when they are large, once for all that ask', async (home) => {
    const run = await recorded(home, { ...large, pop_size: 1_500 });
    const texts = new ResultsTexts(home.db, home.paths.journal);
    const [soon, same] = [texts.of(run, true), texts.of(run, true)];
    assert.equal((await soon).results, (await same).results);
    assert.deepEqual(valueOf((await soon).results), served(home, run, true));
    assert.deepEqual((await texts.outcome(run)).population, resultsOf(home.db, run).population);
    withoutBlobs(home);
    assert.equal((await texts.of(run, true)).results, (await soon).results);
    withBlobs(home);
  });

  homes.it('are refused when the bytes are not those that were signed', async (home) => {
    const run = await recorded(home, { ...large, pop_size: 1_500 });
    home.db.exec('DROP TRIGGER blob_update');
    home.db.prepare('UPDATE blob SET bytes = CAST(replace(bytes, ?, ?) AS BLOB)').run('"rank":1', '"rank":2');
    const texts = new ResultsTexts(home.db, home.paths.journal);
    await rejectsRefusal(texts.of(run, false), 'integrity');
  });
});

describe('the thread of a run', () => {
  it('salts and hashes a large outcome, and leaves that of a small one to the journal', async () => {
    for (const document of [large, {}]) {
      const isLarge = document === large;
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
