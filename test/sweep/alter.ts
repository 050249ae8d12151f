/** The means to alter the files of a closed home as somebody would who may write to them but does not have its key. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { Database } from '../../src/store/sqlite.js';
import type { Db } from '../../src/store/database.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { inDatabase } from '../support/store/in-database.js';

export type Value = string | number | bigint | Buffer | null;
export type Row = Readonly<Record<string, Value>>;

interface SchemaRow {
  readonly name: string;
  readonly sql: string;
}

/** Runs `change` on rows, with the triggers and the constraints on values out of the way; the schema is as before then. */
export function alterRows(file: string, change: (db: Db) => void): void {
  const tables = onFile(file, (db) => {
    const found = db.prepare<[], SchemaRow>("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL").all();
    for (const { name, sql } of found) setSql(db, name, withoutConstraints(sql));
    return found;
  });
  onFile(file, (db) => withoutTriggers(db, () => change(db)));
  onFile(file, (db) => {
    for (const { name, sql } of tables) setSql(db, name, sql);
  });
}

/** Runs `change` on the database as it is. */
export function onFile<A>(file: string, change: (db: Db) => A): A {
  const db = new Database(file);
  try {
    db.pragma('synchronous = OFF');
    // Lets writable_schema through.
    db.unsafeMode();
    const made = change(db);
    db.pragma('wal_checkpoint(TRUNCATE)');
    return made;
  } finally {
    db.close();
  }
}

/** Returns what `read` finds in a database file that no process has open; SQLite leaves nothing beside it. */
export function inMemory<A>(file: string, read: (db: Db) => A): A {
  const bytes = readFileSync(file);
  // Read and write version of the format: a database in memory has no write-ahead log.
  bytes.fill(1, 18, 20);
  return inDatabase(bytes, read);
}

const withoutConstraints = (sql: string): string =>
  sql
    .replace(/\) STRICT, WITHOUT ROWID$/, ') WITHOUT ROWID')
    .replace(/\) STRICT$/, ')')
    .replaceAll(/ CHECK \((?:[^()]|\([^()]*\))*\)/g, '')
    .replaceAll(/ NOT NULL/g, '');

export function setSql(db: Db, name: string, sql: string): void {
  db.pragma('writable_schema = ON');
  db.prepare('UPDATE sqlite_master SET sql = ? WHERE name = ?').run(sql, name);
  db.pragma('writable_schema = RESET');
}

/** Names a row by values of its columns. */
export type Key = Readonly<Record<string, Value>>;

const conditionOf = (key: Key): string =>
  Object.keys(key)
    .map((column) => `${column} IS ?`)
    .join(' AND ');

/** @throws Error unless the statement changed rows: a change that changes nothing would test nothing. */
function changing(db: Db, sql: string, values: readonly Value[]): void {
  if (db.prepare(sql).run(...values).changes === 0) throw new Error(`nothing was changed: ${sql}`);
}

export const setValue = (db: Db, table: string, key: Key, column: string, value: Value): void =>
  changing(db, `UPDATE ${table} SET ${column} = ? WHERE ${conditionOf(key)}`, [value, ...Object.values(key)]);

export const removeRow = (db: Db, table: string, key: Key): void =>
  changing(db, `DELETE FROM ${table} WHERE ${conditionOf(key)}`, Object.values(key));

/** Adds a row, in the place of one with the same key. */
export function addRow(db: Db, table: string, row: Row): void {
  const columns = Object.keys(row);
  const values = Object.values(row);
  const standing = db.prepare<Value[], unknown>(`SELECT 1 FROM ${table} WHERE ${conditionOf(row)}`).get(...values);
  if (standing !== undefined) throw new Error(`the row is in ${table} already: ${columns.join()}`);
  changing(db, `INSERT OR REPLACE INTO ${table}(${columns.join()}) VALUES (${columns.map(() => '?').join()})`, values);
}

export const rowsOf = <A = Row>(db: Db, table: string): A[] => db.prepare<[], A>(`SELECT * FROM ${table}`).all();

/** Exchanges two whole rows but for their keys. */
export function swapRows(db: Db, table: string, keyColumn: string, [a, b]: readonly [Value, Value]): void {
  const unused = typeof a === 'string' ? 'nothing yet' : -987_654;
  setValue(db, table, { [keyColumn]: a }, keyColumn, unused);
  setValue(db, table, { [keyColumn]: b }, keyColumn, a);
  setValue(db, table, { [keyColumn]: unused }, keyColumn, b);
}

/** Numbers that depend on a text alone. */
export function chanceOf(text: string): (below: number) => number {
  let n = 0;
  return (below) => createHash('sha256').update(`${text} ${n++}`).digest().readUIntBE(0, 6) % below;
}

/** The value with another byte or character somewhere. */
export function withOtherByte(value: Value, chance: (below: number) => number): Value {
  if (typeof value === 'number') return value + 1 + chance(3);
  if (typeof value === 'bigint') return value + 1n;
  if (value === null) return 'something';
  if (typeof value === 'string') {
    const at = chance(Math.max(1, value.length));
    const other = value[at] === 'a' ? 'b' : 'a';
    return value.slice(0, at) + other + value.slice(at + 1);
  }
  const copy = Buffer.from(value);
  if (copy.length === 0) return Buffer.of(1);
  const at = chance(copy.length);
  copy[at] = copy[at]! ^ (1 << chance(8));
  return copy;
}

/** The value as another type of SQLite's, its content the same where that is possible. */
export function withOtherType(value: Value): Value {
  if (typeof value === 'string') return Buffer.from(value);
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return value === null ? Buffer.from('null') : `${value} or so`;
}

export type Act = (path: string) => void;

export const remove: Act = (path) => rmSync(path, { recursive: true });
export const empty: Act = (path) => truncateSync(path, 0);
export const halve: Act = (path) => truncateSync(path, Math.floor(statSync(path).size / 2));
export const cutTo =
  (size: number): Act =>
  (path) =>
    truncateSync(path, size);
export const write =
  (content: string | Uint8Array): Act =>
  (path) =>
    writeFileSync(path, content, { mode: 0o600 });
export const edit =
  (alter: (content: Buffer) => Buffer | string): Act =>
  (path) =>
    writeFileSync(path, alter(readFileSync(path)));
export const editText = (alter: (text: string) => string): Act => edit((content) => alter(content.toString()));
export const append = (more: Uint8Array): Act => edit((content) => Buffer.concat([content, more]));
/** Alters a byte that depends on the name alone. */
export const otherByte = (name: string): Act => edit((content) => withOtherByte(content, chanceOf(name)) as Buffer);
export const flipAt = (at: number): Act =>
  edit((content) => {
    content[at] = content[at]! ^ 1;
    return content;
  });
export const setMode =
  (mode: number): Act =>
  (path) =>
    chmodSync(path, mode);
export const makeDirectory: Act = (path) => {
  rmSync(path);
  mkdirSync(path, { mode: 0o700 });
};
