/** Executions of the daemon: several at once, what refuses them, progress, and what ends one of them. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { RefusalError } from '../../src/base/result.js';
import { pause, resume } from '../../src/app/home/control.js';
import { cancelMission, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { patiently } from '../../src/app/threads/patiently.js';
import { outcome_busy_tries_max } from '../../src/base/limits.js';
import { roles } from '../../src/codec/roles.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { daemonsForEach, endless, heldEngine, listen, longWork, until, type GivenDaemon } from '../support/given-daemon.js';
import { actor, apply, forecast, queued, rejectsRefusal, schedule, stateOf } from '../support/given-home.js';
import { homeForEach, uuidOf } from '../support/temporary-home.js';

const start = async (daemon: GivenDaemon, id: string): Promise<MissionRecord> => daemon.executions.start(id, 'ada');
const outcome = async (daemon: GivenDaemon, id: string): Promise<MissionRecord> =>
  (await daemon.executions.outcome(id)) ?? assert.fail(`mission ${id} does not run`);

describe('executions of the daemon', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('run two at once, and refuse a third until one has ended', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { executing_max: 2, runEngine: held.engine });
    const [a, b, c] = [
      await queued(daemon.home, forecast('first')),
      await queued(daemon.home, forecast('second')),
      await queued(daemon.home, forecast('third')),
    ];
    const [running] = await Promise.all([start(daemon, a.id), start(daemon, b.id)]);
    assert.deepEqual([running.state, running.attempt, running.stages], ['running', 1, []]);
    assert.equal(running.lease_expires_at, '2026-11-20T05:11:00.000000Z');
    await until(() => held.working.length === 2);
    assert.deepEqual(daemon.executions.running().toSorted(), [a.id, b.id].toSorted());
    const refusal = await rejectsRefusal(daemon.executions.start(c.id, 'ada'), 'in_use');
    assert.match(refusal.detail, /^2 of at most 2 missions are executing/);
    held.release('second');
    assert.equal((await outcome(daemon, b.id)).state, 'review');
    assert.equal(stateOf(daemon.home, a.id), 'running');
    assert.equal(daemon.executions.outcome(b.id), null);
    await start(daemon, c.id);
    const outcomes = Promise.all([outcome(daemon, a.id), outcome(daemon, c.id)]);
    held.release('first');
    held.release('third');
    for (const one of await outcomes) assert.equal(one.state, 'review');
    assert.deepEqual(daemon.executions.running(), []);
    const leased = entriesOfStream(daemon.home.db, a.id).find(({ event }) => event?.type === 'mission.leased');
    assert.equal((leased?.event?.document as { readonly actor?: string } | undefined)?.actor, 'ada');
  });

  it('are refused as `execute` is', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { executing_max: 2, runEngine: held.engine });
    const { home, executions } = daemon;
    const code = await queued(home, { goal: 'code', work: { kind: 'code', heldout: [{ args: [], expected: 0 }] } });
    const { id } = await queued(home, forecast('first'));
    await rejectsRefusal(executions.start('x', actor), 'invalid');
    await rejectsRefusal(executions.start(uuidOf(9), actor), 'not_found');
    await rejectsRefusal(executions.start(code.id, actor), 'code_not_allowed');
    await pause(home, actor);
    await rejectsRefusal(executions.start(id, actor), 'paused');
    await rejectsRefusal(executions.start(code.id, actor), 'paused');
    await resume(home, actor);
    const [first, second] = [executions.start(id, actor), executions.start(id, actor)];
    await Promise.all([first, rejectsRefusal(second, 'lease_active')]);
    held.release('first');
    await outcome(daemon, id);
    await rejectsRefusal(executions.start(id, actor), 'wrong_state');
    assert.deepEqual(executions.running(), []);
  });

  it('report their progress by stage, in order, between the lease and the outcome', async () => {
    const daemon = await daemons.start(homes.get());
    const { id } = await queued(daemon.home, schedule());
    const listener = listen(daemon, daemon.feed.newest());
    await start(daemon, id);
    await outcome(daemon, id);
    await daemon.stop();
    await listener.ended;
    const told = listener.items.map((item) => (item.type === 'entry' ? item.event : `${item.stage} ${item.attempt}`));
    const entries = told.filter((each) => each.startsWith('mission.'));
    assert.deepEqual([entries[entries.indexOf('mission.leased') + 1], told.at(-1)], ['mission.staged', 'mission.produced']);
    // A follower gets only the newest progress.
    assert.ok(told.indexOf('mission.leased') < told.findIndex((each) => !each.startsWith('mission.')));
    const progress = listener.items.flatMap((item) => (item.type === 'progress' ? [item] : []));
    assert.ok(progress.length > 0);
    let before = { at: 0, done: 0 };
    for (const { stage, done, mission } of progress) {
      const at = roles.indexOf(stage);
      assert.ok(mission === id && done >= 0 && done <= 1);
      assert.ok(at > before.at || (at === before.at && done >= before.done), `${stage} ${done}`);
      before = { at, done };
    }
  });

  it('end alone when they are cancelled, and can be recovered and executed again at once', async () => {
    const daemon = await daemons.start(homes.get(), { executing_max: 2 });
    await apply(daemon.home, endless);
    const [a, b] = [await queued(daemon.home, longWork('first')), await queued(daemon.home, longWork('second'))];
    for (const { id } of [a, b]) await start(daemon, id);
    await until(() => showMission(daemon.home, a.id).stages.length === 2);
    await sleep(300);
    const ended = outcome(daemon, a.id);
    await cancelMission(daemon.home, a.id, 'eve');
    await rejectsRefusal(ended, 'wrong_state');
    assert.deepEqual(daemon.executions.running(), [b.id]);
    const { state, error } = showMission(daemon.home, a.id);
    assert.deepEqual([state, error?.code, error?.message], ['failed', 'cancelled', 'cancelled by eve']);
    await recoverMission(daemon.home, a.id, 'eve');
    assert.equal((await start(daemon, a.id)).attempt, 2);
    assert.equal(stateOf(daemon.home, b.id), 'running');
  });

  it('keep the outcome of the new attempt while the cancelled one winds down', async () => {
    const held = heldEngine();
    const late: (() => void)[] = [];
    const daemon = await daemons.start(homes.get(), {
      executing_max: 2,
      runEngine: async (task, watch) => {
        if (late.length === 0) await new Promise<void>((resolve) => late.push(resolve));
        return held.engine(task, watch);
      },
    });
    const { id } = await queued(daemon.home, forecast('first'));
    await start(daemon, id);
    await until(() => late.length === 1);
    const first = outcome(daemon, id);
    await cancelMission(daemon.home, id, 'eve');
    await recoverMission(daemon.home, id, 'eve');
    await start(daemon, id);
    late[0]?.();
    await rejectsRefusal(first, 'wrong_state');
    assert.deepEqual(daemon.executions.running(), [id]);
    held.release('first');
    const { state, attempt } = await outcome(daemon, id);
    assert.deepEqual([state, attempt], ['review', 2]);
  });

  it('fail at their next checkpoint after a pause', async () => {
    const daemon = await daemons.start(homes.get(), { executing_max: 2 });
    await apply(daemon.home, endless);
    const missions = [await queued(daemon.home, longWork('first')), await queued(daemon.home, longWork('second'))];
    const refusals: Promise<unknown>[] = [];
    for (const { id } of missions) {
      await start(daemon, id);
      // Either may end first.
      refusals.push(rejectsRefusal(outcome(daemon, id), 'paused'));
    }
    await pause(daemon.home, actor);
    await Promise.all(refusals);
    for (const { id } of missions) assert.equal(showMission(daemon.home, id).error?.code, 'paused');
  });
});

describe('recording an outcome while another process writes', () => {
  const busy = new RefusalError({ code: 'in_use', detail: 'busy' });
  const failing = (times: number, error: unknown): { readonly call: () => Promise<number>; readonly calls: () => number } => {
    let calls = 0;
    const call = async (): Promise<number> => {
      if (++calls <= times) throw error;
      return calls;
    };
    return { call, calls: () => calls };
  };

  it('is tried again', async () => {
    assert.equal(await patiently(failing(2, busy).call, undefined), 3);
    assert.ok(outcome_busy_tries_max > 2);
  });

  it('is tried once more after the work was stopped, and not again after another error', async () => {
    const stopped = failing(9, busy);
    await assert.rejects(patiently(stopped.call, AbortSignal.abort()), busy);
    const full = new RefusalError({ code: 'storage_full', detail: 'full' });
    const filled = failing(9, full);
    await assert.rejects(patiently(filled.call, undefined), full);
    assert.deepEqual([stopped.calls(), filled.calls()], [1, 1]);
  });
});
