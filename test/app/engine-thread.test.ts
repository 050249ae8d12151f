/** Engines on their thread: results, stopping, dying, and a watch that throws. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { pause } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { type AttemptOptions, runAttempt, executeMission } from '../../src/app/missions/attempt.js';
import { takeLease } from '../../src/app/missions/lease.js';
import { cancelMission, showMission } from '../../src/app/missions/missions.js';
import { type EngineAnswer, type EngineTask, runOnThread } from '../../src/app/threads/engine-thread.js';
import { Gate } from '../../src/base/gate.js';
import { Fault, unwrap } from '../../src/base/refusal.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import type { EngineId } from '../../src/codec/events/mission.js';
import { decode } from '../../src/codec/kit.js';
import { roles } from '../../src/codec/roles.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { missionRequest } from '../../src/kinds/request.js';
import { watchCommits } from '../journal/inspect.js';
import { heldEngine, longWork, until } from '../support/app/given-daemon.js';
import { actor, fakeEngine, forecast, queued, rejectsRefusal, schedule } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { hang_ms } from '../support/wait.js';
import { membersOf } from '../support/lists.js';

const task = (mission: unknown, max_evaluations: number): EngineTask & { readonly type: 'run' } => {
  const request = unwrap(decode(missionRequest, mission));
  return { type: 'run', kind: request.work.kind, input: engineInput(request, { max_evaluations }, null) };
};

const long = longWork('plan');
const endless = 100_000_000;

describe('an engine on its thread', () => {
  it('returns a result that its own verifier passes, and verifies it again', async () => {
    const run = task(schedule(), 20);
    const answer = await runOnThread(run);
    assert.ok(answer.type === 'answered' && answer.verification.passed);
    const verify = { ...run, type: 'verify', result: answer.result } as const;
    const verified = await runOnThread(verify);
    assert.ok(verified.type === 'verified' && verified.verification.passed);
    assert.equal(verified.result_hash, answer.result_hash);
    const altered = await runOnThread({ ...verify, result: { ...(answer.result as object), makespan: 1 } });
    assert.ok(altered.type === 'verified' && !altered.verification.passed && altered.result_hash !== answer.result_hash);
  });

  it('computes a result again that takes milliseconds, unless another version of the engine made it', async () => {
    const run = task(forecast(), 20);
    const answer = await runOnThread(run);
    assert.ok(answer.type === 'answered' && answer.verification.passed);
    const again = 'computed again by the engine, with the same bytes';
    assert.equal(answer.verification.checks.at(-1), again);
    const altered = { ...(answer.result as object), method: 'another' };
    const verdict = async (made?: EngineId): Promise<string | null> => {
      const verified = await runOnThread({ ...run, type: 'verify', result: altered, ...(made === undefined ? {} : { made }) });
      assert.ok(verified.type === 'verified' && !verified.verification.checks.includes(again));
      return verified.verification.failure;
    };
    assert.equal(await verdict(), 'the engine gives another result');
    assert.equal(await verdict({ name: 'forecast', version: '0.9.0' }), null);
  });

  it('stops at a checkpoint when told', async () => {
    assert.deepEqual(await runOnThread(task(long, endless), { mustStop: () => true }), { type: 'stopped' });
  });

  it('throws a fault with the cause when it dies', async () => {
    const wrong = { ...task(forecast(), 20), kind: 'schedule' } as const;
    await assert.rejects(
      runOnThread(wrong),
      (error) => error instanceof Fault && /was given forecast work/.test(String(error.cause)),
    );
  });

  it('ends only its own run when a watch throws', async () => {
    const broken = new Error('the journal cannot be read');
    const fail = (): never => {
      throw broken;
    };
    await assert.rejects(runOnThread(task(long, endless), { mustStop: fail }), broken);
    await assert.rejects(runOnThread(task(long, 100), { onProgress: fail, mustStop: () => false }), broken);
  });
});

describe('executing on the thread', () => {
  const homes = homeForEach();

  it('stops the engine within moments after a pause by another process', async () => {
    const home = homes.get().open();
    const other = homes.get().open();
    const { id } = await queued(home, long);
    const raised = { ...home, config: () => ({ ...home.config(), max_evaluations: endless }) };
    const paused = until(() => showMission(other, id).stages.length === 2, 'it researches').then(() => pause(other, actor));
    await rejectsRefusal(executeMission(raised, id, { actor }), 'paused');
    await paused;
    const { state, error } = showMission(other, id);
    assert.deepEqual([state, error?.code], ['failed', 'paused']);
    home.close();
    other.close();
  });
});

const homes = homeForEach();

const attempt = async (home: Home, id: string, options: Partial<AttemptOptions>): Promise<MissionRecord> =>
  runAttempt(home, await takeLease(home, id, { actor }), { actor, ...options });

const rolesOf = (home: Home, id: string): string[] => showMission(home, id).stages.map(({ role }) => role);

describe('the stages before the engine', () => {
  homes.it('are recorded with the outcome when the work is over before their time', async (home) => {
    const { id } = await queued(home, forecast());
    const committed = watchCommits(home);
    await attempt(home, id, { runEngine: fakeEngine(), stages_wait_ms: hang_ms });
    assert.equal(committed().length, 2, 'the lease, and everything else');
    assert.deepEqual(rolesOf(home, id), roles);
  });

  homes.it('are recorded while the work lasts once their time has come, and then progress is sent', async (home) => {
    const { id } = await queued(home, forecast('long'));
    const held = heldEngine();
    const told: string[] = [];
    const work = attempt(home, id, {
      runEngine: held.engine,
      stages_wait_ms: 1,
      onProgress: (stage) => told.push(stage),
    });
    await until(() => rolesOf(home, id).length === 2);
    held.progress('long', 0.5);
    held.release('long');
    await work;
    assert.deepEqual(told.slice(0, 3), ['planning', 'research', 'strategy']);
    assert.deepEqual(rolesOf(home, id), roles);
  });

  it('end the work when they cannot be recorded', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home, forecast('long'));
    const held = heldEngine();
    let cancelled: Promise<unknown> = Promise.resolve();
    const late: Home = { ...home, transact: (command) => cancelled.then(() => home.transact(command)) };
    const runEngine: typeof held.engine = async (...task) => {
      await (cancelled = cancelMission(other, id, actor));
      return held.engine(...task);
    };
    await rejectsRefusal(attempt(late, id, { runEngine, stages_wait_ms: 1 }), 'wrong_state');
    assert.deepEqual([held.working, showMission(home, id).stages], [[], []]);
    for (const each of [other, home]) each.close();
  });

  homes.it('leave those of a failure, which come while they are being recorded, to its own commit', async (home) => {
    const { id } = await queued(home, forecast());
    const slow: Home = { ...home, transact: (command) => home.transact(command).then((done) => sleep(50, done)) };
    const runEngine = async (): Promise<EngineAnswer> => {
      await until(() => rolesOf(home, id).length === 2);
      return { type: 'refused', refusal: { code: 'execution_failed', detail: 'no' }, codegen: {} };
    };
    await rejectsRefusal(attempt(slow, id, { runEngine, stages_wait_ms: 1 }), 'execution_failed');
    assert.deepEqual(rolesOf(home, id), roles.slice(0, 5));
  });

  homes.it('are recorded with the failure of work that failed before their time', async (home) => {
    const { id } = await queued(home, forecast());
    await rejectsRefusal(
      attempt(home, id, { runEngine: () => Promise.reject(new Error('no')), stages_wait_ms: hang_ms }),
      'execution_failed',
    );
    assert.deepEqual(rolesOf(home, id), ['planning', 'research']);
    assert.equal(showMission(home, id).error?.message, 'no');
  });
});

describe('a gate', () => {
  it('lets a fixed number through at once, in order of arrival, whether they succeed or fail', async () => {
    const gate = new Gate(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const pass = (n: number): Promise<number> =>
      gate.run(async () => {
        begun.push(n);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (n === 1) throw new RangeError('a bug');
        return n;
      });
    const all = Promise.allSettled([pass(0), pass(1), pass(2), pass(3), pass(4)]);
    await nextTurn();
    assert.deepEqual(begun, [0, 1]);
    ends[1]?.();
    await nextTurn();
    assert.deepEqual(begun, [0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await nextTurn();
    assert.deepEqual(begun, [0, 1, 2, 3, 4]);
    ends[3]?.();
    ends[4]?.();
    const outcomes = await all;
    assert.deepEqual(membersOf(outcomes, 'status'), ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    ends.length = 0;
    const again = [pass(5), pass(6), pass(7)];
    await nextTurn();
    assert.deepEqual(begun.slice(5), [5, 6]);
    ends[0]?.();
    ends[1]?.();
    await nextTurn();
    ends[2]?.();
    assert.deepEqual(await Promise.all(again), [5, 6, 7]);
  });
});
