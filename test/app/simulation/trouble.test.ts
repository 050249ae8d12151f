/** Runs in trouble: a damaged journal, an altered table, a computation that gives up, another process's run, a stop amid a fault. */
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
import { Orchestrator } from '../../../src/app/orchestrator/orchestrator.js';
import { guarded } from '../../../src/app/daemon/verification.js';
import { executeRun } from '../../../src/app/simulation/runs/execute.js';
import { ledgerPaths } from '../../../src/app/simulation/ledger/ledger.js';
import {
  cancelRun,
  failDeadRuns,
  failRun,
  leaseMs,
  requestRun,
  requireRun,
  type NewRun,
} from '../../../src/app/simulation/runs/runs.js';
import { makeMissingHome, simulateHere } from '../../../src/app/simulation/runs/simulate.js';
import { simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { RefusalError } from '../../../src/base/result.js';
import type { Home } from '../../../src/app/home/home.js';
import type { SimulationRun } from '../../../src/domain/simulation.js';
import { until } from '../../support/app/given-daemon.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { ask, computed, hear, heldSimulation, inWords, servicesForEach } from '../../support/app/given-simulations.js';
import { tamper } from '../../support/app/mixed-home.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { requestOf } from '../../support/app/simulation.js';

const services = servicesForEach();
const homes = homeForEach();
const actor = 'operator';
const asked = async (home: Home, more: Partial<NewRun> = {}): Promise<SimulationRun> =>
  await requestRun(home, { request: requestOf({ horizon: 2 }), runner: 'daemon', actor, ...more });
const codeOf = (error: unknown): string => (error instanceof RefusalError ? error.refusal.code : String(error));

describe('a simulation run in trouble', () => {
  it('can be ended while the journal is known to be damaged, and no other begins', () =>
    homes.get().with(async (home) => {
      const [first, second] = [await asked(home), await asked(home)];
      const damaged = { valid: false, verified_at: 'now', failure: 'entry 3', sequence: 3 };
      const guardedHome: Home = { ...home, transact: (command) => home.transact(guarded(command, () => damaged)) };
      assert.equal((await cancelRun(guardedHome, first.id, actor)).state, 'cancelled');
      const error = { code: 'execution_failed', message: 'no' };
      assert.equal((await failRun(guardedHome, second.id, error, actor)).state, 'failed');
      await assert.rejects(
        requestRun(guardedHome, { request: requestOf({}), runner: 'daemon', actor }),
        (refused) => codeOf(refused) === 'integrity',
      );
    }));

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
    const ids = await homes.get().with(async (home) => [(await asked(home)).id, (await asked(home)).id]);
    tamper(homes.get(), `UPDATE simulation SET created_at = '2001-01-01T00:00:00.000000Z' WHERE id = '${ids[0] ?? ''}'`);
    const { daemon } = await services.start(homes.get());
    assert.deepEqual(
      ids.map((id) => requireRun(daemon.home.db, id).state),
      ['failed', 'failed'],
    );
    assert.equal(daemon.verification().valid, false);
    assert.match(daemon.verification().failure ?? '', /^the table row of run [0-9a-f]{16} does not match its signed entries$/);
  });

  it('throws at the start when it cannot be failed', () =>
    homes.get().with(async (home) => {
      await asked(home);
      const refusal = { code: 'in_use', detail: 'busy' } as const;
      const full: Home = { ...home, transact: () => Promise.reject(new RefusalError(refusal)) };
      await assert.rejects(failDeadRuns(full, { actor, isDaemon: true }), (error) => codeOf(error) === 'in_use');
      const nobody = failDeadRuns(home, { actor: 'x'.repeat(65), isDaemon: true });
      await assert.rejects(nobody, (error) => codeOf(error) === 'invalid');
    }));

  it('is started again and then failed when its computation stops unasked', () =>
    homes.get().with(async (home) => {
      const { id } = await asked(home);
      const ended = await executeRun(home, id, { actor, simulate: async () => ({ type: 'stopped' }) });
      const message = 'the computation stopped unexpectedly';
      assert.deepEqual([ended.state, ended.attempt, ended.error], ['failed', 3, { code: 'execution_failed', message }]);
    }));

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

describe('an orchestrator that has stopped', () => {
  it('does not keep the process for a restart that nobody waits for', async () => {
    const orchestrator = new Orchestrator({ limits: { restart_ms_min: 60_000, restart_ms_max: 60_000 } });
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    let fail: (error: Error) => void = assert.fail;
    const work = orchestrator.runStage('market', () => new Promise((_, reject) => (fail = reject)));
    await until(() => fail !== assert.fail);
    orchestrator.stop();
    const before = timers();
    fail(new Error('late'));
    await assert.rejects(work, /^Error: late$/);
    assert.equal(timers(), before);
    assert.equal(orchestrator.states().market.restarts, 1);
  });
});

describe('AGI_ISLAND_BACKENDS that is wrong', () => {
  const env = { AGI_ISLAND_BACKENDS: 'a=gpu' };

  it('makes no home', () => {
    const { world, directory } = homes.get();
    rmSync(directory, { recursive: true });
    const wrong = (): unknown => makeMissingHome({ ...world, env: { ...world.env, ...env } });
    assert.throws(
      wrong,
      /invalid: .*AGI_ISLAND_BACKENDS: a: unknown backend "gpu"; known backends are threads, threads:N, nats:..HOST:PORT and tls:..HOST:PORT/,
    );
    assert.equal(existsSync(directory), false);
  });

  it('makes no ledger and records nothing', () =>
    homes.get().with(async (home) => {
      const { root: directory } = homes.get();
      const { size } = home.writer.head;
      const opened: Home = { ...home, world: { ...home.world, env: { ...home.world.env, ...env } } };
      const { errors } = await rejectsRefusal(
        simulateHere(opened, requestOf({}), { directory, genome: false, actor }),
        'invalid',
      );
      assert.deepEqual(
        errors?.map(({ path }) => path),
        ['AGI_ISLAND_BACKENDS'],
      );
      assert.equal(existsSync(ledgerPaths(directory).directory), false);
      assert.equal(home.writer.head.size, size);
    }));
});
