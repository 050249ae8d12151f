/** The reader of SQLite's file format against SQLite itself, and against files that are bent. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Database } from '../../src/store/sqlite.js';
import { prng } from '../../src/base/prng.js';
import { RefusalError } from '../../src/base/refusal.js';
import { openSqliteFile, type SqliteRow, type SqliteValue } from '../../src/store/sqlite-file.js';
import { atEffort } from '../support/effort.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { inDatabase } from '../support/store/in-database.js';

const folder = folderForEach();
const payload_max = 10_000_000;

function rowsOf(file: string, table = 't', bytes_max = payload_max, withLogs = false): SqliteRow[] | null {
  const opened = openSqliteFile(file, { payload_bytes_max: bytes_max, withLogs });
  try {
    const rows = opened.rows(table);
    return rows === null ? null : [...rows];
  } finally {
    opened.close();
  }
}

function refusalOf(file: string, bytes_max?: number): string {
  try {
    rowsOf(file, 't', bytes_max);
  } catch (error) {
    if (error instanceof RefusalError) return `${error.refusal.code}: ${error.refusal.detail}`;
    throw error;
  }
  return 'read';
}

/** A file with a table `t(id INTEGER PRIMARY KEY, a, b)` of these rows. */
function make(rows: readonly (readonly [number, SqliteValue, SqliteValue])[], page_bytes = 4_096, extra = ''): string {
  const file = join(folder.get(), 'made.sqlite3');
  writeFileSync(file, '');
  const db = new Database(file);
  db.pragma(`page_size = ${page_bytes}`);
  db.exec(`CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); ${extra}`);
  const insert = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
  db.transaction(() => rows.forEach((row) => insert.run(...row)))();
  db.close();
  return file;
}

const many = (count: number, bytes: number): [number, SqliteValue, SqliteValue][] =>
  Array.from({ length: count }, (_, i) => [i + 1, 'x'.repeat(bytes), i]);

const value = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }),
  fc.constantFrom(0, 1, -1, 127, 128, -32_768, 32_768, 8_388_607, -8_388_609, 2 ** 31, 2 ** 47, -(2 ** 47) - 1),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 20_000 })).map(([text, n]) => text.repeat(n)),
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
);

describe('SQLite files, read by their format', () => {
  it('gives the rows that SQLite gives, at every page size', () => {
    const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2 ** 50 }), value, value), {
      selector: ([id]) => id,
      maxLength: 60,
    });
    fc.assert(
      fc.property(rows, fc.constantFrom(512, 1_024, 4_096, 32_768, 65_536), (given, page_bytes) => {
        const read = rowsOf(make(given, page_bytes));
        const sorted = given.toSorted(([a], [b]) => a - b);
        deepStrictEqual(
          read,
          sorted.map(([rowid, a, b]) => ({ rowid, values: [null, a, b] })),
        );
      }),
      { numRuns: atEffort(60, 2_000) },
    );
  });

  it('reads trees of several levels, free pages, and other tables beside', () => {
    const file = make(many(5_000, 60), 512, 'CREATE TABLE u(x); CREATE INDEX i ON t(a); CREATE VIEW v AS SELECT 1');
    inDatabase(file, (db) => db.exec('INSERT INTO u VALUES (1); DELETE FROM t WHERE id % 3 = 0'));
    strictEqual(rowsOf(file)?.length, 3_334);
    strictEqual(rowsOf(file, 'v'), null);
    strictEqual(rowsOf(file, 'i'), null);
    strictEqual(rowsOf(file, 'T'), null);
    deepStrictEqual(rowsOf(file, 'u'), [{ rowid: 1, values: [1] }]);
  });

  it('refuses a row beyond its bound, before it reads it', () => {
    const file = make(many(1, 5_000));
    match(refusalOf(file, 4_999), /^integrity: .* a row has 5\d\d\d bytes$/);
    strictEqual(refusalOf(file, 6_000), 'read');
  });

  it('refuses what is no such file', () => {
    const file = join(folder.get(), 'other');
    for (const [bytes, words] of [
      [Buffer.of(), /not a database/],
      [Buffer.alloc(4_096, 1), /not a database/],
      [readFileSync(make([])).subarray(0, 5_000), /whole page/],
      [readFileSync(make([])).subarray(0, 4_096), /page 2 is not in the file/],
    ] as const) {
      writeFileSync(file, bytes);
      match(refusalOf(file), words);
    }
    inDatabase(join(folder.get(), 'utf16.sqlite3'), (db) => db.exec("PRAGMA encoding = 'UTF-16'; CREATE TABLE t(a)"));
    match(refusalOf(join(folder.get(), 'utf16.sqlite3')), /not UTF-8/);
  });

  it('refuses a page that two others refer to, be it of the tree or of an overflow chain', () => {
    const file = make(many(40, 5_000), 1_024);
    const bytes = readFileSync(file);
    const root = bytes.subarray(1_024);
    strictEqual(root.readUInt8(0), 5);
    const [first, second] = [root.readUInt16BE(12), root.readUInt16BE(14)];
    const doubled = Buffer.from(bytes);
    doubled.writeUInt32BE(root.readUInt32BE(first), 1_024 + second);
    writeFileSync(file, doubled);
    match(refusalOf(file), /page \d+ is used twice/);
    // A header of five bytes, the text, and a number that is stored as a double. Each leaf holds the beginning of one row.
    const overflowAt = (child: number): number => {
      const page = (root.readUInt32BE(child) - 1) * 1_024;
      const [local_min, payload] = [Math.floor(((1_024 - 12) * 32) / 255) - 23, 5_013];
      return page + bytes.readUInt16BE(page + 8) + 3 + local_min + ((payload - local_min) % (1_024 - 4));
    };
    const shared = Buffer.from(bytes);
    shared.writeUInt32BE(bytes.readUInt32BE(overflowAt(first)), overflowAt(second));
    writeFileSync(file, shared);
    match(refusalOf(file), /page \d+ is used twice/);
  });

  it('returns no more than a corrupted file holds, and refuses it with a message', () => {
    const bytes = readFileSync(make(many(300, 200), 1_024));
    const file = join(folder.get(), 'bent.sqlite3');
    let refused = 0;
    const count = atEffort(800, 60_000);
    for (let i = 0; i < count; i++) {
      const { below } = prng(7, i);
      const bent = Buffer.from(bytes);
      for (let n = 1 + below(4); n > 0; n--) bent[below(bent.length)] = below(256);
      writeFileSync(file, bent);
      try {
        const read = rowsOf(file) ?? [];
        const size = read
          .flatMap(({ values }) => values)
          .reduce<number>((sum, v) => sum + (typeof v === 'string' ? v.length : 0), 0);
        ok(size <= bent.length, `${size} of ${bent.length}`);
      } catch (error) {
        if (!(error instanceof RefusalError)) throw new Error(`file ${i}`, { cause: error });
        strictEqual(error.refusal.code, 'integrity');
        refused++;
      }
    }
    ok(refused > count / 20, `${refused} of ${count}`);
  });
});
