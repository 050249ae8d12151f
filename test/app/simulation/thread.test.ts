/** Simulations on their thread, their verification, and the command's whole way. */
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { stops } from '../../../src/app/daemon/daemon.js';
import type { Home } from '../../../src/app/home/home.js';
import { openHome } from '../../../src/app/home/open.js';
import { ledgerPaths, newestEntries } from '../../../src/app/simulation/ledger/ledger.js';
import { executeRun, verifyRun } from '../../../src/app/simulation/runs/execute.js';
import {
  cancelRun,
  failDeadRuns,
  failRun,
  leaseMs,
  type NewRun,
  requestRun,
  requireRun,
} from '../../../src/app/simulation/runs/runs.js';
import { simulateHere } from '../../../src/app/simulation/runs/simulate.js';
import { simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { RefusalError } from '../../../src/base/refusal.js';
import type { Results } from '../../../src/codec/api-simulation.js';
import type { SimulationRun } from '../../../src/domain/simulation.js';
import { listRuns } from '../../../src/tables/simulations.js';
import { until } from '../../support/app/given-daemon.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { ask, computed, hear, heldSimulation, inWords, servicesForEach } from '../../support/app/given-simulations.js';
import { tamper } from '../../support/app/mixed-home.js';
import { requestOf, run } from '../../support/app/simulation.js';
import { homeForEach } from '../../support/app/temporary-home.js';

const homes = homeForEach();
const actor = 'operator';
const long = { pop_size: 500, generations: 10_000, num_sectors: 20 };

describe('a simulation on its thread', () => {
  it('gives the bytes of this thread, and reports the years, and the generations in order', async () => {
    const document = { entropy: 2, horizon: 4, generations: 30, pop_size: 20 };
    const heard: number[] = [];
    const years: (readonly number[])[] = [];
    const answer = await simulateOnThread(
      { request: requestOf(document), islands: ['a', 'b'] },
      { onYears: (affected) => void years.push(affected), onGeneration: (n) => void heard.push(n) },
    );
    const text = canonicalJson(run(document, ['a', 'b']));
    assert.deepEqual(answer, { type: 'answered', text, outcome_hash: sha256Hex(text) });
    assert.deepEqual(years, [[6, 6, 6, 6]]);
    assert.deepEqual([heard.at(-1), heard], [30, heard.toSorted((a, b) => a - b)]);
  });

  it('stops within a generation on request, and a watch that throws ends it', async () => {
    const task = { request: requestOf(long), islands: ['main'] };
    let heard = 0;
    const answer = await simulateOnThread(task, { onGeneration: (n) => void (heard = n), mustStop: () => heard > 0 });
    assert.deepEqual(answer, { type: 'stopped' });
    assert.ok(heard > 0 && heard < long.generations);
    const bad = simulateOnThread(task, {
      mustStop: () => {
        throw new Error('the journal is gone');
      },
    });
    await assert.rejects(bad, /^Error: the journal is gone$/);
  });

  homes.it('is verified by computing it again; another outcome is refuted', async (home) => {
    const { id } = await requestRun(home, { request: requestOf({ entropy: 2 }), runner: 'command', actor });
    await assert.rejects(verifyRun(home, id), /wrong_state: run [0-9a-f]{16} is queued; it has no results/);
    await executeRun(home, id, { actor });
    const verdict = await verifyRun(home, id);
    assert.deepEqual([verdict.valid, verdict.reason], [true, null]);
    assert.equal(verdict.recomputed_hash, requireRun(home.db, id).outcome_hash);
    // A run whose recorded outcome is of another seed than the request says.
    const forged = await requestRun(home, { request: requestOf({ entropy: 2 }, 1), runner: 'command', actor });
    const text = canonicalJson(run({ entropy: 2 }, ['main'], 2));
    const simulate = async () => ({ type: 'answered', text, outcome_hash: sha256Hex(text) }) as const;
    await executeRun(home, forged.id, { actor, simulate });
    const no = await verifyRun(home, forged.id);
    assert.deepEqual([no.valid, no.reason], [false, 'the recorded request and seed give another outcome']);
  });

  homes.it('is not refuted when it is from another engine, and cannot be computed', async (home) => {
    const { id } = await requestRun(home, { request: requestOf({}), runner: 'command', actor });
    const text = canonicalJson({ ...run({}), engine: { name: 'simulation', version: '0.9.0' } });
    const simulate = async () => ({ type: 'answered', text, outcome_hash: sha256Hex(text) }) as const;
    await executeRun(home, id, { actor, simulate });
    await assert.rejects(verifyRun(home, id), /engine_unavailable: run [0-9a-f]{16} was made by simulation 0\.9\.0/);
  });
});

describe('simulate', () => {
  homes.it('ends in the journal and in the ledger', async (home) => {
    const { root: directory } = homes.get();
    const results = await simulateHere(home, requestOf({ seed: 3 }), { directory, genome: false, actor });
    const [entry] = newestEntries(ledgerPaths(directory).runs, 5);
    assert.deepEqual(
      [entry?.id, entry?.seed, entry?.result_hash, entry?.journal, entry?.forecast],
      [results.id, 3, results.outcome_hash, results.journal, results.forecast],
    );
    assert.equal(canonicalJson(entry?.request), canonicalJson(results.request));
  });

  homes.it('reports that it was stopped, and adds no line to the ledger', async (home) => {
    const { root: directory } = homes.get();
    const stopping = { directory, genome: false, actor, stopReason: () => 'cancelled' as const };
    await rejectsRefusal(simulateHere(home, requestOf(long), stopping), 'interrupted');
    assert.deepEqual(newestEntries(ledgerPaths(directory).runs, 5), []);
  });

  it('has the islands that AGI_ISLAND_BACKENDS names; a wrong one is refused before anything is recorded', async () => {
    const { root: directory, world } = homes.get();
    const simulateWith = async (text: string): Promise<Results> => {
      const home = openHome({ ...world, env: { ...world.env, AGI_ISLAND_BACKENDS: text } });
      try {
        return await simulateHere(home, requestOf({}), { directory, genome: false, actor });
      } finally {
        home.close();
      }
    };
    assert.deepEqual((await simulateWith('b=threads:2,a=threads:2')).islands, ['a', 'b']);
    const wrong = await rejectsRefusal(simulateWith('a=gpu'), 'invalid');
    assert.equal(wrong.errors?.[0]?.path, 'AGI_ISLAND_BACKENDS');
    homes.get().with((home) => assert.equal(listRuns(home.db, { limit: 5 }).length, 1));
  });
});

const services = servicesForEach();
const asked = async (home: Home, more: Partial<NewRun> = {}): Promise<SimulationRun> =>
  await requestRun(home, { request: requestOf({ horizon: 2 }), runner: 'daemon', actor, ...more });
/** The id of a run that is executed and does not end. */
const started = async (home: Home): Promise<string> => {
  const { id } = await asked(home);
  void executeRun(home, id, { actor, simulate: () => new Promise(() => undefined) });
  await until(() => requireRun(home.db, id).state === 'running');
  return id;
};
const codeOf = (error: unknown): string => (error instanceof RefusalError ? error.refusal.code : String(error));

describe('a simulation run in trouble', () => {
  homes.it('can be ended while the journal is known to be damaged, and no other begins', async (home) => {
    const [first, second] = [await asked(home), await asked(home)];
    home.writer.admit = ({ type }) => {
      if (!stops.has(type)) throw new RefusalError('integrity', 'entry 3');
    };
    assert.equal((await cancelRun(home, first.id, actor)).state, 'cancelled');
    const error = { code: 'execution_failed', message: 'no' };
    assert.equal((await failRun(home, second.id, error, actor)).state, 'failed');
    await assert.rejects(
      requestRun(home, { request: requestOf({}), runner: 'daemon', actor }),
      (refused) => codeOf(refused) === 'integrity',
    );
  });

  it('is stopped when the journal fails its verification, as is what waits', async () => {
    const { simulate, working } = heldSimulation();
    const { service, daemon } = await services.start(homes.get(), { simulate, running_max: 1 });
    const [running, waiting] = [await ask(service, { seed: 1 }), await ask(service, { seed: 2 })];
    await until(() => working.length === 1);
    Object.assign(daemon, { verification: () => ({ valid: false, verified_at: 'now', failure: 'entry 3' }) });
    await until(() => service.ended().failed === 2);
    const errors = [running, waiting].map((id) => requireRun(daemon.home.db, id).error);
    assert.deepEqual(errors[0], { code: 'interrupted', message: 'the journal failed its verification' });
    assert.match(errors[1]?.message ?? '', /^integrity: the journal failed its verification \(entry 3, found now\)/);
    assert.deepEqual(service.counts(), { queued: 0, running: 0 });
  });

  it('is failed at the start also where its row was altered, and the journal counts as damaged', async () => {
    const ids = await homes.get().with(async (home) => [await started(home), await started(home)]);
    tamper(homes.get(), `UPDATE simulation SET created_at = '2001-01-01T00:00:00.000000Z' WHERE id = '${ids[0] ?? ''}'`);
    const { daemon } = await services.start(homes.get());
    assert.deepEqual(
      ids.map((id) => requireRun(daemon.home.db, id).state),
      ['failed', 'failed'],
    );
    assert.equal(daemon.verification().valid, false);
    assert.match(daemon.verification().failure ?? '', /^the table row of run [0-9a-f]{16} does not match its signed entries$/);
  });

  homes.it('throws at the start when it cannot be failed', async (home) => {
    await started(home);
    const refusal = { code: 'in_use', detail: 'busy' } as const;
    const full: Home = { ...home, transact: () => Promise.reject(new RefusalError(refusal)) };
    await assert.rejects(failDeadRuns(full, { actor, isDaemon: true }), (error) => codeOf(error) === 'in_use');
    const nobody = failDeadRuns(home, { actor: 'x'.repeat(65), isDaemon: true });
    await assert.rejects(nobody, (error) => codeOf(error) === 'invalid');
  });

  homes.it('is started again and then failed when its computation stops unasked', async (home) => {
    const { id } = await asked(home);
    const ended = await executeRun(home, id, { actor, simulate: async () => ({ type: 'stopped' }) });
    const message = 'the computation stopped unexpectedly';
    assert.deepEqual([ended.state, ended.attempt, ended.error], ['failed', 3, { code: 'execution_failed', message }]);
  });

  it('is followed to its end when another process executes it', async () => {
    const { service, daemon } = await services.start(homes.get());
    const { home } = daemon;
    const { id } = await asked(home, { runner: 'command' });
    const { items, ended } = hear(service, id);
    await executeRun(home, id, { actor, simulate: async (task) => computed(task) });
    await ended;
    assert.match(inWords(items, id), /^y1:\d y2:\d g1 g2 g3 ended:succeeded$/);
    const leaves = await asked(home, { runner: 'command' });
    const hearing = hear(service, leaves.id);
    hearing.leave();
    await hearing.ended;
    assert.deepEqual(hearing.items, []);
  });

  it('is failed while a server runs, once its lease ended, when its process was killed', async () => {
    const { clock } = homes.get();
    const { daemon } = await services.start(homes.get(), { sweep_ms: 10 });
    const { home } = daemon;
    const [killed, waiting] = [await asked(home, { runner: 'command' }), await asked(home)];
    await later(50);
    assert.equal(requireRun(home.db, killed.id).state, 'queued');
    clock.now += 3_600_000;
    await until(() => requireRun(home.db, killed.id).state === 'failed');
    assert.deepEqual(
      [requireRun(home.db, killed.id).error?.code, requireRun(home.db, waiting.id).state],
      ['interrupted', 'queued'],
    );
  });

  it('stops also while it waits for an agent that restarts', async () => {
    const task = { request: requestOf({}), islands: ['main'] };
    const never = (): Promise<never> => new Promise(() => undefined);
    const answer = await simulateOnThread(task, { runStage: never, mustStop: () => true });
    assert.deepEqual(answer, { type: 'stopped' });
  });
});

describe('the lease of a run', () => {
  it('is long also where a large population has few genes, which ranking it does not know', () => {
    const largest = { pop_size: 10_000, generations: 10_000, num_sectors: 1, horizon: 1 };
    // Ranking them took a 300th of a millisecond each where it was measured; ten times that is allowed.
    assert.equal(leaseMs(requestOf(largest)), 660_000 + 100_000 + 3_333_334);
    assert.equal(leaseMs(requestOf({})), 660_002);
  });
});
