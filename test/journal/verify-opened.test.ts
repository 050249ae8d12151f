/** Verifying an open database: with checkpoints as a home has them, and without, as the reference agent leaves its entries. */
import assert from 'node:assert/strict';
import { Database } from '../../src/store/sqlite.js';
import type { StoredEntry } from '../../src/codec/entry.js';
import type { JournalReport } from '../../src/journal/join-ranges.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { leafOf, Tree } from '../../src/journal/tree.js';
import { verifyOpened } from '../../src/journal/verify.js';
import { type Db, openDatabase } from '../../src/store/database.js';
import { migrate } from '../../src/store/migrations.js';
import { uuidOf } from '../support/app/temporary-home.js';
import { filledBy, newest, richHome } from './tamper-suite.js';
import { chainSchema1 } from './tamper.js';

const signer = signerFromSeed(Buffer.alloc(32, 9));
const rows = chainSchema1(
  signer,
  Array.from({ length: 600 }, (_, i) => [uuidOf(i), `{"state":"queued","n":${i}.0}`] as const),
);

function memory(entries: readonly StoredEntry[], change: (db: Db) => void = () => undefined): JournalReport {
  const db = new Database(':memory:');
  try {
    migrate(db, 0);
    for (const trigger of ['events_insert', 'events_update', 'events_delete']) db.exec(`DROP TRIGGER ${trigger}`);
    const insert = db.prepare('INSERT INTO events VALUES (@seq, @mission, @body, @hash, @signature)');
    for (const row of entries) insert.run(row);
    change(db);
    return verifyOpened(db, signer.publicKey, { deep: false, checkpoints: 'absent' });
  } finally {
    db.close();
  }
}

const failureOf = (...args: Parameters<typeof memory>): unknown => memory(...args).failure;

describe('verifying entries that no checkpoint covers', () => {
  it('gives their root and verifies each signature, without tiles', () => {
    for (const length of [1, 255, 256, 257, 512, 600]) {
      const tree = new Tree();
      for (const row of rows.slice(0, length)) tree.append(leafOf(row.hash, row.signature));
      const { failure, head, root, checkpoint, origin, signatures_checked } = memory(rows.slice(0, length));
      assert.deepEqual([failure, head.size, head.hash], [null, length, rows[length - 1]?.hash]);
      assert.deepEqual([root, checkpoint, origin, signatures_checked], [tree.root().toString('hex'), '', '', length]);
    }
  });

  it('names the first entry that does not fit', () => {
    const other = chainSchema1(signer, [[uuidOf(1), '{}']]);
    const foreign = chainSchema1(signerFromSeed(Buffer.alloc(32, 8)), [[uuidOf(0), '{}']]);
    const cases: readonly (readonly [string, number, RegExp])[] = [
      [`UPDATE events SET body = replace(body, 'queued', 'failed') WHERE seq = 300`, 300, /do not match their hash/],
      [
        `UPDATE events SET signature = (SELECT signature FROM events WHERE seq = 1) WHERE seq = 300`,
        300,
        /signature does not verify/,
      ],
      [`UPDATE events SET mission = '@control' WHERE seq = 300`, 300, /the stream is not the signed one/],
      ['DELETE FROM events WHERE seq = 300', 300, /the entry is missing/],
      ['DELETE FROM events WHERE seq = 1', 1, /the entry is missing/],
    ];
    for (const [sql, sequence, detail] of cases) {
      const failure = memory(rows, (db) => db.exec(sql)).failure;
      assert.equal(failure?.sequence, sequence, sql);
      assert.match(failure.detail, detail);
    }
    const spliced = [...rows.slice(0, 1), { ...other[0]!, seq: 2 }];
    assert.deepEqual(failureOf(spliced), { sequence: 2, detail: 'the signed sequence is 1' });
    assert.deepEqual(failureOf(foreign), { sequence: 1, detail: 'the entry belongs to another identity' });
  });

  it('compares a stream by its bytes, in the table and in the index', () => {
    const odd = chainSchema1(signer, [
      [uuidOf(0), '{}'],
      ['@a\ufffd', '{}'],
    ]);
    assert.equal(failureOf(odd), null);
    const stream = "CAST(x'4061ff' AS TEXT)";
    assert.deepEqual(
      failureOf(odd, (db) => db.exec(`UPDATE events SET mission = ${stream} WHERE seq = 2`)),
      { sequence: 2, detail: 'the stream is not the signed one' },
    );
    const indexed = failureOf(odd, (db) => filledBy(`((CASE seq WHEN 2 THEN ${stream} ELSE mission END), seq)`)(db));
    assert.deepEqual(indexed, { sequence: 2, detail: 'the index events_mission does not lead to the entry' });
  });

  it('reports a row of a table that is not STRICT', () => {
    const other = `ALTER TABLE events RENAME TO strict; DROP INDEX events_mission;
      CREATE TABLE events(seq INTEGER PRIMARY KEY, mission, body, hash, signature);
      INSERT INTO events SELECT * FROM strict; CREATE INDEX events_mission ON events(mission, seq)`;
    assert.equal(
      failureOf(rows, (db) => db.exec(other)),
      null,
    );
    for (const column of ['mission', 'body', 'hash', 'signature'])
      for (const value of ['NULL', '7', "x'00'"]) {
        const failure = failureOf(rows, (db) => db.exec(`${other}; UPDATE events SET ${column} = ${value} WHERE seq = 300`));
        assert.deepEqual(failure, { sequence: 300, detail: 'the row is not an entry' });
      }
  });

  it('refuses a checkpoint where none is expected', () => {
    const failure = failureOf(rows.slice(0, 3), (db) => db.exec("INSERT INTO checkpoint VALUES (9, 'x')"));
    assert.deepEqual(failure, { sequence: 0, detail: 'a checkpoint exists where none is expected' });
  });
});

describe('verifying an open journal of ours', () => {
  it('returns what verifying its file returns, and requires its checkpoints', async () => {
    const home = await richHome();
    const db = openDatabase(`${home.directory}/journal.sqlite3`, { readonly: true });
    try {
      const { publicKey } = home.with(({ signer: own }) => own);
      const report = verifyOpened(db, publicKey, { deep: true, checkpoints: 'kept' });
      assert.deepEqual([report.failure, report.head.size], [null, newest]);
      const absent = verifyOpened(db, publicKey, { deep: false, checkpoints: 'absent' });
      assert.deepEqual([absent.failure?.detail, absent.root], ['a checkpoint exists where none is expected', '']);
    } finally {
      db.close();
      home.remove();
    }
    const none = new Database(':memory:');
    migrate(none, 0);
    none.prepare('INSERT INTO events VALUES (@seq, @mission, @body, @hash, @signature)').run(rows[0]);
    const report = verifyOpened(none, signer.publicKey, { deep: false, checkpoints: 'kept' });
    assert.equal(report.failure?.detail, 'no checkpoint covers the newest entry');
    none.close();
  });
});
