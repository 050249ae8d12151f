/** The service: its line, its pool, cancelling, keys, restarts, and its end. */
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { entriesOfStream } from '../../../src/journal/reader.js';
import { heldEngine, until } from '../../support/app/given-daemon.js';
import { actor, queued, rejectsRefusal, stateOf } from '../../support/app/given-home.js';
import { ask, type GivenService, hasty, heldSimulation, servicesForEach } from '../../support/app/given-simulations.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { readControl } from '../../../src/tables/control.js';
import { unfinishedRuns } from '../../../src/tables/simulations.js';

const services = servicesForEach();
const homes = homeForEach();
const runStateOf = ({ daemon }: GivenService, id: string): string => requireRun(daemon.home.db, id).state;
const typesOf = ({ daemon }: GivenService, id: string): (string | undefined)[] =>
  entriesOfStream(daemon.home.db, `@simulation:${id}`).map(({ event }) => event?.type.slice('simulation.'.length));

describe('the simulation service', () => {
  it('responds to a request once it is recorded, and runs a limited number at a time in the order of their requests', async () => {
    const { simulate, working, release, advance } = heldSimulation();
    const given = await services.start(homes.get(), { simulate, running_max: 2 });
    const { service } = given;
    const ids: string[] = [];
    for (const seed of [1, 2, 3, 4]) ids.push(await ask(service, { seed }));
    assert.deepEqual(
      ids.map((id) => runStateOf(given, id).replace('running', 'queued')),
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
    assert.ok(ids.every((id) => runStateOf(given, id) === 'succeeded'));
  });

  it('records one request for each key: at the same time, while it runs, and when it has finished', async () => {
    const { simulate, begun, release } = heldSimulation();
    const given = await services.start(homes.get(), { simulate });
    const { service } = given;
    const [first, same] = await Promise.all([ask(service, { seed: 7 }, 'k'), ask(service, { seed: 7 }, 'k')]);
    assert.equal(first, same);
    await rejectsRefusal(service.request({ seed: 8 }, { actor, idempotency: { key: 'k' } }), 'request_id_reused');
    release(7);
    await until(() => runStateOf(given, first) === 'succeeded');
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
    await until(() => runStateOf(given, last) === 'succeeded');
    for (const id of [running, waiting, last]) await rejectsRefusal(service.cancel(id, 'ann'), 'wrong_state');
    await rejectsRefusal(service.cancel('0123456789abcdef', 'ann'), 'not_found');
    await rejectsRefusal(service.cancel('x', 'ann'), 'invalid');
    assert.deepEqual(typesOf(given, waiting), ['requested', 'cancelled']);
    assert.deepEqual(service.ended(), { succeeded: 1, failed: 0, cancelled: 2 });
    assert.equal(begun.get(2), undefined);
  });

  it('does not restart a run whose outcome its checks refute', async () => {
    let tries = 0;
    const simulate: RunSimulation = async () => ({ type: 'refuted', reason: `no ${++tries}` });
    const given = await services.start(homes.get(), { simulate });
    const id = await ask(given.service);
    await until(() => runStateOf(given, id) === 'failed');
    assert.deepEqual(requireRun(given.daemon.home.db, id).error, { code: 'verification_failed', message: 'no 1' });
  });
});

describe('the end of the simulation service', () => {
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
});

describe('simulation runs and the daemon', () => {
  it('end together: running runs and missions fail, queued runs stay, and the home is closed', async () => {
    const { engine, working } = heldEngine();
    const held = heldSimulation();
    const { service, daemon } = await services.start(homes.get(), {
      simulate: held.simulate,
      running_max: 1,
      daemon: { runEngine: engine },
    });
    const ids = [await ask(service, { seed: 1 }), await ask(service, { seed: 2 })];
    const mission = await queued(daemon.home);
    await daemon.executions.request(mission.id, actor);
    await until(() => working.length === 1 && held.working.length === 1);
    await daemon.stop();
    assert.deepEqual([working, held.working], [[], []], 'all were told to stop');
    assert.throws(() => readControl(daemon.home.db), /not open/);
    homes.get().with((home) => {
      assert.deepEqual(
        unfinishedRuns(home.db).map(({ id }) => id),
        ids.slice(1),
      );
      assert.equal(requireRun(home.db, ids[0] ?? '').error?.code, 'interrupted');
      assert.equal(stateOf(home, mission.id), 'failed');
    });
    assert.deepEqual(daemon.warnings, [
      `mission ${mission.id} failed: the daemon stopped; queue it again with: agent-cli recover ${mission.id}`,
    ]);
  });

  it('end here with a warning when their end cannot be recorded, and are failed by the next daemon', async () => {
    let isBroken = false;
    const home = homes.get();
    const { service, daemon, warnings } = await services.start(home, {
      simulate: async () => {
        isBroken = true;
        throw new Error('the thread died');
      },
    });
    const { transact } = daemon.home;
    Object.assign(daemon.home, {
      transact: (command: Parameters<typeof transact>[0]) =>
        isBroken ? Promise.reject(new Error('no disk')) : transact(command),
    });
    const id = await ask(service);
    await until(() => service.ended().failed === 1);
    assert.deepEqual(service.counts(), { queued: 0, running: 0 });
    assert.equal(warnings.at(-1), `run ${id} could not be failed (no disk)`);
    await daemon.stop();
    const next = await services.start(home);
    assert.equal(requireRun(next.daemon.home.db, id).error?.code, 'interrupted');
  });
});
