/** The queue of executions: its order, what it passes over, pauses, a restart, and commands without a daemon that wait for a place. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause, resume } from '../../src/app/control/control.js';
import { executeMission } from '../../src/app/missions/attempt.js';
import { cancelMission, recoverMission, requestExecution, showMission } from '../../src/app/missions/missions.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { daemonsForEach, heldEngine, outcome, start, until } from '../support/app/given-daemon.js';
import { actor, apply, forecast, queued, rejectsRefusal, stateOf } from '../support/app/given-home.js';
import { setStatus } from '../support/app/given-tools.js';
import { homeForEach } from '../support/app/temporary-home.js';

describe('the queue of executions', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('runs three requests on one place in their order, through a restart between the first and the second', async () => {
    const held = heldEngine();
    const options = { runEngine: held.engine };
    const first = await daemons.start(homes.get(), options);
    await apply(first.home, { executing_max: 1 });
    const ids: string[] = [];
    for (const goal of ['first', 'second', 'third']) ids.push((await queued(first.home, forecast(goal))).id);
    const [a = '', b = '', c = ''] = ids;
    // Requested in another order than they were queued in.
    for (const id of [b, a, c]) await start(first, id);
    await until(() => held.working.length === 1);
    const positions = (): unknown[] => ids.map((id) => showMission(first.home, id).queue_position);
    assert.deepEqual([held.working, positions()], [['second'], [1, undefined, 2]]);
    held.release('second');
    assert.equal((await outcome(first, b)).state, 'review');
    await until(() => held.working.length === 1);
    await first.stop();
    assert.deepEqual(first.warnings.length, 1);

    const again = await daemons.start(homes.get(), options);
    assert.equal(showMission(again.home, a).error?.code, 'interrupted');
    await recoverMission(again.home, a, actor);
    await until(() => held.working.includes('third'));
    assert.equal((await start(again, a)).queue_position, 1);
    const others = Promise.all([outcome(again, c), outcome(again, a)]);
    held.release('third');
    held.release('first');
    assert.deepEqual(
      (await others).map(({ state, execution_request }) => [state, execution_request]),
      [
        ['review', null],
        ['review', null],
      ],
    );
  });

  it('passes over a mission that cannot start, says why, and tries it again', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { executing_max: 1, queue_retry_ms: 50, runEngine: held.engine });
    const { home } = daemon;
    const code = await queued(home, { goal: 'code', work: { kind: 'code', heldout: [{ args: [], expected: 0 }] } });
    const { id } = await queued(home, forecast('first'));
    const waiting = await start(daemon, code.id);
    assert.deepEqual([waiting.state, waiting.queue_position], ['queued', 1]);
    assert.match(waiting.queue_reason ?? '', /code/);
    assert.deepEqual(await outcome(daemon, code.id), waiting);
    assert.equal((await start(daemon, id)).state, 'running');
    await until(() => held.working.length === 1);
    held.release('first');
    await outcome(daemon, id);
    await sleep(200);
    assert.deepEqual([daemon.warnings.length, stateOf(home, code.id)], [1, 'queued']);
    assert.match(daemon.warnings[0] ?? '', /cannot start .* tried again every minute$/);
  });

  it('is held back by a pause, in which a mission can be cancelled', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { executing_max: 1, runEngine: held.engine });
    const { home } = daemon;
    const add = (goal: string) => queued(home, forecast(goal));
    const [a, b, c] = [await add('first'), await add('second'), await add('third')];
    await setStatus(home, 'mission_forecast', 'disabled');
    for (const { id } of [a, b, c]) assert.match((await start(daemon, id)).queue_reason ?? '', /is disabled/);
    await setStatus(home, 'mission_forecast', 'active');
    await until(() => held.working.length === 1);
    const second = outcome(daemon, b.id);
    assert.equal(showMission(home, c.id).queue_reason, undefined, 'it waits for a place only');
    await pause(home, actor);
    await rejectsRefusal(outcome(daemon, a.id), 'paused');
    await cancelMission(home, b.id, actor);
    await rejectsRefusal(second, 'execution_failed');
    assert.deepEqual([showMission(home, c.id).queue_position, held.working], [1, []]);
    await resume(home, actor);
    await until(() => held.working.includes('third'));
    held.release('third');
    assert.equal((await outcome(daemon, c.id)).state, 'review');
    assert.equal(stateOf(home, b.id), 'failed');
  });

  it('starts what another process requests', async () => {
    const daemon = await daemons.start(homes.get(), { executing_max: 1, runEngine: heldEngine().engine });
    const { id } = await queued(daemon.home, forecast('first'));
    await homes.get().with((home) => requestExecution(home, id, 'bob'));
    await until(() => stateOf(daemon.home, id) === 'running');
    const leased = entriesOfStream(daemon.home.db, id).find(({ event }) => event?.type === 'mission.leased')?.event;
    assert.deepEqual(leased?.type === 'mission.leased' && leased.document.actor, 'bob');
  });
});

describe('executions without a daemon', () => {
  const homes = homeForEach();

  it('wait for a place in the order of their requests, and say which place they have', async () => {
    const held = heldEngine();
    const home = homes.get().open();
    await apply(home, { executing_max: 1 });
    const places: string[] = [];
    const ids = new Map<string, string>();
    const run = async (goal: string, signal?: AbortSignal): Promise<MissionRecord> => {
      const { id } = await queued(home, forecast(goal));
      ids.set(goal, id);
      const onWaiting = (place: number): void => void (places.at(-1) === `${goal} ${place}` || places.push(`${goal} ${place}`));
      return executeMission(home, id, { actor, signal, runEngine: held.engine, onWaiting });
    };
    const first = run('first');
    await until(() => held.working.length === 1);
    const second = run('second');
    await until(() => places.includes('second 1'));
    const leaving = new AbortController();
    const left = run('left', leaving.signal);
    await until(() => places.includes('left 2'));
    const third = run('third');
    await until(() => places.includes('third 3'));
    const cancelled = run('cancelled');
    await until(() => places.includes('cancelled 4'));
    await cancelMission(home, ids.get('cancelled') ?? '', actor);
    await rejectsRefusal(cancelled, 'wrong_state');
    leaving.abort();
    assert.match((await rejectsRefusal(left, 'interrupted')).detail, /stays in the queue/);
    await until(() => places.includes('third 2'));
    held.release('first');
    await until(() => held.working.includes('second'));
    assert.deepEqual(held.working, ['second']);
    held.release('second');
    held.release('third');
    for (const { state } of await Promise.all([first, second, third])) assert.equal(state, 'review');
  });
});
