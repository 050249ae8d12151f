/** Logs beside a database, read by their format, against SQLite's own recovery of a copy. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../src/store/database.js';
import { Database } from '../../src/store/sqlite.js';
import { prng } from '../../src/base/prng.js';
import { RefusalError } from '../../src/base/refusal.js';
import { openSqliteFile } from '../../src/store/sqlite-file.js';
import { atEffort } from '../support/effort.js';
import { folderForEach } from '../support/app/temporary-home.js';

const folder = folderForEach();
const at = (...names: string[]): string => join(folder.get(), ...names);
type Rows = readonly (readonly unknown[])[];

/** Copies a database with its logs, as another process could find it at this moment, into a new directory. */
function copy(from: string, name: string): string {
  rmSync(at(name), { recursive: true, force: true });
  mkdirSync(at(name));
  for (const ending of ['', '-wal', '-journal'])
    if (existsSync(`${from}${ending}`)) copyFileSync(`${from}${ending}`, at(name, `db${ending}`));
  return at(name, 'db');
}

function own(file: string): Rows | string {
  try {
    const opened = openSqliteFile(file, { payload_bytes_max: 1_000_000, withLogs: true });
    try {
      return Array.from(opened.rows('t') ?? [], ({ rowid, values }) => [rowid, ...values.slice(1)]);
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal.detail;
    throw error;
  }
}

function sqlites(file: string): Rows | null {
  const db = new Database(file);
  try {
    if (db.pragma('integrity_check', { simple: true }) !== 'ok') return null;
    return db.prepare<[], unknown[]>('SELECT id, a FROM t ORDER BY id').raw().all();
  } catch {
    return null;
  } finally {
    db.close();
  }
}

type Below = (n: number) => number;

function change(db: Db, below: Below): void {
  const id = below(60) + 1;
  if (below(4) === 0) db.prepare('DELETE FROM t WHERE id = ?').run(id);
  else db.prepare('INSERT OR REPLACE INTO t VALUES (?, ?)').run(id, `${below(1e6)} `.repeat(1 + below(400)));
}

/** Leaves a database open after some transactions, within one that has spilled pages of its own. */
function begun(below: Below, mode: string): Db {
  const file = at('live');
  for (const ending of ['', '-wal', '-journal', '-shm']) rmSync(`${file}${ending}`, { force: true });
  const db = new Database(file);
  db.pragma(`page_size = ${[512, 1_024, 4_096, 65_536][below(4)]}`);
  db.pragma(`journal_mode = ${mode}`);
  db.pragma(`synchronous = ${['OFF', 'NORMAL', 'FULL'][below(3)]}`);
  db.pragma('wal_autocheckpoint = 0');
  db.pragma('cache_size = 2');
  db.exec('CREATE TABLE t(id INTEGER PRIMARY KEY, a)');
  for (let i = below(6); i >= 0; i--) {
    db.transaction(() => {
      for (let n = below(12); n >= 0; n--) change(db, below);
    })();
    if (below(3) === 0) db.pragma(`wal_checkpoint(${['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'][below(4)]})`);
  }
  if (below(3) > 0) {
    db.exec('BEGIN');
    for (let n = below(60); n >= 0; n--) change(db, below);
  }
  return db;
}

const modes = ['WAL', 'DELETE', 'TRUNCATE', 'PERSIST'] as const;

describe('the logs of SQLite, read by their format', () => {
  for (const mode of modes)
    it(`give the rows that SQLite recovers: ${mode}`, () => {
      let logs = 0;
      for (let i = 0; i < atEffort(60, 1_000); i++) {
        const { below } = prng(11, i);
        const db = begun(below, mode);
        try {
          const [ours, theirs] = [copy(at('live'), 'ours'), copy(at('live'), 'theirs')];
          if (existsSync(`${ours}-wal`) || existsSync(`${ours}-journal`)) logs++;
          const before = readFileSync(ours);
          deepStrictEqual(own(ours), sqlites(theirs), `${mode} ${i}`);
          ok(before.equals(readFileSync(ours)));
        } finally {
          db.close();
        }
      }
      ok(logs > 20, String(logs));
    });

  it('count as far as SQLite counts them when bytes of them were altered or cut off', () => {
    const compared = { same: 0, refused: 0 };
    for (let i = 0; i < atEffort(150, 3_000); i++) {
      const { below } = prng(13, i);
      const mode = modes[below(2)] ?? 'WAL';
      const log = mode === 'WAL' ? '-wal' : '-journal';
      const db = begun(below, mode);
      try {
        const [ours, theirs] = [copy(at('live'), 'ours'), copy(at('live'), 'theirs')];
        if (!existsSync(`${ours}${log}`)) continue;
        const bytes = readFileSync(`${ours}${log}`);
        const bent = below(3) === 0 ? bytes.subarray(0, below(bytes.length + 1)) : Buffer.from(bytes);
        for (let n = below(3); n > 0 && bent.length > 0; n--)
          bent[below(2) === 0 ? below(Math.min(64, bent.length)) : below(bent.length)] = below(256);
        for (const file of [ours, theirs]) writeFileSync(`${file}${log}`, bent);
        const [read, recovered] = [own(ours), sqlites(theirs)];
        if (typeof read === 'string') compared.refused++;
        else if (recovered !== null) deepStrictEqual(read, recovered, `${mode} ${i}`);
        compared.same++;
      } finally {
        db.close();
      }
    }
    ok(compared.same > 50 && compared.refused < compared.same / 2, JSON.stringify(compared));
  });

  it('of a machine with the other byte order are read', () => {
    const db = begun(prng(17, 1).below, 'WAL');
    change(db, prng(17, 2).below);
    if (db.inTransaction) db.exec('COMMIT');
    const file = copy(at('live'), 'other');
    db.close();
    const expected = own(file);
    const bytes = readFileSync(`${file}-wal`);
    bytes.writeUInt32BE(0x377f0683, 0);
    let [a, b] = [0, 0];
    const sum = (from: number, to: number): void => {
      for (let i = from; i < to; i += 8) {
        a = (a + bytes.readUInt32BE(i) + b) >>> 0;
        b = (b + bytes.readUInt32BE(i + 4) + a) >>> 0;
      }
    };
    const store = (i: number): void => void [bytes.writeUInt32BE(a, i), bytes.writeUInt32BE(b, i + 4)];
    sum(0, 24);
    store(24);
    const frame = 24 + bytes.readUInt32BE(8);
    for (let i = 32; i + frame <= bytes.length; i += frame) {
      sum(i, i + 8);
      sum(i + 24, i + frame);
      store(i + 16);
    }
    const plain = own(file);
    writeFileSync(`${file}-wal`, bytes);
    deepStrictEqual(own(file), expected);
    deepStrictEqual(own(file), plain);
    deepStrictEqual(sqlites(copy(file, 'theirs')), expected);
  });

  it('are refused where they belong to several databases', () => {
    const db = begun(() => 2, 'DELETE');
    db.close();
    const file = copy(at('live'), 'several');
    const journal = Buffer.alloc(1_024);
    Buffer.from('d9d505f920a163d7', 'hex').copy(journal);
    journal.writeUInt32BE(512, 20);
    journal.writeUInt32BE(readFileSync(file).readUInt16BE(16), 24);
    Buffer.from('d9d505f920a163d7', 'hex').copy(journal, 1_016);
    writeFileSync(`${file}-journal`, journal);
    match(String(own(file)), /of several databases/);
    strictEqual(existsSync(`${file}-journal`), true);
  });
});
