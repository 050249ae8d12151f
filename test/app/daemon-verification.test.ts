/** The daemon verifies its journal while it serves it; once that fails it records nothing but what stops work. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { describe, it } from 'mocha';
import { pause, resume } from '../../src/app/home/control.js';
import { Verifier } from '../../src/app/daemon/verification.js';
import { homePaths } from '../../src/home/paths.js';
import { cancelMission, showMission } from '../../src/app/missions/missions.js';
import { atEffort } from '../support/effort.js';
import { daemonsForEach, endless, heldEngine, longWork, until, type GivenDaemon } from '../support/given-daemon.js';
import { actor, apply, queued, rejectsRefusal, run, stateOf } from '../support/given-home.js';
import { tamper } from '../support/mixed-home.js';
import { homeForEach, submit } from '../support/temporary-home.js';

const soon = { verification_pause_ms: 50 };

/** Alters the words of an entry in the middle of the journal, as a hand at the file would; what undoes it. */
function alter({ home: { db } }: GivenDaemon, sequence: number): () => void {
  const trigger = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%UPDATE ON events%'")
    .get() as {
    readonly name: string;
    readonly sql: string;
  };
  const write = (from: string, to: string): void => {
    db.exec(`DROP TRIGGER ${trigger.name}`);
    db.prepare('UPDATE events SET body = replace(body, ?, ?) WHERE seq = ?').run(from, to, sequence);
    db.exec(trigger.sql);
  };
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
      assert.deepEqual([verifier.last().valid, warnings[0]?.startsWith('the journal could not be verified (')], [null, true]);
      renameSync(away, directory);
      await until(() => verifier.last().valid === true);
    } finally {
      await verifier.stop();
    }
  });

  it('does not keep the daemon from stopping', async () => {
    const daemon = await daemons.start(homes.get());
    await daemon.stop();
    assert.deepEqual([daemon.verification().valid, daemon.warnings], [null, []]);
  });

  it('warns when it fails, and then lets nothing be recorded but what stops work until it passes again', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { ...soon, executing_max: 3, runEngine: held.engine });
    const { home, executions } = daemon;
    for (const n of [1, 2, 3]) await home.transact(submit(n));
    const [a, b] = [await queued(home), await queued(home)];
    await executions.start(a.id, actor);
    await until(() => held.working.length === 1);
    const outcome = executions.outcome(a.id) ?? assert.fail('it does not run');
    const restore = alter(daemon, 3);
    await until(() => daemon.verification().valid === false);
    assert.match(daemon.verification().failure ?? '', /^entry 3: /);
    await rejectsRefusal(outcome, 'interrupted');
    assert.equal(showMission(home, a.id).error?.message, 'the journal failed its verification');
    assert.match(
      (await rejectsRefusal(executions.start(b.id, actor), 'integrity')).detail,
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
    assert.equal(daemon.warnings.length, 1);
    assert.match(daemon.warnings[0] ?? '', /^the journal failed its verification: entry 3: /);
  });

  it('fails with an altered row, which ends the execution that reads it; the end is recorded', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { runEngine: held.engine });
    const { home, executions } = daemon;
    const { id } = await queued(home);
    await executions.start(id, actor);
    await until(() => held.working.length === 1);
    await until(() => daemon.verification().valid === true);
    const outcome = executions.outcome(id) ?? assert.fail('it does not run');
    tamper(homes.get(), "UPDATE mission SET record = '{'");
    held.release('try');
    await rejectsRefusal(outcome, 'interrupted');
    const { state, error, goal } = showMission(home, id);
    assert.deepEqual([state, error?.code, goal], ['failed', 'interrupted', 'try']);
    assert.match(daemon.verification().failure ?? '', /^the table row of mission /);
    assert.equal(daemon.warnings.length, 1);
  });

  it('does not take for damage what is recorded meanwhile', async () => {
    const { clock } = homes.get();
    // Enough that a verification lasts for many commits.
    const before = atEffort(700, 2_000);
    homes.get().with(({ writer }) => {
      writer.begin();
      writer.run(Array.from({ length: before }, (_, n) => submit(n)));
    });
    const daemon = await daemons.start(homes.get(), { verification_pause_ms: 1 });
    let [verified, last] = [0, ''];
    for (let n = before; verified < 3; n++) {
      await daemon.home.transact(submit(n));
      clock.now += 1;
      const { verified_at } = daemon.verification();
      if (verified_at === null || verified_at === last) continue;
      [verified, last] = [verified + 1, verified_at];
    }
    assert.deepEqual([daemon.verification().failure, daemon.warnings], [null, []]);
  });

  it('continues beside missions that execute', async () => {
    const daemon = await daemons.start(homes.get(), { ...soon, executing_max: 2 });
    await apply(daemon.home, endless);
    const { id } = await queued(daemon.home, longWork('first'));
    await daemon.executions.start(id, actor);
    homes.get().clock.now += 1_000;
    await until(() => daemon.verification().verified_at === '2026-11-20T05:00:01.000000Z');
    assert.deepEqual([daemon.verification().valid, daemon.executions.running()], [true, [id]]);
  });
});
