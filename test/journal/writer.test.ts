import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { Fault, RefusalError } from '../../src/base/refusal.js';
import { entry_body_bytes_max } from '../../src/base/limits.js';
import type { EventType } from '../../src/codec/event.js';
import { latestNote, readBlob, readEntry, rowsAfter } from '../../src/journal/reader.js';
import type { Command } from '../../src/journal/writer.js';
import { readMission } from '../../src/tables/missions.js';
import { openDatabase } from '../../src/store/database.js';
import { documents, event, hex } from '../support/codec/given-events.js';
import { throwsRefusal } from '../support/app/given-home.js';
import { homeForEach, submit, submitted, uuidOf } from '../support/app/temporary-home.js';
import { checkpointSizes, contents, refusing, sound, watchCommits } from './inspect.js';
import { membersOf } from '../support/lists.js';

const homes = homeForEach();

describe('the writer: entries and checkpoints', () => {
  homes.it('writes entries that are chained, numbered and timed in UTC with microseconds', (home) => {
    homes.get().clock.now = Date.parse('2027-03-04T05:06:07.089Z');
    home.writer.transact(submit(1));
    homes.get().clock.now -= 3_600_000;
    home.writer.transact(submit(2));
    homes.get().clock.now = Date.parse('+010000-01-01T00:00:00Z');
    assert.throws(() => home.writer.transact(submit(3)), /the clock .* set it/);
    const rows = rowsAfter(home.db, 0, 10).map((row) => readEntry(home.db, row.seq)!);
    assert.deepEqual(
      rows.map((entry) => [entry.sequence, entry.time]),
      [
        [1, '2026-11-20T05:00:00.000000Z'],
        [2, '2027-03-04T05:06:07.089000Z'],
        [3, '2027-03-04T04:06:07.089000Z'],
      ],
    );
    assert.deepEqual(membersOf(rows, 'previous'), ['0'.repeat(64), rows[0]?.hash, rows[1]?.hash]);
    assert.equal(new Set(rows.map((entry) => entry.incarnation)).size, 1);
    assert.deepEqual(home.writer.head, { size: 3, hash: rows[2]?.hash });
  });

  homes.it('writes one checkpoint for each transaction, at its last entry, and keeps the newest', (home) => {
    assert.deepEqual(checkpointSizes(home), [1]);
    const commits = watchCommits(home);
    home.writer.begin();
    home.writer.run([submit(1), submit(2), submit(3)]);
    assert.deepEqual(checkpointSizes(home), [4]);
    home.writer.transact(submit(4));
    assert.deepEqual([commits(), checkpointSizes(home)], [[4, 5], [5]]);
  });

  homes.it('writes nothing for a transaction that records nothing', (home) => {
    const before = contents(home);
    const nothing = home.writer.transact(() => 'nothing');
    assert.equal(nothing, 'nothing');
    assert.deepEqual(contents(home), before);
  });

  homes.it('refuses to keep a blob to which no event of its command refers', (home) => {
    const [before, commits] = [contents(home), watchCommits(home)];
    const alone: Command<string> = (tx) => tx.putBlob(Buffer.from('x'));
    const beside: Command<string> = (tx) => {
      tx.append(uuidOf(1), submitted('refers to nothing'));
      return alone(tx);
    };
    for (const command of [alone, beside])
      assert.throws(() => home.writer.transact(command), /a blob was stored to which no event refers/);
    assert.deepEqual(contents(home), before);
    home.writer.transact(submit(2));
    assert.deepEqual(commits(), [2]);
  });

  homes.it('accepts an entry of a mebibyte and not a byte more', async (home) => {
    const size = (goal: string): number =>
      home.writer.transact((tx) => Buffer.byteLength(tx.append(uuidOf(1), submitted(goal)).text));
    const room = entry_body_bytes_max - size('');
    throwsRefusal(() => home.writer.transact(submit(1, 'x'.repeat(room + 1))), 'too_large');
    assert.equal(home.writer.head.size, 2);
    assert.equal(size(`é${'x'.repeat(room - 2)}`), entry_body_bytes_max);
    await sound(home);
  });
});

describe('the writer: refusals and faults', () => {
  homes.it('undoes the command of a refusal: entries, blobs and projections', async (home) => {
    home.writer.begin();
    const [first, second, third] = home.writer.run([submit(1), refusing, submit(2)]);
    assert.deepEqual([first, third], [{ value: 2 }, { value: 3 }]);
    assert.ok(second !== undefined && 'error' in second && second.error instanceof RefusalError);
    assert.deepEqual(second.error.refusal, { code: 'conflict', detail: 'no' });
    assert.equal(readMission(home.db, uuidOf(900)), null);
    assert.equal(readMission(home.db, uuidOf(2))?.goal, 'mission 2');
    assert.equal(home.db.prepare('SELECT count(*) FROM blob').pluck().get(), 1);
    await sound(home);
  });

  homes.it('undoes a begun incarnation with its command', (home) => {
    const { origin } = home.writer;
    const beginning: Command<never> = (tx) => {
      tx.beginIncarnation('ab'.repeat(16));
      tx.append(uuidOf(1), submitted('never'));
      throw new RefusalError('conflict', 'no');
    };
    throwsRefusal(() => home.writer.transact(beginning), 'conflict');
    assert.equal(home.writer.origin, origin);
    home.writer.transact(submit(1));
    assert.match(latestNote(home.db)?.note ?? '', new RegExp(`^${origin}\n2\n`));
  });

  homes.it('salts blobs, reads them back, and erases those that an event erases', (home) => {
    const put: Command<string> = (tx) => {
      const request_blob = tx.putBlob(Buffer.from('the same'));
      tx.append(uuidOf(1), event('mission.submitted', { request_blob }));
      return request_blob;
    };
    const [one, two] = [home.writer.transact(put), home.writer.transact(put)];
    assert.notEqual(one, two);
    assert.equal(readBlob(home.db, one)?.toString(), 'the same');
    home.writer.transact((tx) => {
      const erased = event('mission.erased', { blobs: [one] });
      return tx.append(uuidOf(1), erased).sequence;
    });
    assert.equal(readBlob(home.db, one), null);
    assert.equal(readBlob(home.db, two)?.toString(), 'the same');
  });

  homes.it('refuses a blob whose bytes were moved between salt and value', (home) => {
    const hash = home.writer.transact((tx) => {
      const request_blob = tx.putBlob(Buffer.from('value'));
      tx.append(uuidOf(1), event('mission.submitted', { request_blob }));
      return request_blob;
    });
    const row = home.db.prepare<[], { salt: Buffer; bytes: Buffer }>('SELECT salt, bytes FROM blob').all().at(-1)!;
    home.db.exec('DROP TRIGGER blob_update; PRAGMA ignore_check_constraints = ON');
    home.db
      .prepare('UPDATE blob SET salt = ?, bytes = ? WHERE hash = ?')
      .run(Buffer.concat([row.salt, row.bytes.subarray(0, 1)]), row.bytes.subarray(1), hash);
    throwsRefusal(() => readBlob(home.db, hash), 'integrity');
  });
});

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
    'UPDATE checkpoint SET size = 1',
    'DELETE FROM checkpoint',
    "INSERT OR REPLACE INTO checkpoint VALUES (2, 'x')",
    "INSERT INTO checkpoint VALUES (0, 'x')",
    "INSERT INTO checkpoint VALUES (1, 'x')",
    "UPDATE blob SET bytes = x'00'",
    "INSERT INTO blob VALUES ('ff', x'00', x'00')",
    "INSERT INTO tile VALUES (-1, 0, x'00')",
  ];
  for (const sql of forbidden) {
    homes.it(sql, (home) => {
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
  }
});

describe('the writer: durability', () => {
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

  homes.it('refuses a command where SQLite opened the journal only for reading, and names that as the cause', (home) => {
    home.db.pragma('query_only = ON');
    throwsRefusal(() => home.writer.transact(submit(1)), 'not_writable');
    home.db.pragma('query_only = OFF');
    assert.equal(home.writer.transact(submit(1)), 2);
  });

  homes.it('refuses every command of the batch on a full disk, and continues once there is space', async (home) => {
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
  });
});

describe('an event that could not be read back', () => {
  const long = 'x'.repeat(65);
  const unreadable: readonly (readonly [type: EventType, path: string, wrong: readonly unknown[]])[] = [
    ['control.paused', 'actor', ['', long]],
    ['mission.erased', 'reason', ['', 'x'.repeat(2_001)]],
    ['mission.completed', 'result', [null]],
    ['mission.failed', 'error.message', [{ ...documents['mission.failed'].error, message: 'x'.repeat(2_001) }]],
    ['tool.status_set', 'note', ['', ' \n', 'x'.repeat(2_001)]],
    ['token.created', 'token_sha256', ['no hash', hex('A')]],
    ['token.created', 'role', ['owner']],
    ['worker.added', 'name', ['', 'a b']],
    ['bus.received', 'peer', ['', 'x'.repeat(101)]],
  ];

  homes.it('is refused and leaves nothing', (home) => {
    const before = contents(home);
    for (const [type, path, wrong] of unreadable)
      for (const value of wrong) {
        const command: Command<unknown> = (tx) => {
          tx.putBlob(Buffer.from('left by nobody'));
          tx.append('@control', event('control.paused'));
          tx.append('@control', event(type, { [path.split('.')[0] ?? '']: value }));
        };
        const { errors } = throwsRefusal(() => home.writer.transact(command), 'invalid');
        assert.equal(errors?.map((fault) => fault.path).join(), path, type);
      }
    assert.deepEqual(contents(home), before);
  });
});
