import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { sha256Hex } from '../../src/base/hash.js';
import { checked_entries_max, checked_pages_bytes_max } from '../../src/base/limits.js';
import { isSmall } from '../../src/journal/whole-check.js';
import type { Db } from '../../src/store/database.js';
import { homeForEach, submit } from '../support/temporary-home.js';
import { chainSchema1, replaceJournal, signerOf } from './reference-journal.js';
import { newest, richHome } from './rich-home.js';
import { alter, flip } from './tamper.js';
import { check, exec, finds, middle, redefine, type Case } from './whole-check-suite.js';

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
