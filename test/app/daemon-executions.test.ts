/** Executions of the daemon: several at once, what refuses them, progress, and what ends one of them. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Verifier } from '../../src/app/daemon/verification.js';
import { pause, resume } from '../../src/app/control/control.js';
import { cancelMission, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { patiently, outcome_busy_tries_max } from '../../src/app/home/recording.js';
import { RefusalError } from '../../src/base/refusal.js';
import { homePaths } from '../../src/home/paths.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { atEffort } from '../support/effort.js';
import type { GivenDaemon } from '../support/app/given-daemon.js';
import { daemonsForEach, endless, heldEngine, longWork, outcome, start, until, verified } from '../support/app/given-daemon.js';
import { actor, apply, forecast, queued, rejectsRefusal, run, stateOf } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { homeForEach, submit, uuidOf } from '../support/app/temporary-home.js';

describe('executions of the daemon', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('run two at once, and a third as soon as one has ended', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { executing_max: 2, runEngine: held.engine });
    const add = (goal: string) => queued(daemon.home, forecast(goal));
    const [a, b, c] = [await add('first'), await add('second'), await add('third')];
    const [running] = await Promise.all([start(daemon, a.id), start(daemon, b.id)]);
    assert.deepEqual([running.state, running.attempt, running.stages], ['running', 1, []]);
    assert.equal(running.lease_expires_at, '2026-11-20T05:11:00.000000Z');
    await until(() => held.working.length === 2);
    assert.deepEqual(daemon.executions.running().toSorted(), [a.id, b.id].toSorted());
    const waiting = await start(daemon, c.id);
    assert.deepEqual([waiting.state, waiting.queue_position, waiting.queue_reason], ['queued', 1, undefined]);
    assert.deepEqual(waiting, await start(daemon, c.id));
    const third = outcome(daemon, c.id);
    held.release('second');
    assert.equal((await outcome(daemon, b.id)).state, 'review');
    assert.equal(stateOf(daemon.home, a.id), 'running');
    assert.equal(daemon.executions.outcome(b.id), null);
    const outcomes = Promise.all([outcome(daemon, a.id), third]);
    held.release('first');
    held.release('third');
    for (const one of await outcomes) assert.equal(one.state, 'review');
    assert.deepEqual(daemon.executions.running(), []);
    const leased = entriesOfStream(daemon.home.db, a.id).find(({ event }) => event?.type === 'mission.leased');
    assert.equal((leased?.event?.document as { readonly actor?: string } | undefined)?.actor, 'ada');
  });

  it('are refused to what is neither queued nor running, and while paused', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { executing_max: 2, runEngine: held.engine });
    const { home, executions } = daemon;
    const code = await queued(home, { goal: 'code', work: { kind: 'code', heldout: [{ args: [], expected: 0 }] } });
    const { id } = await queued(home, forecast('first'));
    await rejectsRefusal(executions.request('x', actor), 'invalid');
    await rejectsRefusal(executions.request(uuidOf(9), actor), 'not_found');
    await pause(home, actor);
    await rejectsRefusal(executions.request(id, actor), 'paused');
    await rejectsRefusal(executions.request(code.id, actor), 'paused');
    await resume(home, actor);
    const [first, second] = await Promise.all([executions.request(id, actor), executions.request(id, actor)]);
    assert.deepEqual([first.state, second], ['running', first]);
    held.release('first');
    await outcome(daemon, id);
    await rejectsRefusal(executions.request(id, actor), 'wrong_state');
    assert.deepEqual(executions.running(), []);
  });

  it('end alone when they are cancelled, and can be recovered and executed again at once', async () => {
    const daemon = await daemons.start(homes.get(), { executing_max: 2 });
    await apply(daemon.home, endless);
    const [a, b] = [await queued(daemon.home, longWork('first')), await queued(daemon.home, longWork('second'))];
    for (const { id } of [a, b]) await start(daemon, id);
    await until(() => showMission(daemon.home, a.id).stages.length === 2);
    await sleep(50);
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
});

describe('recording an outcome while another process writes', () => {
  const busy = new RefusalError('in_use', 'busy');
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
    const full = new RefusalError('storage_full', 'full');
    const filled = failing(9, full);
    await assert.rejects(patiently(filled.call, undefined), full);
    assert.deepEqual([stopped.calls(), filled.calls()], [1, 1]);
  });
});

const soon = { ...verified, verification_pause_ms: 50 };

/** Alters the words of an entry in the middle of the journal, as a hand at the file would; what undoes it. */
function alter({ home: { db } }: GivenDaemon, sequence: number): () => void {
  const trigger = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%UPDATE ON events%'")
    .get() as {
    readonly name: string;
    readonly sql: string;
  };
  const write = db.transaction((from: string, to: string): void => {
    db.exec(`DROP TRIGGER ${trigger.name}`);
    db.prepare('UPDATE events SET body = replace(body, ?, ?) WHERE seq = ?').run(from, to, sequence);
    db.exec(trigger.sql);
  });
  write('"goal":"mission', '"goal":"missing');
  return () => write('"goal":"missing', '"goal":"mission');
}

describe('verification by the daemon', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('runs at the start and again, and reports when', async () => {
    const { clock } = homes.get();
    const daemon = await daemons.start(homes.get(), soon);
    assert.deepEqual(daemon.verification(), { valid: null, verified_at: null, failure: null, sequence: null });
    await until(() => daemon.verification().valid === true);
    assert.equal(daemon.verification().verified_at, '2026-11-20T05:00:00.000000Z');
    clock.now += 60_000;
    await until(() => daemon.verification().verified_at === '2026-11-20T05:01:00.000000Z');
    assert.deepEqual(daemon.warnings, []);
  });

  it('is tried again soon when it reaches no conclusion', async () => {
    const { world } = homes.get();
    const { directory } = world;
    homes.get().with(() => undefined);
    const away = `${directory}.away`;
    renameSync(directory, away);
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    const verifier = new Verifier({ world, paths: homePaths(directory) }, { retry_ms_min: 10, onWarning, onFailure: onWarning });
    try {
      await until(() => warnings.length >= 3);
      assert.deepEqual([verifier.last.valid, warnings[0]?.startsWith('the journal could not be verified (')], [null, true]);
      renameSync(away, directory);
      await until(() => verifier.last.valid === true);
    } finally {
      await verifier.stop();
    }
  });

  it('does not keep the daemon from stopping', async () => {
    const daemon = await daemons.start(homes.get(), verified);
    await daemon.stop();
    assert.deepEqual([daemon.verification().valid, daemon.warnings], [null, []]);
  });

  it('warns when it fails, and then lets nothing be recorded but what stops work until it passes again', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { ...soon, executing_max: 3, runEngine: held.engine });
    const { home, executions } = daemon;
    for (const n of [1, 2, 3]) await home.transact(submit(n));
    const [a, b] = [await queued(home), await queued(home)];
    await executions.request(a.id, actor);
    await until(() => held.working.length === 1);
    const outcome = executions.outcome(a.id) ?? assert.fail('it does not run');
    const restore = alter(daemon, 3);
    await until(() => daemon.verification().valid === false);
    assert.match(daemon.verification().failure ?? '', /^entry 3: /);
    await rejectsRefusal(outcome, 'interrupted');
    assert.equal(showMission(home, a.id).error?.message, 'the journal failed its verification');
    assert.match(
      (await rejectsRefusal(executions.request(b.id, actor), 'integrity')).detail,
      /^the journal failed its verification \(entry 3: /,
    );
    await rejectsRefusal(run(home, longWork('more')), 'integrity');
    await cancelMission(home, b.id, actor);
    await pause(home, actor);
    await rejectsRefusal(resume(home, actor), 'integrity');
    const { size } = home.writer.head;
    restore();
    await until(() => daemon.verification().valid === true);
    await resume(home, actor);
    assert.deepEqual([home.writer.head.size, stateOf(home, b.id)], [size + 1, 'failed']);
    assert.deepEqual(
      daemon.warnings.map((warning) => /entry 3|mission [0-9a-f-]+ failed: the journal/.test(warning)),
      [true, true],
    );
  });

  it('fails with an altered row, which ends the execution that reads it; the end is recorded', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { ...verified, runEngine: held.engine });
    const { home, executions } = daemon;
    const { id } = await queued(home);
    await executions.request(id, actor);
    await until(() => held.working.length === 1);
    await until(() => daemon.verification().valid === true);
    const outcome = executions.outcome(id) ?? assert.fail('it does not run');
    tamper(homes.get(), "UPDATE mission SET record = '{'");
    held.release('try');
    await rejectsRefusal(outcome, 'interrupted');
    const { state, error, goal } = showMission(home, id);
    assert.deepEqual([state, error?.code, goal], ['failed', 'interrupted', 'try']);
    assert.match(daemon.verification().failure ?? '', /^the table row of mission /);
    assert.equal(daemon.warnings.length, 2);
  });

  it('does not take for damage what is recorded meanwhile', async () => {
    const { clock } = homes.get();
    // Enough that a verification lasts for many commits.
    const before = atEffort(300, 2_000);
    homes.get().with(({ writer }) => {
      writer.begin();
      writer.run(Array.from({ length: before }, (_, n) => submit(n)));
    });
    const daemon = await daemons.start(homes.get(), { ...verified, verification_pause_ms: 1 });
    let [ended, last] = [0, ''];
    for (let n = before; ended < 2; n++) {
      await daemon.home.transact(submit(n));
      clock.now += 1;
      const { verified_at } = daemon.verification();
      if (verified_at === null || verified_at === last) continue;
      [ended, last] = [ended + 1, verified_at];
    }
    assert.deepEqual([daemon.verification().failure, daemon.warnings], [null, []]);
  });
});
