/** The service: its queue, cancelling, keys, its end, and the progress that its followers hear. */
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { setConfig } from '../../../src/app/control/control.js';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { entriesOfStream } from '../../../src/journal/reader.js';
import { heldEngine, until } from '../../support/app/given-daemon.js';
import { actor, queued, rejectsRefusal, stateOf } from '../../support/app/given-home.js';
import {
  ask,
  type GivenService,
  hasty,
  hear,
  heldSimulation,
  inWords,
  servicesForEach,
} from '../../support/app/given-simulations.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { readControl } from '../../../src/tables/control.js';
import { unfinishedRuns } from '../../../src/tables/simulations.js';
import { progress_ended_max, ProgressBroadcaster, type RunProgress } from '../../../src/app/simulation/runs/progress.js';
import { membersOf } from '../../support/lists.js';

const services = servicesForEach();
const homes = homeForEach();
const runStateOf = ({ daemon }: GivenService, id: string): string => requireRun(daemon.home.db, id).state;
const typesOf = ({ daemon }: GivenService, id: string): (string | undefined)[] =>
  entriesOfStream(daemon.home.db, `@simulation:${id}`).map(({ event }) => event?.type.slice('simulation.'.length));

describe('the simulation service', () => {
  it('responds to a request once it is recorded, and runs a limited number at a time in the order of their requests', async () => {
    const { simulate, working, release, advance } = heldSimulation();
    const allow = (n: number) => homes.get().with((other) => setConfig(other, [`running_max=${n}`], actor, () => []));
    const given = await services.start(homes.get(), { simulate, sweep_ms: 10 });
    const { service } = given;
    await allow(2);
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
    await allow(3);
    await until(() => working.includes(3));
    release(2);
    await until(() => working.includes(4));
    assert.deepEqual([...working], [1, 3, 4]);
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
      assert.deepEqual(membersOf(unfinishedRuns(home.db), 'id'), ids.slice(1));
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

/** One of its two sectors is disrupted at once, the other one in the second year. */
const document = (seed: number): Record<string, unknown> => ({
  seed,
  horizon: 2,
  curve: 'linear',
  sectors: [
    { name: 'a', entropy: 4 },
    { name: 'b', entropy: 1.5 },
  ],
});
const whole = 'y1:1 y2:2 g1 g2 g3 ended:succeeded';

describe('followers of all runs', () => {
  it('hear each from its start, the late ones too, and end when none is in flight', async () => {
    const { simulate, working, advance, release } = heldSimulation();
    const { service } = await services.start(homes.get(), { simulate, running_max: 2 });
    const early = hear(service, null);
    await later(20);
    assert.deepEqual(early.items, []);
    const [first, second] = [await ask(service, document(1)), await ask(service, document(2))];
    await until(() => working.length === 2);
    advance(1, 2);
    await until(() => inWords(early.items, first) === 'y1:1 y2:2 g1 g2');
    const late = hear(service, null);
    await until(() => inWords(late.items, first) === 'y1:1 y2:2 g1 g2');
    release(1);
    await until(() => inWords(late.items, first) === whole);
    const latest = hear(service, null);
    const third = await ask(service, document(3));
    release('all');
    await Promise.all([early.ended, late.ended, latest.ended]);
    for (const { items } of [early, late]) {
      assert.deepEqual(
        [first, second, third].map((id) => inWords(items, id)),
        [whole, whole, whole],
      );
    }
    assert.deepEqual(
      [inWords(latest.items, first), inWords(latest.items, second)],
      ['', whole],
      'a run that has ended is not in flight',
    );
  });

  it('buffer only the runs that are kept when they are slow, and lose the oldest of those that ended meanwhile', async () => {
    const runs = new ProgressBroadcaster(() => assert.fail('not asked'));
    const begin = (i: number): RunProgress => Object.assign(runs.begin(`r${i}`), { affected: [0], generation: 1 });
    const open = begin(0);
    const slow = runs.follow(null, new AbortController().signal)[Symbol.asyncIterator]();
    await slow.next();
    for (let i = 1; i <= 3 * progress_ended_max; i++) runs.end(begin(i), 'succeeded');
    runs.end(open, 'failed');
    const ids = new Set<string>();
    for (let item = await slow.next(); item.done !== true; item = await slow.next()) ids.add(item.value.id);
    assert.ok(ids.has('r0') && ids.has(`r${3 * progress_ended_max}`) && !ids.has('r1'));
    assert.equal(ids.size, progress_ended_max);
  });

  it('hear the end of a run that ended while they took the news of another', async () => {
    const runs = new ProgressBroadcaster(() => assert.fail('not asked'));
    const [first, second] = ['a', 'b'].map((id) => Object.assign(runs.begin(id), { affected: [0] }));
    const items = runs.follow(null, new AbortController().signal)[Symbol.asyncIterator]();
    await items.next();
    await items.next();
    for (const run of [first!, second!]) runs.end(run, 'succeeded');
    const rest = [await items.next(), await items.next(), await items.next()];
    assert.deepEqual(
      rest.map(({ done, value }) => (done === true ? null : value.id)),
      ['b', 'a', null],
    );
  });
});

describe('followers of one run', () => {
  it('hear a run that starts again from where they are, nothing twice', async () => {
    let tries = 0;
    const { service } = await services.start(homes.get(), {
      simulate: async (_, watch) => {
        watch?.onYears?.([1, 2]);
        for (let n = 1; n <= 2; n++) watch?.onGeneration?.(n, n / 3);
        if (++tries < 2) throw new Error('broken');
        return { type: 'refuted', reason: 'no' };
      },
    });
    const id = await ask(service, document(1));
    const { items, ended } = hear(service, id);
    await ended;
    assert.equal(inWords(items, id), 'y1:1 y2:2 g1 g2 ended:failed');
  });
});
