import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Fault } from '../../src/base/fault.js';
import { RefusalError } from '../../src/base/result.js';
import type { Home } from '../../src/app/home/home.js';
import { readMission } from '../../src/rows/missions.js';
import { openDatabase } from '../../src/store/database.js';
import { homeForEach, submit, uuidOf } from '../support/temporary-home.js';
import { contents, refusing, sound } from './inspect.js';

const homes = homeForEach();

describe('the writer: constraints of the tables', () => {
  const forbidden = [
    "UPDATE events SET body = body || ' '",
    'UPDATE events SET seq = seq + 1',
    'DELETE FROM events',
    "INSERT OR REPLACE INTO events VALUES (1, 'a', 'b', 'c', 'd')",
    "INSERT INTO events VALUES (1, 'a', 'b', 'c', 'd') ON CONFLICT DO UPDATE SET body = excluded.body",
    "REPLACE INTO events SELECT seq, 'a', body, hash, signature FROM events",
    "INSERT INTO events VALUES (4, 'a', 'b', 'c', 'd')",
    "UPDATE checkpoint SET note = ''",
    'DELETE FROM checkpoint',
    "INSERT OR REPLACE INTO checkpoint VALUES (2, 'x')",
    "INSERT INTO checkpoint VALUES (0, 'x')",
    "INSERT INTO checkpoint VALUES (1, 'x')",
    "UPDATE blob SET bytes = x'00'",
    "INSERT INTO blob VALUES ('ff', x'00', x'00')",
    "INSERT INTO tile VALUES (-1, 0, x'00')",
  ];
  for (const sql of forbidden) {
    it(sql, () => {
      homes.get().with((home) => {
        home.writer.transact(submit(1));
        const before = contents(home);
        assert.throws(() => home.db.exec(sql), { code: /^SQLITE_CONSTRAINT/ });
        assert.deepEqual(contents(home), before);
        const other = openDatabase(home.paths.journal);
        try {
          assert.throws(() => other.exec(sql), { code: /^SQLITE_CONSTRAINT/ });
        } finally {
          other.close();
        }
      });
    });
  }
});

describe('the writer: durability', () => {
  it('opens with WAL and synchronous=FULL every time', () => {
    for (let i = 0; i < 2; i++) {
      homes.get().with((home) => {
        assert.equal(home.db.pragma('journal_mode', { simple: true }), 'wal');
        assert.equal(home.db.pragma('synchronous', { simple: true }), 2);
        home.writer.transact(submit(i));
      });
    }
  });

  /** Lets COMMIT throw, after it was done or instead of it. */
  function breakCommit(home: Home, isDone: boolean): void {
    const { statements } = home.writer as unknown as { statements: { commit: { run: () => unknown } } };
    const real = statements.commit;
    const run = (): never => {
      if (isDone) real.run();
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    };
    statements.commit = { run };
  }

  for (const isDone of [true, false]) {
    it(`stops after a COMMIT that throws; a restart finds it ${isDone ? '' : 'not '}done`, async () => {
      const home = homes.get().open();
      breakCommit(home, isDone);
      assert.throws(() => home.writer.transact(submit(1)), { name: 'Fault', message: /outcome is unknown/ });
      assert.throws(() => home.writer.transact(submit(2)), { name: 'Fault', message: /start the program again/ });
      assert.throws(() => home.writer.begin(), Fault);
      home.close();
      const again = homes.get().open();
      try {
        assert.equal(again.writer.head.size, isDone ? 2 : 1);
        assert.equal(readMission(again.db, uuidOf(1)) !== null, isDone);
        assert.equal(again.writer.transact(submit(2)), isDone ? 3 : 2);
        await sound(again);
      } finally {
        again.close();
      }
    });
  }

  it('stops when the connection is gone, and still closes', () => {
    const home = homes.get().open();
    home.writer.begin();
    home.db.close();
    assert.throws(() => home.writer.run([submit(1)]), /not open/);
    home.close();
    homes.get().with((again) => assert.equal(again.writer.head.size, 1));
  });

  it('refuses every command of the batch on a full disk, and continues once there is space', async () => {
    const home = homes.get().open();
    try {
      home.writer.transact(submit(1));
      const before = contents(home);
      const pages = home.db.pragma('page_count', { simple: true }) as number;
      home.db.pragma(`max_page_count = ${pages + 3}`);
      home.writer.begin();
      const big = 'x'.repeat(60_000);
      const outcomes = home.writer.run([submit(2), refusing, submit(3, big), submit(4)]);
      assert.equal(outcomes.length, 4);
      for (const outcome of outcomes) {
        assert.ok('error' in outcome && outcome.error instanceof RefusalError);
        assert.equal(outcome.error.refusal.code, 'storage_full');
      }
      assert.equal(home.db.inTransaction, false);
      assert.deepEqual(contents(home), before);
      assert.equal(home.writer.head.size, 2);
      assert.deepEqual(home.writer.transact(submit(5)), 3);
      home.db.pragma('max_page_count = 1073741823');
      assert.deepEqual(home.writer.transact(submit(3, big)), 4);
      await sound(home);
    } finally {
      home.close();
    }
  });
});
