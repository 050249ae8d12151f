/** The write-ahead log, which keeps the text of what `erase` and `configure` erased until it is emptied. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { RecordedFault } from '../../src/base/fault.js';
import { RefusalError } from '../../src/base/result.js';
import { afterCommit } from '../../src/app/home/after-commit.js';
import { configure, pause, restoreSignedConfig } from '../../src/app/home/control.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelMission, eraseMission } from '../../src/app/missions/missions.js';
import { readMission } from '../../src/rows/missions.js';
import {
  actor,
  execute,
  fakeEngine,
  jsonFile,
  queued,
  rejectsRefusal,
  research,
  review,
  throwsRefusal,
} from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';

const secret = 'Mrs Brandauer keeps bees';

describe('the write-ahead log after an erasure', () => {
  const homes = homeForEach();
  const log = (home: Home): string => readFileSync(`${home.paths.journal}-wal`, 'latin1');
  const files = (home: Home): string => readFileSync(home.paths.journal, 'latin1') + log(home);

  /** Another process that reads the journal until it is closed. */
  const reader = (home: Home): Database.Database => {
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

  it('is emptied by erase', async () => {
    const home = homes.get().open();
    const id = await decided(home);
    assert.ok(files(home).includes(secret));
    const { erased, ...record } = await eraseMission(home, id, 'asked', actor);
    assert.deepEqual([erased, 'warnings' in record, log(home), files(home).includes(secret)], [true, false, '', false]);
    home.close();
  });

  it('is named by a warning while another process reads it, and emptied by a repetition', async () => {
    const home = homes.get().open();
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
    home.close();
  });

  it('is emptied by configure --restore-signed when configure could not', async () => {
    const home = homes.get().open();
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
    home.close();
  });

  it('does not keep a configuration from being in force whose file could not be replaced', async () => {
    const home = homes.get().open();
    await pause(home, actor);
    const file = jsonFile(homes.get().root, { name: 'other' });
    const inTheWay = { ...home, paths: { ...home.paths, config: join(homes.get().root, 'missing', 'config.json') } };
    const fault = await configure(inTheWay, file, actor).catch((error: unknown) => error);
    assert.ok(fault instanceof RecordedFault);
    assert.deepEqual(
      [fault.message, fault.remains],
      ['the new configuration is recorded, but config.json could not be replaced', 'agent-cli configure --restore-signed'],
    );
    throwsRefusal(() => home.config(), 'integrity');
    restoreSignedConfig(home);
    assert.equal(home.config().name, 'other');
    home.close();
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

  it('returns its result', () =>
    assert.equal(
      afterCommit(done, 'it failed', () => 7),
      7,
    ));

  it('turns an unknown error into a fault that says what is recorded', () => {
    const cause = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
    const fault = failing(cause);
    assert.ok(fault instanceof RecordedFault);
    assert.deepEqual(
      [fault.message, fault.remains, fault.cause],
      ['it is recorded, but the rest failed', 'agent-cli again', cause],
    );
  });

  it('keeps the code of a refusal', () => {
    const refusal = failing(new RefusalError({ code: 'integrity', detail: 'a blob is damaged', hint: 'agent-cli verify' }));
    assert.ok(refusal instanceof RefusalError);
    assert.deepEqual(refusal.refusal, {
      code: 'integrity',
      detail: 'it is recorded, but the rest failed: a blob is damaged',
      hint: 'agent-cli verify',
    });
  });

  it('is the reading of a cancelled mission whose input was altered', async () => {
    const home = homes.get().open();
    const { id } = await queued(home, research());
    home.db.exec("DROP TRIGGER blob_update; UPDATE blob SET bytes = x'7b7d' WHERE rowid = (SELECT max(rowid) FROM blob)");
    const { detail } = await rejectsRefusal(cancelMission(home, id, actor), 'integrity');
    assert.match(detail, new RegExp(`^the new state of mission ${id}, failed, is recorded, but .* does not match its hash$`));
    assert.equal(readMission(home.db, id)?.state, 'failed');
    home.close();
  });

  for (const code of ['SQLITE_FULL', 'ENOSPC']) {
    it(`reports ${code} as storage_full`, () => {
      const refusal = failing(Object.assign(new Error('full'), { code }));
      assert.ok(refusal instanceof RefusalError);
      const { code: told, detail, hint } = refusal.refusal;
      assert.deepEqual(
        [told, detail, hint],
        ['storage_full', 'it is recorded, but the rest failed: no space left on the disk', 'agent-cli again'],
      );
    });
  }
});
