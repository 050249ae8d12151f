/** The service: its line, its pool, cancelling, keys, restarts, and its end. */
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { entriesOfStream } from '../../../src/journal/reader.js';
import { until } from '../../support/app/given-daemon.js';
import { laterRefusalOf, rejectsRefusal } from '../../support/app/given-home.js';
import { ask, computed, hasty, heldSimulation, servicesForEach, type GivenService } from '../../support/app/given-simulations.js';
import type { Refusal } from '../../../src/base/refusal.js';
import { homeForEach } from '../../support/app/temporary-home.js';

const services = servicesForEach();
const homes = homeForEach();
const actor = 'operator';
const codeOf = (refusal: Refusal | null): string => refusal?.code ?? 'none';
const stateOf = ({ daemon }: GivenService, id: string): string => requireRun(daemon.home.db, id).state;
const typesOf = ({ daemon }: GivenService, id: string): (string | undefined)[] =>
  entriesOfStream(daemon.home.db, `@simulation:${id}`).map(({ event }) => event?.type.slice('simulation.'.length));

describe('the simulation service', () => {
  it('computes a run on its threads through every agent', async () => {
    const given = await services.start(homes.get(), { daemon: { orchestrator: {} } });
    const { service, daemon } = given;
    const hard = { name: '"genome":[1],"population":[],"request":é', entropy: 2 };
    const id = await ask(service, { entropy: 2, samples: 20, pop_size: 12, sectors: ['a', hard] });
    assert.deepEqual(service.counts(), { queued: 0, running: 1 });
    await until(() => stateOf(given, id) === 'succeeded');
    const run = requireRun(daemon.home.db, id);
    const { results } = await service.results(run, false);
    assert.deepEqual(Object.keys(JSON.parse(String(results)) as object).slice(0, 3), ['id', 'forecast', 'population']);
    await until(() => service.counts().running === 0);
    assert.deepEqual(service.ended(), { succeeded: 1, failed: 0, cancelled: 0 });
    assert.deepEqual(typesOf(given, id), ['requested', 'started', 'completed']);
    assert.equal(service.progressOf(id), 1);
    assert.ok(Object.values(service.agents()).every(({ restarts }) => restarts === 0));
  });

  it('responds to a request once it is recorded, and runs a limited number at a time in the order of their requests', async () => {
    const { simulate, working, release, advance } = heldSimulation();
    const given = await services.start(homes.get(), { simulate, running_max: 2 });
    const { service } = given;
    const ids: string[] = [];
    for (const seed of [1, 2, 3, 4]) ids.push(await ask(service, { seed }));
    assert.deepEqual(
      ids.map((id) => stateOf(given, id).replace('running', 'queued')),
      ['queued', 'queued', 'queued', 'queued'],
    );
    await until(() => working.length === 2);
    assert.deepEqual([...working], [1, 2]);
    assert.deepEqual(service.counts(), { queued: 2, running: 2 });
    advance(1, 2);
    assert.deepEqual([service.progressOf(ids[0] ?? ''), service.progressOf(ids[3] ?? '')], [2 / 3, 0]);
    release(2);
    await until(() => working.includes(3));
    assert.deepEqual([...working], [1, 3]);
    release('all');
    await until(() => service.ended().succeeded === 4);
    assert.ok(ids.every((id) => stateOf(given, id) === 'succeeded'));
  });

  it('refuses what is wrong, and one request beyond the limit', async () => {
    const { simulate, release } = heldSimulation();
    const { service } = await services.start(homes.get(), { simulate, running_max: 1, waiting_max: 2 });
    const none = await rejectsRefusal(service.request({ horizon: '3' }, { actor }), 'invalid');
    assert.equal(none.errors?.[0]?.path, 'horizon');
    await rejectsRefusal(service.request({}, { actor, idempotency: { key: '' } }), 'invalid');
    await ask(service, { seed: 1 });
    const answers = await Promise.all(
      [2, 3, 4, 5].map((seed) => laterRefusalOf(() => service.request({ seed }, { actor, idempotency: { key: `k${seed}` } }))),
    );
    assert.deepEqual(answers.map(codeOf), ['none', 'none', 'busy', 'busy']);
    const full = { waiting: 2, retry_after_s: 5 };
    const facts = answers.flatMap((refusal) => (refusal === null ? [] : [refusal.facts]));
    assert.deepEqual(facts, [full, full]);
    // A known key has a response all the same.
    await service.request({ seed: 2 }, { actor, idempotency: { key: 'k2' } });
    release('all');
    await until(() => service.ended().succeeded === 3);
    await service.request({}, { actor });
  });

  it('records one request for each key: at the same time, while it runs, and when it has finished', async () => {
    const { simulate, begun, release } = heldSimulation();
    const given = await services.start(homes.get(), { simulate });
    const { service } = given;
    const [first, same] = await Promise.all([ask(service, { seed: 7 }, 'k'), ask(service, { seed: 7 }, 'k')]);
    assert.equal(first, same);
    await rejectsRefusal(service.request({ seed: 8 }, { actor, idempotency: { key: 'k' } }), 'request_id_reused');
    release(7);
    await until(() => stateOf(given, first) === 'succeeded');
    assert.equal(await ask(service, { seed: 7 }, 'k'), first);
    assert.equal(begun.get(7), 1);
    assert.deepEqual(service.counts(), { queued: 0, running: 0 });
  });

  it('cancels what waits and what runs, and nothing that has finished', async () => {
    const { simulate, working, begun, release } = heldSimulation();
    const given = await services.start(homes.get(), { simulate, running_max: 1 });
    const { service } = given;
    const [running, waiting, last] = [
      await ask(service, { seed: 1 }),
      await ask(service, { seed: 2 }),
      await ask(service, { seed: 3 }),
    ];
    await until(() => working.length === 1);
    assert.equal((await service.cancel(waiting, 'ann')).error?.message, 'cancelled by ann');
    assert.deepEqual(service.counts(), { queued: 1, running: 1 });
    assert.equal((await service.cancel(running, 'ann')).state, 'cancelled');
    await until(() => working.includes(3));
    release(3);
    await until(() => stateOf(given, last) === 'succeeded');
    for (const id of [running, waiting, last]) await rejectsRefusal(service.cancel(id, 'ann'), 'wrong_state');
    await rejectsRefusal(service.cancel('0123456789abcdef', 'ann'), 'not_found');
    await rejectsRefusal(service.cancel('x', 'ann'), 'invalid');
    assert.deepEqual(typesOf(given, waiting), ['requested', 'cancelled']);
    assert.deepEqual(service.ended(), { succeeded: 1, failed: 0, cancelled: 2 });
    assert.equal(begun.get(2), undefined);
  });

  it('restarts a run with a step that hangs or breaks, twice at most, and reports it', async () => {
    let tries = 0;
    const simulate: RunSimulation = async (task, watch) => {
      tries++;
      const step = (): Promise<never> =>
        tries === 2 ? new Promise(() => undefined) : Promise.reject(new Error(`broken ${tries}`));
      await watch?.runStage?.('strategy', step);
      return computed(task);
    };
    const given = await services.start(homes.get(), { simulate });
    const id = await ask(given.service);
    await until(() => stateOf(given, id) === 'failed');
    const { error, attempt } = requireRun(given.daemon.home.db, id);
    assert.deepEqual([error, attempt, tries], [{ code: 'execution_failed', message: 'broken 3' }, 3, 3]);
    await until(() => given.failures.length === 1 && given.restarts.length === 3);
    assert.deepEqual(given.restarts.slice(0, 2), [
      { role: 'strategy', restarts: 1, work: id, cause: 'failed', reason: 'broken 1' },
      {
        role: 'strategy',
        restarts: 2,
        work: id,
        cause: 'unresponsive',
        reason: 'the strategy agent sent no heartbeat for 0.4 s',
      },
    ]);
    assert.deepEqual(given.failures, [{ id, error }]);
    assert.deepEqual(given.warnings, [
      `run ${id} starts for the 2. time (broken 1)`,
      `run ${id} starts for the 3. time (the strategy agent sent no heartbeat for 0.4 s)`,
    ]);
    assert.equal(given.service.agents().strategy.restarts, 3);
  });

  it('does not restart a run whose outcome its checks refute', async () => {
    let tries = 0;
    const simulate: RunSimulation = async () => ({ type: 'refuted', reason: `no ${++tries}` });
    const given = await services.start(homes.get(), { simulate });
    const id = await ask(given.service);
    await until(() => stateOf(given, id) === 'failed');
    assert.deepEqual(requireRun(given.daemon.home.db, id).error, { code: 'verification_failed', message: 'no 1' });
  });
});

describe('the end of the simulation service', () => {
  it('fails what runs, keeps what waits for the next daemon, and takes nothing more', async () => {
    const { simulate, working } = heldSimulation();
    const given = await services.start(homes.get(), { simulate, running_max: 1 });
    const { service } = given;
    const [running, waiting] = [await ask(service, { seed: 1 }), await ask(service, { seed: 2 })];
    await until(() => working.length === 1);
    const late = service.request({ seed: 3 }, { actor });
    await service.stop();
    assert.deepEqual(working, [], 'the run was told to stop');
    const { error } = requireRun(given.daemon.home.db, running);
    assert.deepEqual(error, { code: 'interrupted', message: 'its process was stopped' });
    assert.equal(requireRun(given.daemon.home.db, waiting).state, 'queued');
    assert.equal(requireRun(given.daemon.home.db, (await late).id).state, 'queued');
    await rejectsRefusal(service.request({}, { actor }), 'interrupted');
    assert.deepEqual(service.ended(), { succeeded: 0, failed: 1, cancelled: 0 });
    assert.deepEqual(service.counts(), { queued: 0, running: 0 });
  });

  it('does not wait for an agent that pauses before its restart', async () => {
    const limits = { ...hasty.limits, restart_ms_min: 60_000, restart_ms_max: 60_000 };
    const simulate: RunSimulation = async (_, watch) => {
      await watch?.runStage?.('market', () => Promise.reject(new Error('broken')));
      return { type: 'stopped' };
    };
    const given = await services.start(homes.get(), { simulate, daemon: { orchestrator: { limits } } });
    const id = await ask(given.service);
    await until(() => given.warnings.length === 1);
    await until(() => requireRun(given.daemon.home.db, id).attempt === 2);
    await later(50);
    await given.daemon.stop();
    homes.get().with((home) => assert.equal(requireRun(home.db, id).error?.code, 'interrupted'));
    assert.equal(given.warnings.length, 1);
  });

  it('is within its limit where a large run is under way on a thread', async () => {
    const given = await services.start(homes.get(), { daemon: { orchestrator: {} } });
    const id = await ask(given.service, { pop_size: 10_000, generations: 500, num_sectors: 100, horizon: 2 });
    await until(() => given.service.progressOf(id) > 0);
    await given.service.stop();
    assert.ok(given.service.progressOf(id) < 1, 'it does not wait for the end of the run');
    assert.equal(stateOf(given, id), 'failed');
  });
});
