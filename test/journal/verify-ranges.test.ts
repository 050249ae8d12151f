/** @slow */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexFault } from '../../src/journal/check-index.js';
import { JoinedRanges, type JournalReport } from '../../src/journal/join-ranges.js';
import { signatureCheck } from '../../src/journal/signature-check.js';
import { rootAt } from '../../src/journal/tree.js';
import { range_entries, verifyRange, type RangeReport } from '../../src/journal/verify-range.js';
import { verifyJournal } from '../../src/journal/verify.js';
import type { Db } from '../../src/store/database.js';
import { atEffort } from '../support/effort.js';
import { grow } from '../support/app/published.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { alter, flip, signerOf } from './tamper.js';

/** Entries of a range: four tiles by default. */
const range = atEffort(1_024, range_entries);
/** Two whole ranges and the beginning of a third. */
const size = 2 * range + 300;
let home: TemporaryHome;

const verify = (threads: number, onProgress?: (verified: number, total: number) => void): Promise<JournalReport> =>
  verifyJournal(join(home.directory, 'journal.sqlite3'), signerOf(home).publicKey, {
    deep: false,
    threads,
    range,
    ...(onProgress === undefined ? {} : { onProgress }),
  });

describe('verification in ranges', function () {
  before(() => {
    home = temporaryHome();
    grow(home, size, 997);
  });
  after(() => home.remove());

  it('gives the same report on this thread and on two, with the root of the tree', async () => {
    const root = home.with(({ db }) => rootAt(db, size, size).toString('hex'));
    const progress: number[] = [];
    const [here, there] = [await verify(0), await verify(2, (verified) => progress.push(verified))];
    assert.equal(here.failure, null);
    assert.equal(here.root, root);
    assert.deepEqual(there, here);
    assert.equal(progress.at(-1), size);
  });

  it('joins ranges in the order of the journal, and holds only those that wait for an earlier one', async () => {
    const report = await verify(0);
    home.with(({ db, signer: { publicKey, identity } }) => {
      const keys = { publicKey, identity, signatures: signatureCheck(publicKey, null) };
      const notes = [[size, report.checkpoint]] as const;
      const [first, second, third] = [0, 1, 2].map((n) => {
        const [from, last] = [n * range + 1, Math.min((n + 1) * range, size)];
        const of = notes.filter(([at]) => at >= from && at <= last);
        return verifyRange(db, { first: from, last, deep: false, interpret: false, tiles: true, notes: of }, keys);
      }) as [RangeReport, RangeReport, RangeReport];
      for (const order of [
        [first, second, third],
        [third, second, first],
        [second, first, third],
      ]) {
        const ranges = new JoinedRanges(db, report.head, 'kept');
        const waiting = order.map((range) => {
          ranges.add(range);
          return ranges.waitingCount;
        });
        assert.deepEqual(waiting, order[0] === first ? [0, 0, 0] : order[0] === third ? [1, 2, 0] : [1, 0, 0]);
        assert.deepEqual(ranges.report(indexFault(db)), report);
        ranges.close();
      }
    });
  });

  it('ends both threads and fails with the error of a caller that cannot take a range', async () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const failing = verify(2, () => {
      throw full;
    });
    await assert.rejects(failing, full);
  });

  it('gives the same report when the threads make the signatures again', async () => {
    const seed = readFileSync(join(home.directory, 'identity.key'));
    const deep = { deep: true, threads: 2, range };
    const report = await verifyJournal(join(home.directory, 'journal.sqlite3'), signerOf(home).publicKey, { ...deep, seed });
    assert.deepEqual(report, { ...(await verify(2)), signatures_checked: size + 1 });
  });

  const border = range;
  const tile = border / 256 + 1;
  const cases: readonly (readonly [string, (db: Db) => void, (db: Db) => void, number, RegExp])[] = [
    ...atEffort([border + 1, size], [1, border, border + 1, 2 * border, 2 * border + 1, size]).map(
      (seq) =>
        [
          `a changed byte in entry ${seq}`,
          (db: Db) => flip(db, 'events', 'body', `seq = ${seq}`, 40),
          (db: Db) => void db.exec(`UPDATE events SET body = (SELECT body FROM kept WHERE seq = ${seq}) WHERE seq = ${seq}`),
          seq,
          /stored bytes do not match/,
        ] as const,
    ),
    ...atEffort([border], [border, border + 1, 2 * border]).map(
      (seq) =>
        [
          `entry ${seq} missing`,
          (db: Db) => void db.exec(`DELETE FROM events WHERE seq = ${seq}`),
          (db: Db) => void db.exec(`INSERT INTO events SELECT * FROM kept WHERE seq = ${seq}`),
          seq,
          /missing/,
        ] as const,
    ),
    [
      'a tile of the second range',
      (db) => flip(db, 'tile', 'hashes', `level = 0 AND n = ${tile}`, 9),
      (db) => void flipBack(db, tile),
      tile * 256 + 1,
      new RegExp(`tile 0/${tile} does not match`),
    ],
    [
      'the last tile of level 1',
      (db) => flip(db, 'tile', 'hashes', 'level = 1 AND n = 0', 9),
      (db) => void db.exec('UPDATE tile SET hashes = (SELECT hashes FROM kept_tile WHERE level = 1) WHERE level = 1'),
      1,
      /tile 1\/0 does not match/,
    ],
  ];
  const flipBack = (db: Db, n: number): unknown =>
    db.exec(`UPDATE tile SET hashes = (SELECT hashes FROM kept_tile WHERE level = 0 AND n = ${n}) WHERE level = 0 AND n = ${n}`);

  it('accepts a journal with additional tables', async () => {
    const seqs = [1, border, border + 1, 2 * border, 2 * border + 1, size].join();
    alter(home, (db) => {
      db.exec(`CREATE TABLE kept AS SELECT * FROM events WHERE seq IN (${seqs}); CREATE TABLE kept_tile AS SELECT * FROM tile`);
    });
    assert.equal((await verify(2)).failure, null);
  });

  for (const [name, damage, repair, sequence, detail] of cases) {
    it(`reports ${name} from two threads`, async () => {
      alter(home, damage);
      const { failure } = await verify(2);
      alter(home, repair);
      assert.equal(failure?.sequence, sequence);
      assert.match(failure.detail, detail);
    });
  }

  it('accepts the journal again at the end', async () => assert.equal((await verify(2)).failure, null));
});
