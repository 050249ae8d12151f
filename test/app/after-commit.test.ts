/** The write-ahead log, which keeps the text of what `erase` and `configure` erased until it is emptied. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/store/database.js';
import { Database } from '../../src/store/sqlite.js';
import { InterruptedSearch } from '../../src/app/daemon/background.js';
import { afterCommit } from '../../src/app/home/recording.js';
import { configure, pause, restoreSignedConfig, resume } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelMission, eraseMission, listPage, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { RecordedFault, RefusalError } from '../../src/base/refusal.js';
import { lease_ms } from '../../src/base/limits.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { readMission } from '../../src/tables/missions.js';
import { takeAttempt } from '../../src/app/missions/ownership.js';
import { failInterrupted } from '../../src/app/missions/record.js';
import { daemonsForEach, executingForEach, heldEngine, until } from '../support/app/given-daemon.js';
import {
  actor,
  execute,
  fakeEngine,
  forecast,
  jsonFile,
  queued,
  rejectsRefusal,
  research,
  review,
  stateOf,
  throwsRefusal,
} from '../support/app/given-home.js';
import { homeForEach, type TemporaryHome } from '../support/app/temporary-home.js';

const secret = 'Mrs Brandauer keeps bees';

describe('the write-ahead log after an erasure', () => {
  const homes = homeForEach();
  const log = (home: Home): string => readFileSync(`${home.paths.journal}-wal`, 'latin1');
  const files = (home: Home): string => readFileSync(home.paths.journal, 'latin1') + log(home);

  /** Another process that reads the journal until it is closed. */
  const reader = (home: Home): Db => {
    const db = new Database(home.paths.journal);
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM events').get();
    return db;
  };

  const decided = async (home: Home): Promise<string> => {
    const { id } = await queued(home, research('tides', secret));
    const mission = await execute(home, id, { runEngine: fakeEngine() });
    await review(home, mission, { approve: false, runEngine: fakeEngine() });
    return id;
  };

  homes.it('is emptied by erase', async (home) => {
    const id = await decided(home);
    assert.ok(files(home).includes(secret));
    const { erased, ...record } = await eraseMission(home, id, 'asked', actor);
    assert.deepEqual([erased, 'warnings' in record, log(home), files(home).includes(secret)], [true, false, '', false]);
  });

  homes.it('is named by a warning while another process reads it, and emptied by a repetition', async (home) => {
    const id = await decided(home);
    const other = reader(home);
    const { erased, warnings } = await eraseMission(home, id, 'asked', actor);
    assert.deepEqual(
      [erased, warnings],
      [
        true,
        [
          `the erasure of mission ${id} is recorded, but another process is reading the journal, whose files hold the erased text until you repeat agent-cli erase ${id} --reason again`,
        ],
      ],
    );
    assert.ok(files(home).includes(secret));
    await rejectsRefusal(eraseMission(home, id, 'again', actor), 'in_use');
    other.close();
    await rejectsRefusal(eraseMission(home, id, 'again', actor), 'wrong_state');
    assert.deepEqual([log(home), files(home).includes(secret)], ['', false]);
  });

  homes.it('is emptied by configure --restore-signed when configure could not', async (home) => {
    await pause(home, actor);
    await configure(home, jsonFile(homes.get().root, { name: 'brandauer' }), actor);
    const other = reader(home);
    const { warnings } = await configure(home, jsonFile(homes.get().root, { name: 'other' }), actor);
    assert.equal(warnings?.length, 1);
    assert.match(warnings[0] ?? '', /^the new configuration is recorded, .*you repeat agent-cli configure --restore-signed$/);
    assert.ok(files(home).includes('brandauer'));
    other.close();
    assert.equal('warnings' in restoreSignedConfig(home), false);
    assert.deepEqual([log(home), files(home).includes('brandauer')], ['', false]);
  });

  homes.it('does not keep a configuration from being in force whose file could not be replaced', async (home) => {
    await pause(home, actor);
    const file = jsonFile(homes.get().root, { name: 'other' });
    const config = join(homes.get().root, 'config.json');
    mkdirSync(config);
    const prepared = (): string[] => readdirSync(homes.get().root).filter((name) => name.startsWith('config.json.tmp-'));
    const inTheWay: Home = {
      ...home,
      paths: { ...home.paths, config },
      transact: async (command) => {
        assert.equal(prepared().length, 1, 'it is on the disk before the commit');
        return home.transact(command);
      },
    };
    const fault = await configure(inTheWay, file, actor).catch((error: unknown) => error);
    assert.ok(fault instanceof RecordedFault);
    assert.deepEqual(
      [fault.message, fault.remains],
      ['the new configuration is recorded, but config.json could not be replaced', 'agent-cli configure --restore-signed'],
    );
    throwsRefusal(() => home.config(), 'integrity');
    restoreSignedConfig(home);
    assert.equal(home.config().name, 'other');
    await resume(home, actor);
    await rejectsRefusal(configure(inTheWay, file, actor), 'not_paused');
    assert.deepEqual(prepared(), []);
  });
});

describe('a step after a commit', () => {
  const homes = homeForEach();
  const done = { recorded: 'it is recorded', remains: 'agent-cli again' };
  const failing = (error: unknown): unknown => {
    try {
      afterCommit(done, 'the rest failed', () => {
        throw error;
      });
    } catch (thrown) {
      return thrown;
    }
    return null;
  };

  it('turns an unknown error into a fault that says what is recorded', () => {
    const cause = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
    const fault = failing(cause);
    assert.ok(fault instanceof RecordedFault);
    assert.deepEqual(
      [fault.message, fault.remains, fault.cause],
      ['it is recorded, but the rest failed', 'agent-cli again', cause],
    );
  });

  it('keeps the code of a refusal', () => {
    const refusal = failing(new RefusalError('integrity', 'a blob is damaged', { hint: 'agent-cli verify' }));
    assert.ok(refusal instanceof RefusalError);
    assert.deepEqual(refusal.refusal, {
      code: 'integrity',
      detail: 'it is recorded, but the rest failed: a blob is damaged',
      hint: 'agent-cli verify',
    });
  });

  homes.it('is the reading of a cancelled mission whose input was altered', async (home) => {
    const { id } = await queued(home, research());
    home.db.exec("DROP TRIGGER blob_update; UPDATE blob SET bytes = x'7b7d' WHERE rowid = (SELECT max(rowid) FROM blob)");
    const { detail } = await rejectsRefusal(cancelMission(home, id, actor), 'integrity');
    assert.match(detail, new RegExp(`^the new state of mission ${id}, failed, is recorded, but .* does not match its hash$`));
    assert.equal(readMission(home.db, id)?.state, 'failed');
  });

  for (const [code, meaning, why] of [
    ['SQLITE_FULL', 'storage_full', 'no space left on the disk'],
    ['EDQUOT', 'storage_full', 'the quota of this user on the disk is used up'],
    ['EIO', 'not_writable', 'the disk failed while writing the home (EIO)'],
    ['SQLITE_IOERR_FSYNC', 'not_writable', 'the disk failed while writing the home (EIO)'],
  ] as const)
    it(`reports ${code} as ${meaning}`, () => {
      const told = failing(Object.assign(new Error('no'), { code })) as RefusalError;
      const { code: said, detail, hint } = told.refusal;
      assert.deepEqual([said, detail, hint], [meaning, `it is recorded, but the rest failed: ${why}`, 'agent-cli again']);
    });
});

const locksIn = ({ directory }: TemporaryHome): string[] => readdirSync(join(directory, 'running'));
const codeOf = (home: Home, id: string): string | undefined => showMission(home, id).error?.code;

describe('a mission whose process ended', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();
  const started = executingForEach();
  const executing = async (home: TemporaryHome): ReturnType<typeof started> => {
    const made = await started(home);
    home.clock.now = Date.now();
    return made;
  };

  it('is shown as interrupted, with the next command, and nothing is written', async () => {
    const given = homes.get();
    const { id, kill } = await executing(given);
    given.with((home) => assert.equal(showMission(home, id).interrupted, undefined));
    await kill();
    given.with((home) => {
      const before = home.writer.head.size;
      const { state, interrupted, next } = showMission(home, id);
      assert.deepEqual([state, interrupted, next], ['running', true, `agent-cli recover ${id}`]);
      const [item] = listPage(home, {}).items;
      assert.deepEqual([item?.state, item?.interrupted, item?.next], ['running', true, `agent-cli recover ${id}`]);
      const check = inspectHome(home).checks.find(({ name }) => name === 'missions');
      assert.deepEqual([check?.status, check?.fix], ['warn', `agent-cli recover ${id}`]);
      assert.equal(home.writer.head.size, before);
    });
    assert.deepEqual(locksIn(given), [`${id}.1.lock`]);
  });

  it('is recovered at once, and takes no place from the next mission', async () => {
    const given = homes.get();
    const { id, kill } = await executing(given);
    await given.with(async (home) => rejectsRefusal(recoverMission(home, id, actor), 'lease_active'));
    await kill();
    await given.with(async (home) => {
      const next = await queued(home, forecast('next'));
      const warnings: string[] = [];
      const options = { executing_max: 1, runEngine: fakeEngine(), onWarning: (text: string) => void warnings.push(text) };
      assert.equal((await execute(home, next.id, options)).state, 'review');
      assert.match(warnings.join(), new RegExp(`mission ${id} was interrupted.*agent-cli recover ${id}`));
      assert.deepEqual([stateOf(home, id), codeOf(home, id)], ['failed', 'interrupted']);
      assert.deepEqual(locksIn(given), []);
      await recoverMission(home, id, actor);
      assert.equal((await execute(home, id, { runEngine: fakeEngine() })).attempt, 2);
    });
  });

  it('is failed by recover, cancel and execute, also while paused; recover then queues it', async () => {
    const given = homes.get();
    const { id, kill } = await executing(given);
    await kill();
    for (const command of ['recover', 'cancel', 'execute', 'cancel while paused'] as const) {
      const copy = given.copy();
      copy.clock.now = given.clock.now;
      await copy.with(async (home) => {
        if (command === 'recover') assert.equal((await recoverMission(home, id, actor)).state, 'queued');
        else if (command === 'execute') {
          const refusal = await rejectsRefusal(execute(home, id, { runEngine: fakeEngine() }), 'wrong_state');
          assert.equal(refusal.hint, `agent-cli recover ${id}`);
        } else {
          if (command === 'cancel while paused') await pause(home, actor);
          assert.equal((await cancelMission(home, id, actor)).error?.code, 'interrupted');
        }
        const types = entriesOfStream(home.db, id).map(({ event }) => event?.type);
        assert.equal(types.filter((type) => type === 'mission.failed').length, 1);
        assert.equal(types.at(-1), command === 'recover' ? 'mission.recovered' : 'mission.failed');
      });
      copy.remove();
    }
  });

  it('is failed by the daemon at its start, which names it and the way on, and while it runs', async () => {
    const given = homes.get();
    const first = await executing(given);
    await first.kill();
    const daemon = await daemons.start(given, { runEngine: fakeEngine(), executing_max: 1, interrupted_search_ms: 20 });
    assert.match(daemon.warnings.join(), new RegExp(`${first.id} was interrupted.*agent-cli recover ${first.id}`));
    const { id } = await queued(daemon.home, forecast('next'));
    await daemon.executions.request(id, actor);
    await daemon.executions.outcome(id);
    await recoverMission(daemon.home, first.id, actor);
    const { id: late, kill } = await started(given, 'command');
    await kill();
    await until(() => stateOf(daemon.home, late) === 'failed', 'the interruption');
    assert.equal(codeOf(daemon.home, late), 'interrupted');
    await until(() => locksIn(given).length === 0, 'the lock file');
  });

  homes.it('leaves a lock file that the next lease takes, and that nobody deletes before', async (home) => {
    const { id, attempt } = await queued(home, forecast('tides'));
    takeAttempt(home, { id, attempt })?.release();
    await failInterrupted(home);
    assert.deepEqual(locksIn(homes.get()), [`${id}.1.lock`]);
    await execute(home, id, { runEngine: fakeEngine() });
    assert.deepEqual(locksIn(homes.get()), []);
  });

  it('is looked for rarely where a search takes long', async () => {
    await homes.get().with(async (home) => {
      let looks = 0;
      const slow = (): number => {
        looks++;
        for (const end_ms = performance.now() + 100; performance.now() < end_ms; );
        return home.world.clock();
      };
      const options = { onWarning: assert.fail, interrupted_search_ms: 1 };
      const search = new InterruptedSearch({ ...home, world: { ...home.world, clock: slow } }, options);
      await sleep(500);
      await search.stop();
      assert.ok(looks > 0 && looks < 4, `${looks} searches`);
    });
  });

  it('is late after its lease when it is only stopped, and ends only when it is cancelled', async () => {
    const given = homes.get();
    const { id, child } = await executing(given);
    // While it works it does not hold the journal's write lock.
    await given.with((home) => until(() => showMission(home, id).stages.length === 2, 'the engine'));
    child.kill('SIGSTOP');
    given.clock.now += lease_ms + 60_000;
    await given.with(async (home) => {
      const { state, interrupted, late, next } = showMission(home, id);
      assert.deepEqual([state, interrupted, late, next], ['running', undefined, true, `agent-cli cancel ${id}`]);
      await rejectsRefusal(recoverMission(home, id, actor), 'lease_active');
      const other = await queued(home, forecast('other'));
      await rejectsRefusal(execute(home, other.id, { executing_max: 1, runEngine: fakeEngine() }), 'in_use');
      assert.equal(stateOf(home, id), 'running');
      await cancelMission(home, id, actor);
      assert.equal((await execute(home, other.id, { executing_max: 1, runEngine: fakeEngine() })).state, 'review');
    });
    child.kill('SIGCONT');
  });

  it('is judged by its lease without a lock file, also in a moved home', async () => {
    const given = homes.get();
    const { id, kill } = await executing(given);
    await kill();
    rmSync(join(given.directory, 'running'), { recursive: true });
    const copy = given.copy();
    copy.clock.now = given.clock.now;
    await copy.with(async (home) => {
      assert.equal(showMission(home, id).interrupted, undefined);
      await rejectsRefusal(recoverMission(home, id, actor), 'lease_active');
      const other = await queued(home, forecast('other'));
      await rejectsRefusal(execute(home, other.id, { executing_max: 1, runEngine: fakeEngine() }), 'in_use');
      copy.clock.now += lease_ms + 60_000;
      assert.equal(showMission(home, id).interrupted, true);
      assert.equal((await execute(home, other.id, { executing_max: 1, runEngine: fakeEngine() })).state, 'review');
      assert.equal(codeOf(home, id), 'interrupted');
    });
    copy.remove();
  });

  it('leaves the other mission of its process alone when one of two finishes', async () => {
    const held = heldEngine();
    const given = homes.get();
    const daemon = await daemons.start(given, { executing_max: 2, runEngine: held.engine });
    const [a, b] = [await queued(daemon.home, forecast('first')), await queued(daemon.home, forecast('second'))];
    for (const { id } of [a, b]) await daemon.executions.request(id, actor);
    await until(() => held.working.length === 2);
    held.release('second');
    await daemon.executions.outcome(b.id);
    assert.deepEqual(locksIn(given), [`${a.id}.1.lock`]);
    await given.with(async (home) => rejectsRefusal(recoverMission(home, a.id, actor), 'lease_active'));
    held.release('first');
    assert.equal((await daemon.executions.outcome(a.id))?.state, 'review');
    assert.deepEqual(locksIn(given), []);
  });
});
