import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { describe, it } from 'mocha';
import { Fault } from '../../src/base/fault.js';
import { entry_body_bytes_max } from '../../src/base/limits.js';
import { RefusalError } from '../../src/base/result.js';
import { configure, pause, resume } from '../../src/app/control.js';
import type { Home } from '../../src/app/home.js';
import { verifyHome } from '../../src/app/verify-home.js';
import { latestNote, readBlob, readEntry, rowsAfter } from '../../src/journal/reader.js';
import type { Command } from '../../src/journal/writer.js';
import { readMission } from '../../src/projection/missions.js';
import { openDatabase } from '../../src/store/database.js';
import { homeForEach, submit, submitted, uuidOf } from '../support/temporary-home.js';

const homes = homeForEach();

/** All that a transaction may change, as it stands in the file. */
const contents = (home: Home): unknown => ({
  events: home.db.prepare('SELECT * FROM events').all(),
  checkpoints: home.db.prepare('SELECT * FROM checkpoint').all(),
  blobs: home.db.prepare('SELECT hash FROM blob').all(),
  missions: home.db.prepare('SELECT * FROM mission').all(),
  applied: home.db.prepare('SELECT * FROM projection').all(),
});
const sizes = (home: Home): number[] =>
  home.db.prepare<[], { size: number }>('SELECT size FROM checkpoint ORDER BY size').all().map(({ size }) => size);
const sound = async (home: Home): Promise<void> => {
  const report = await verifyHome(home, { deep: true });
  assert.ok(E.isRight(report));
  assert.equal(report.right.failure, null);
};
const refusing: Command<number> = (tx) => {
  tx.append(uuidOf(900), submitted('refused'));
  tx.putBlob(Buffer.from('refused'));
  return E.left({ code: 'conflict', detail: 'no' });
};
const throwing: Command<number> = (tx) => {
  tx.append(uuidOf(901), submitted('thrown'));
  tx.putBlob(Buffer.from('thrown'));
  throw new RangeError('a bug');
};

describe('the writer: what stands in the journal', () => {
  it('is chained, numbered and timed in UTC with microseconds', () => {
    const home = homes.get().open();
    try {
      homes.get().clock.now = Date.parse('2027-03-04T05:06:07.089Z');
      home.writer.transact(submit(1));
      homes.get().clock.now -= 3_600_000;
      home.writer.transact(submit(2));
      const rows = rowsAfter(home.db, 0, 10).map((row) => readEntry(home.db, row.seq)!);
      assert.deepEqual(
        rows.map((entry) => [entry.sequence, entry.time]),
        [
          [1, '2026-11-20T05:00:00.000000Z'],
          [2, '2027-03-04T05:06:07.089000Z'],
          [3, '2027-03-04T04:06:07.089000Z'],
        ],
      );
      assert.deepEqual(
        rows.map((entry) => entry.previous),
        ['0'.repeat(64), rows[0]?.hash, rows[1]?.hash],
      );
      assert.equal(new Set(rows.map((entry) => entry.incarnation)).size, 1);
      assert.deepEqual(home.writer.head, { size: 3, hash: rows[2]?.hash });
    } finally {
      home.close();
    }
  });

  it('one checkpoint a transaction, at its last entry', () => {
    homes.get().with((home) => {
      home.writer.begin();
      home.writer.run([submit(1), submit(2), submit(3)]);
      home.writer.transact(submit(4));
      assert.deepEqual(sizes(home), [1, 4, 5]);
    });
  });

  it('a transaction that records nothing writes nothing', () => {
    homes.get().with((home) => {
      const before = contents(home);
      assert.deepEqual(home.writer.transact(() => E.right('nothing')), E.right('nothing'));
      assert.deepEqual(home.writer.transact((tx) => E.right(tx.putBlob(Buffer.from('x')).length)), E.right(64));
      assert.deepEqual(contents(home), before);
    });
  });

  it('an entry may have a mebibyte and not a byte more', async () => {
    const home = homes.get().open();
    try {
      const size = (goal: string): number => {
        const result = home.writer.transact((tx) => E.right(Buffer.byteLength(tx.append(uuidOf(1), submitted(goal)).text)));
        assert.ok(E.isRight(result), JSON.stringify(result));
        return result.right;
      };
      const frame = size('') ;
      const room = entry_body_bytes_max - frame;
      const refused = home.writer.transact(submit(1, 'x'.repeat(room + 1)));
      assert.ok(E.isLeft(refused));
      assert.equal(refused.left.code, 'too_large');
      assert.equal(home.writer.head.size, 2);
      assert.equal(size(`é${'x'.repeat(room - 2)}`), entry_body_bytes_max);
      await sound(home);
    } finally {
      home.close();
    }
  });
});

describe('the writer: refusals and faults', () => {
  it('a refusal undoes its own command: entries, blobs and projections', async () => {
    const home = homes.get().open();
    try {
      home.writer.begin();
      const outcomes = home.writer.run([submit(1), refusing, submit(2)]);
      assert.deepEqual(outcomes, [
        { result: E.right(2) },
        { result: E.left({ code: 'conflict', detail: 'no' }) },
        { result: E.right(3) },
      ]);
      assert.equal(readMission(home.db, uuidOf(900)), null);
      assert.equal(readMission(home.db, uuidOf(2))?.goal, 'mission 2');
      assert.equal(home.db.prepare('SELECT count(*) FROM blob').pluck().get(), 1);
      await sound(home);
    } finally {
      home.close();
    }
  });

  it('a throw undoes its own command and goes to its caller', async () => {
    const home = homes.get().open();
    try {
      home.writer.begin();
      const [first, second, third] = home.writer.run([submit(1), throwing, submit(2)]);
      assert.deepEqual([first, third], [{ result: E.right(2) }, { result: E.right(3) }]);
      assert.ok(second !== undefined && 'fault' in second && second.fault instanceof RangeError);
      assert.equal(readMission(home.db, uuidOf(901)), null);
      assert.throws(() => home.writer.transact(throwing), RangeError);
      home.writer.transact(submit(3));
      assert.deepEqual(sizes(home), [1, 3, 4]);
      await sound(home);
    } finally {
      home.close();
    }
  });

  it('a transaction of refusals alone leaves no trace, and the frontier is right afterwards', async () => {
    const home = homes.get().open();
    try {
      const before = contents(home);
      for (let i = 0; i < 3; i++) assert.ok(E.isLeft(home.writer.transact(refusing)));
      assert.deepEqual(contents(home), before);
      home.writer.transact(submit(1));
      await sound(home);
    } finally {
      home.close();
    }
  });

  it('a begun incarnation is undone with its command', () => {
    homes.get().with((home) => {
      const { origin } = home.writer;
      home.writer.transact((tx) => {
        tx.beginIncarnation('ab'.repeat(16));
        tx.append(uuidOf(1), submitted('never'));
        return E.left({ code: 'conflict', detail: 'no' });
      });
      assert.equal(home.writer.origin, origin);
      home.writer.transact(submit(1));
      assert.match(latestNote(home.db)?.note ?? '', new RegExp(`^${origin}\n2\n`));
    });
  });

  it('blobs: salted, read back, erased', () => {
    homes.get().with((home) => {
      const put: Command<string> = (tx) => {
        const hash = tx.putBlob(Buffer.from('the same'));
        tx.append(uuidOf(1), submitted(hash));
        return E.right(hash);
      };
      const [one, two] = [home.writer.transact(put), home.writer.transact(put)];
      assert.ok(E.isRight(one) && E.isRight(two));
      assert.notEqual(one.right, two.right);
      assert.equal(readBlob(home.db, one.right)?.toString(), 'the same');
      home.writer.transact((tx) => {
        tx.eraseBlob(one.right);
        return E.right(tx.append(uuidOf(2), submitted('gone')).sequence);
      });
      assert.equal(readBlob(home.db, one.right), null);
      assert.equal(readBlob(home.db, two.right)?.toString(), 'the same');
    });
  });
});

describe('the writer: the tables themselves refuse', () => {
  const forbidden = [
    "UPDATE events SET body = body || ' '",
    'UPDATE events SET seq = seq + 1',
    'DELETE FROM events',
    "INSERT OR REPLACE INTO events VALUES (1, 'a', 'b', 'c', 'd')",
    "INSERT INTO events VALUES (1, 'a', 'b', 'c', 'd') ON CONFLICT DO UPDATE SET body = excluded.body",
    "REPLACE INTO events SELECT seq, 'a', body, hash, signature FROM events",
    "INSERT OR REPLACE INTO events SELECT 3, mission, body, hash, signature FROM events WHERE seq = 1",
    "INSERT INTO events VALUES (4, 'a', 'b', 'c', 'd')",
    "UPDATE checkpoint SET note = ''",
    'DELETE FROM checkpoint',
    "INSERT OR REPLACE INTO checkpoint VALUES (2, 'x')",
    "INSERT INTO checkpoint VALUES (0, 'x')",
    "UPDATE blob SET bytes = x'00'",
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
  it('every open has WAL and synchronous=FULL, also the second', () => {
    for (let i = 0; i < 2; i++) {
      homes.get().with((home) => {
        assert.equal(home.db.pragma('journal_mode', { simple: true }), 'wal');
        assert.equal(home.db.pragma('synchronous', { simple: true }), 2);
        home.writer.transact(submit(i));
      });
    }
  });

  it('a COMMIT that throws stops the writer, whatever came of it; a restart reads what is there', async () => {
    const home = homes.get().open();
    const statements = (home.writer as unknown as { statements: { commit: { run: () => unknown } } }).statements;
    const real = statements.commit;
    statements.commit = {
      run: () => {
        real.run();
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
      },
    };
    assert.throws(() => home.writer.transact(submit(1)), { name: 'Fault', message: /outcome is unknown/ });
    statements.commit = real;
    assert.throws(() => home.writer.transact(submit(2)), { name: 'Fault', message: /start the program again/ });
    assert.throws(() => home.writer.begin(), Fault);
    home.close();
    const again = homes.get().open();
    try {
      assert.equal(again.writer.head.size, 2);
      assert.equal(readMission(again.db, uuidOf(1))?.goal, 'mission 1');
      again.writer.transact(submit(2));
      await sound(again);
    } finally {
      again.close();
    }
  });

  it('a connection that is gone stops it too, and closing still works', () => {
    const home = homes.get().open();
    home.writer.begin();
    home.db.close();
    assert.throws(() => home.writer.run([submit(1)]), /not open/);
    home.close();
    homes.get().with((again) => assert.equal(again.writer.head.size, 1));
  });

  it('a full disk is answered to every command of the batch, and the journal goes on once there is space', async () => {
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
        assert.ok('fault' in outcome && outcome.fault instanceof RefusalError);
        assert.equal(outcome.fault.refusal.code, 'storage_full');
      }
      assert.equal(home.db.inTransaction, false);
      assert.deepEqual(contents(home), before);
      assert.equal(home.writer.head.size, 2);
      assert.deepEqual(home.writer.transact(submit(5)), E.right(3));
      home.db.pragma('max_page_count = 1073741823');
      assert.deepEqual(home.writer.transact(submit(3, big)), E.right(4));
      await sound(home);
    } finally {
      home.close();
    }
  });

  it('a blob is erased with the configuration that replaces it', () => {
    homes.get().with((home) => {
      assert.ok(E.isRight(pause(home, 'me')));
      const found = (): unknown => home.db.prepare('SELECT count(*) FROM blob').pluck().get();
      assert.equal(found(), 1);
      assert.ok(E.isRight(configure(home, home.paths.config, 'me')));
      assert.equal(found(), 1);
      assert.ok(E.isRight(resume(home, 'me')));
    });
  });
});
