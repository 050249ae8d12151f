import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { describe, it } from 'mocha';
import { entry_body_bytes_max } from '../../src/base/limits.js';
import { latestNote, readBlob, readEntry, rowsAfter } from '../../src/journal/reader.js';
import type { Command } from '../../src/journal/writer.js';
import { readMission } from '../../src/projection/missions.js';
import { checkpointSizes, contents, refusing, sound } from './inspect.js';
import { event } from '../support/given-events.js';
import { homeForEach, submit, submitted, uuidOf } from '../support/temporary-home.js';

const homes = homeForEach();

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
      assert.deepEqual(checkpointSizes(home), [1, 4, 5]);
    });
  });

  it('a transaction that records nothing writes nothing', () => {
    homes.get().with((home) => {
      const before = contents(home);
      assert.deepEqual(
        home.writer.transact(() => E.right('nothing')),
        E.right('nothing'),
      );
      assert.deepEqual(contents(home), before);
    });
  });

  it('refuses to keep a blob to which no event of its command refers', () => {
    homes.get().with((home) => {
      const before = contents(home);
      const alone: Command<string> = (tx) => E.right(tx.putBlob(Buffer.from('x')));
      const beside: Command<string> = (tx) => {
        tx.append(uuidOf(1), submitted('refers to nothing'));
        return alone(tx);
      };
      for (const command of [alone, beside])
        assert.throws(() => home.writer.transact(command), /a blob was stored to which no event refers/);
      assert.deepEqual(contents(home), before);
      home.writer.transact(submit(2));
      assert.equal(checkpointSizes(home).length, 2);
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
      const frame = size('');
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
      assert.deepEqual(checkpointSizes(home), [1, 3, 4]);
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

  it('salts blobs, reads them back, and erases those that an event erases', () => {
    homes.get().with((home) => {
      const put: Command<string> = (tx) => {
        const request_blob = tx.putBlob(Buffer.from('the same'));
        tx.append(uuidOf(1), event('mission.submitted', { request_blob }));
        return E.right(request_blob);
      };
      const [one, two] = [home.writer.transact(put), home.writer.transact(put)];
      assert.ok(E.isRight(one) && E.isRight(two));
      assert.notEqual(one.right, two.right);
      assert.equal(readBlob(home.db, one.right)?.toString(), 'the same');
      home.writer.transact((tx) => {
        const erased = event('mission.erased', { blobs: [one.right] });
        return E.right(tx.append(uuidOf(1), erased).sequence);
      });
      assert.equal(readBlob(home.db, one.right), null);
      assert.equal(readBlob(home.db, two.right)?.toString(), 'the same');
    });
  });
});
