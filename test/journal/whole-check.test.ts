import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { sha256Hex } from '../../src/base/hash.js';
import { checked_entries_max, checked_pages_bytes_max, isSmall } from '../../src/journal/whole-check.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { originOf, readCheckpoint, signCheckpoint } from '../../src/journal/note.js';
import { latestNote } from '../../src/journal/reader.js';
import { rootAt } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import { homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { newest, richHome } from './tamper-suite.js';
import { alter, chainSchema1, flip, replaceJournal, signerOf } from './tamper.js';
import { type Case, check, exec, finds, middle, redefine } from './whole-check-suite.js';

describe('the check of a whole journal: valid journals', () => {
  const homes = homeForEach();

  it('passes, and returns the number of entries and the newest sequence of every stream', async () => {
    const home = await richHome();
    try {
      const { failure, streams } = check(home);
      assert.equal(failure, null);
      const expected = home.with(({ db }) =>
        db.prepare<[], [string, number, number]>('SELECT mission, count(*), max(seq) FROM events GROUP BY mission').raw().all(),
      );
      assert.equal(expected.length > 600, true);
      assert.deepEqual(new Map(expected.map(([name, entries, last]) => [name, { entries, last }])), streams);
    } finally {
      home.remove();
    }
  });

  it('passes for a journal with one entry', () => {
    const report = check(homes.get());
    assert.deepEqual([report.failure, [...report.streams]], [null, [['@control', { entries: 1, last: 1 }]]]);
  });

  it('passes for a body and a stream that contain U+FFFD', () => {
    const home = homes.get();
    home.with(({ writer }) => writer.transact(submit(1, 'a \ufffd b')));
    assert.equal(check(home).failure, null);
    const rows = chainSchema1(signerOf(home), [['@a \ufffd', '{}']]);
    replaceJournal(home, rows);
    assert.equal(check(home).failure, null);
  });

  it('passes for entries of schema 1 and for streams with quotes', () => {
    const home = homes.get();
    const rows = chainSchema1(signerOf(home), [
      ['@wallet', '{"amount":"1"}'],
      ['@a\\"b', '{}'],
    ]);
    replaceJournal(
      home,
      rows.map((row) => ({ ...row, mission: row.mission.replace('\\', '') })),
    );
    const { failure, streams } = check(home);
    assert.deepEqual([failure, [...streams.keys()]], [null, ['@wallet', '@a"b']]);
  });
});

finds('the check of a whole journal: changed values', [
  ...[1, 256, middle, newest].flatMap((seq): Case[] => [
    {
      name: `the body of entry ${seq}`,
      change: (db) => flip(db, 'events', 'body', `seq = ${seq}`, 20),
      sequence: seq,
      detail: /stored bytes do not match their hash/,
    },
    {
      name: `body and hash of entry ${seq}`,
      change: (db) => {
        flip(db, 'events', 'body', `seq = ${seq}`, 20);
        rehash(db, seq);
      },
      sequence: seq,
      detail: /signature does not verify/,
    },
    {
      name: `the hash of entry ${seq}`,
      change: (db) => flip(db, 'events', 'hash', `seq = ${seq}`, 5),
      sequence: seq,
      detail: /signature does not verify/,
    },
    {
      name: `the signature of entry ${seq}`,
      change: (db) => flip(db, 'events', 'signature', `seq = ${seq}`, 7),
      sequence: seq,
      detail: /signature does not verify/,
    },
    {
      name: `the stream of entry ${seq}`,
      change: (db) => flip(db, 'events', 'mission', `seq = ${seq}`, 3),
      sequence: seq,
      detail: /stream is not the signed one/,
    },
  ]),
  {
    name: 'a hash in upper case',
    change: exec(`UPDATE events SET hash = upper(hash) WHERE seq = ${middle}`),
    sequence: middle,
    detail: /signature does not verify/,
  },
  ...["replace(signature, '=', '')", "signature || '='", "' ' || signature", "substr(signature, 1, 85) || 'B=='"].map(
    (text): Case => ({
      name: `a signature with the text ${text}`,
      change: exec(`UPDATE events SET signature = ${text} WHERE seq = ${middle}`),
      sequence: middle,
      detail: /signature is malformed|signature does not verify/,
    }),
  ),
  {
    name: 'a value that is not a text',
    change: (db) => {
      const { sql } = db.prepare<[], { sql: string }>("SELECT sql FROM sqlite_master WHERE name = 'events'").get() ?? { sql: '' };
      redefine(db, 'events', sql.replace(' STRICT', ''));
      db.exec(`UPDATE events SET body = CAST(body AS BLOB) WHERE seq = ${middle}`);
      redefine(db, 'events', sql);
    },
    sequence: middle,
    detail: /a column is not a text/,
  },
]);

describe('the check of a whole journal: bytes that are decoded to the same text', () => {
  const homes = homeForEach();
  for (const [column, detail] of [
    ['body', /stored bytes do not match their hash/],
    ['mission', /stream is not the signed one/],
  ] as const) {
    it(`are refused in the column ${column}`, () => {
      const home = homes.get();
      replaceJournal(home, chainSchema1(signerOf(home), [['@a \ufffd b', '{}']]));
      alter(home, (db) => spoil(db, column));
      const { failure } = check(home);
      assert.deepEqual([failure?.code, failure?.facts?.['sequence']], ['integrity', 1]);
      assert.match(failure?.detail ?? '', detail);
    });
  }
});

/** Changes U+FFFD (EF BF BD) of the only entry to F0 BF BD, which is decoded to the same character. */
function spoil(db: Db, column: 'body' | 'mission'): void {
  const bytes = db.prepare<[], Buffer>(`SELECT CAST(${column} AS BLOB) FROM events`).pluck().get() ?? Buffer.alloc(0);
  const before = bytes.toString();
  bytes[bytes.indexOf(Buffer.from('\ufffd'))] = 0xf0;
  assert.equal(bytes.toString(), before);
  db.prepare(`UPDATE events SET ${column} = CAST(? AS TEXT)`).run(bytes);
}

function rehash(db: Db, seq: number): void {
  const body = db.prepare<[number], string>('SELECT body FROM events WHERE seq = ?').pluck().get(seq) ?? '';
  db.prepare('UPDATE events SET hash = ? WHERE seq = ?').run(sha256Hex(body), seq);
}

describe('the check of a whole journal: pages', () => {
  it('are reported as damage when one cannot be read', async () => {
    const home = await richHome();
    try {
      alter(home, () => undefined);
      overwritePage(join(home.directory, 'journal.sqlite3'));
      const { failure } = check(home);
      assert.equal(failure?.code, 'integrity');
      assert.match(failure.detail, /^journal\.sqlite3 is damaged/);
    } finally {
      home.remove();
    }
  });
});

/** Overwrites the page with the middle of the table of entries. */
function overwritePage(file: string): void {
  const db = new Database(file, { readonly: true });
  const bytes = Number(db.pragma('page_size', { simple: true }));
  const pages = db
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all();
  db.close();
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(bytes, 0xff), 0, bytes, ((pages[Math.floor(pages.length / 2)] ?? 1) - 1) * bytes);
  closeSync(fd);
}

describe('a small journal', () => {
  const made = (entries: number, blob_bytes: number): Db => {
    const db = new Database(':memory:');
    db.exec('CREATE TABLE events(seq INTEGER PRIMARY KEY, hash TEXT); CREATE TABLE blob(bytes BLOB)');
    db.prepare('INSERT INTO events VALUES (?, ?)').run(entries, '');
    db.prepare('INSERT INTO blob VALUES (zeroblob(?))').run(blob_bytes);
    return db;
  };

  it(`has at most ${checked_entries_max} entries`, () => {
    assert.deepEqual(
      [checked_entries_max, checked_entries_max + 1].map((entries) => isSmall(made(entries, 0))),
      [true, false],
    );
  });

  it('has at most the pages of so many entries, without its free pages', () => {
    const db = made(1, checked_pages_bytes_max - 100_000);
    assert.equal(isSmall(db), true);
    db.prepare('INSERT INTO blob VALUES (zeroblob(200000))').run();
    assert.equal(isSmall(db), false);
    db.exec('DELETE FROM blob WHERE length(bytes) = 200000');
    assert.equal(isSmall(db), true);
  });
});

const missionAt = (db: Db, seq: number): string =>
  db.prepare<[number], string>('SELECT mission FROM events WHERE seq = ?').pluck().get(seq) ?? '';
const hashAt = (db: Db, seq: number): string =>
  db.prepare<[number], string>('SELECT hash FROM events WHERE seq = ?').pluck().get(seq) ?? '';

/** Returns a row at `seq` that the key signed: the entry at `like`, after the entry with the hash `previous`. */
function signedRow(db: Db, home: TemporaryHome, like: number, seq: number, previous = hashAt(db, seq - 1)): readonly unknown[] {
  const body = (db.prepare<[number], string>('SELECT body FROM events WHERE seq = ?').pluck().get(like) ?? '')
    .replace(/"previous":"[0-9a-f]{64}"/, `"previous":"${previous}"`)
    .replace(/"sequence":[0-9]+/, `"sequence":${seq}`);
  const hash = sha256Hex(body);
  return [seq, missionAt(db, like), body, hash, signerOf(home).sign(Buffer.from(hash, 'hex')).toString('base64')];
}
finds('the check of a whole journal: rows', [
  { name: 'the first is gone', change: exec('DELETE FROM events WHERE seq = 1'), sequence: 1, detail: /missing/ },
  { name: 'one is gone', change: exec(`DELETE FROM events WHERE seq = ${middle}`), sequence: middle, detail: /missing/ },
  { name: 'the newest is gone', change: exec(`DELETE FROM events WHERE seq = ${newest}`), sequence: newest, detail: /missing/ },
  { name: 'all are gone', change: exec('DELETE FROM events'), sequence: 1, detail: /missing/ },
  ...[-1, 0].map(
    (seq): Case => ({
      name: `a copy at ${seq}`,
      change: exec(`INSERT INTO events SELECT ${seq}, mission, body, hash || ' ', signature FROM events WHERE seq = ${middle}`),
      sequence: seq,
      detail: /not positive|signature does not verify/,
    }),
  ),
  {
    name: `a copy at ${10 ** 12}`,
    change: exec(
      `INSERT INTO events SELECT ${10 ** 12}, mission, body, hash || ' ', signature FROM events WHERE seq = ${middle}`,
    ),
    sequence: 10 ** 12,
    detail: /signature does not verify/,
  },
  {
    name: 'one more that the key signed',
    change: (db, home) => db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(...signedRow(db, home, newest, newest + 1)),
    sequence: newest + 1,
    detail: /no checkpoint covers it/,
  },
  {
    name: 'two are exchanged',
    change: exec(
      `UPDATE events SET seq = -1 WHERE seq = 300; UPDATE events SET seq = 300 WHERE seq = 301; UPDATE events SET seq = 301 WHERE seq = -1`,
    ),
    sequence: 300,
    detail: /signed sequence is 301/,
  },
  {
    name: 'one that the key signed after another one',
    change: (db, home) => {
      const row = signedRow(db, home, 2, 2, 'ab'.repeat(32));
      db.exec('DELETE FROM events WHERE seq = 2');
      db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(...row);
    },
    sequence: 2,
    detail: /does not follow the entry before it/,
  },
  {
    name: 'another one that the key signed in the place of the newest',
    change: (db, home) => {
      const row = signedRow(db, home, 2, newest);
      db.exec(`DELETE FROM events WHERE seq = ${newest}`);
      db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(...row);
    },
    sequence: newest,
    detail: /signs another root/,
  },
]);

finds('the check of a whole journal: its checkpoint', [
  { name: 'none', change: exec('DELETE FROM checkpoint'), sequence: newest, detail: /no checkpoint of this key/ },
  {
    name: 'only an older one',
    change: (db, home) => {
      const signer = signerOf(home);
      const note = signCheckpoint(signer, originOf(signer.publicKey, null), newest - 1, rootAt(db, newest, newest - 1));
      db.prepare('UPDATE checkpoint SET size = ?, note = ?').run(newest - 1, note);
    },
    sequence: newest,
    detail: /no checkpoint covers it/,
  },
  {
    name: 'one of a greater size',
    change: exec(`INSERT INTO checkpoint SELECT 1000000000000, note FROM checkpoint WHERE size = ${newest}`),
    sequence: newest,
    detail: /no checkpoint of this key/,
  },
  {
    name: 'one of another key',
    change: (db) => {
      const other = signerFromSeed(Buffer.alloc(32, 9));
      const root = readCheckpoint(latestNote(db)?.note ?? '')?.root ?? Buffer.alloc(32);
      sealAs(db, signCheckpoint(other, originOf(other.publicKey, null), newest, root));
    },
    sequence: newest,
    detail: /no checkpoint of this key/,
  },
  {
    name: 'one that this key signed over another root',
    change: (db, home) => {
      const signer = signerOf(home);
      sealAs(db, signCheckpoint(signer, originOf(signer.publicKey, null), newest, Buffer.alloc(32, 1)));
    },
    sequence: newest,
    detail: /signs another root/,
  },
]);

const sealAs = (db: Db, note: string): void => void db.prepare(`UPDATE checkpoint SET note = ? WHERE size = ${newest}`).run(note);

function reindexAs(db: Db, definition: string): void {
  const sql = db.prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'events_mission'").pluck().get() ?? '';
  redefine(db, 'events_mission', definition);
  db.exec('REINDEX events_mission');
  redefine(db, 'events_mission', sql);
}

finds('the check of a whole journal: an index', [
  {
    name: 'that hides an entry',
    change: (db) => {
      const mission = missionAt(db, middle);
      reindexAs(db, `CREATE INDEX events_mission ON events(mission, seq) WHERE seq <> ${middle}`);
      assert.equal(db.prepare('SELECT seq FROM events WHERE mission = ?').get(mission), undefined);
    },
    sequence: middle,
    detail: /row 330 missing from index events_mission/,
  },
  {
    name: 'with an entry in another stream',
    change: (db) => {
      const mission = missionAt(db, middle);
      const at = `CASE seq WHEN ${middle} THEN '@control' ELSE mission END`;
      reindexAs(db, `CREATE INDEX events_mission ON events(${at}, seq)`);
      assert.equal(db.prepare('SELECT seq FROM events WHERE mission = ?').get(mission), undefined);
    },
    sequence: middle,
    detail: /row 330 missing from index events_mission/,
  },
]);
