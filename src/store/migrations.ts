/** Additive SQL migrations, applied once and recorded with their SHA-256: a changed file or a foreign object is an integrity failure. */
import { readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { errorCode, RefusalError } from '../base/refusal.js';
import { sha256Hex } from '../base/bytes.js';
import { recordedTime, timePattern } from '../base/time.js';
import type { Db } from './database.js';
import { newerVersion } from './newer-version.js';
import { packageRoot } from './package-root.js';
import { Database } from './sqlite.js';
import { refuseUnreleased } from './unreleased.js';

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

const load = (directory: string): readonly Migration[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(path.join(directory, name), 'utf8');
      return { name, sql, sha256: sha256Hex(sql) };
    });

let loaded: readonly Migration[] | null = null;

export function journalMigrations(): readonly Migration[] {
  loaded ??= load(path.join(packageRoot, 'migrations', 'journal'));
  return loaded;
}

const hasMigrationTable = (db: Db): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'").get() !== undefined;

/** Applies the missing migrations inside the caller's transaction. Returns their names. */
export function migrate(db: Db, now: number): readonly string[] {
  const applied = appliedMigrations(db);
  const missing = journalMigrations().filter(({ name }) => !applied.has(name));
  const at = recordedTime(now);
  for (const migration of missing) {
    execMigration(db, migration);
    db.prepare('INSERT INTO migration(name, sha256, at) VALUES (?, ?, ?)').run(migration.name, migration.sha256, at);
  }
  return missing.map(({ name }) => name);
}

/** Applies a migration. When it fails, it was applied already, or the tables are not those that this program made. */
function execMigration(db: Db, { name, sql }: Migration): void {
  try {
    db.exec(sql);
  } catch (error) {
    if (errorCode(error) !== 'SQLITE_ERROR') throw error;
    throw integrity(`the journal's tables do not fit migration ${name}: ${error instanceof Error ? error.message : ''}`);
  }
}

/**
 * Returns names and checksums of the migrations that made this database.
 * @throws RefusalError `newer_version` for a migration that this program does not have, `integrity` for one with other content,
 * `unreleased_home`
 */
export function appliedMigrations(db: Db): ReadonlyMap<string, string> {
  if (!hasMigrationTable(db)) return new Map();
  const rows = db.prepare<[], { name: string; sha256: string; at: string }>('SELECT name, sha256, at FROM migration').all();
  const known = new Map(journalMigrations().map((m) => [m.name, m.sha256]));
  for (const { sha256 } of rows) refuseUnreleased(sha256);
  for (const row of rows) {
    const own = known.get(row.name);
    if (own === undefined)
      throw newerVersion(`a newer version changed the journal's tables by migration ${row.name}`, { migration: row.name });
    if (own !== row.sha256) throw integrity(`migration ${row.name} differs from the one that made this journal`);
    if (!timePattern.test(row.at)) throw integrity(`migration ${row.name} was recorded without a time`);
  }
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

export function isMigrated(db: Db): boolean {
  const applied = appliedMigrations(db);
  return journalMigrations().every(({ name }) => applied.has(name));
}

export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** All objects but the tables of ANALYZE. The name alone is not enough: with writable_schema a trigger can be called `sqlite_…` too. */
const objects = (db: Db): SchemaObject[] =>
  db
    .prepare<[], SchemaObject>(
      `SELECT type, name, sql FROM sqlite_master
       WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[134]' AND coalesce(sql, '') GLOB 'CREATE TABLE ' || name || '(*')
       ORDER BY type, name`,
    )
    .all();

/** Returns the first table, index, trigger or view that differs from what the applied migrations (and `extra` definitions) make, or null. */
export function foreignObject(db: Db, extra: readonly string[]): string | null {
  const expected = expectedObjects(appliedMigrations(db), extra);
  const actual = new Set<string>();
  for (const { type, name, sql } of objects(db)) {
    const key = `${type} ${name}`;
    // The name in a row may differ from the name in its SQL: a second row with a known name is another object.
    if (!expected.has(key) || actual.has(key)) return `unexpected ${key}`;
    if (expected.get(key) !== sql) return `altered ${key}`;
    actual.add(key);
  }
  for (const key of expected.keys()) if (!actual.has(key)) return `missing ${key}`;
  return null;
}

/**
 * Drops every table, index, trigger and view that neither the applied migrations nor `extra` make, and makes the altered or missing indexes and
 * triggers of the migrations again, inside the caller's transaction. Altered tables stay as they are. Returns what was dropped.
 */
export function dropForeignObjects(db: Db, extra: readonly string[]): readonly Pick<SchemaObject, 'type' | 'name'>[] {
  const applied = appliedMigrations(db);
  const expected = expectedObjects(applied, extra);
  const isOwn = ({ type, name, sql }: SchemaObject): boolean =>
    type === 'table' ? expected.has(`table ${name}`) : expected.get(`${type} ${name}`) === sql;
  const dropped = [];
  for (let at = foreignOf(db, isOwn); at !== undefined; at = foreignOf(db, isOwn)) {
    db.exec(`DROP ${at.type} "${at.name.replaceAll('"', '""')}"`);
    dropped.push({ type: at.type, name: at.name });
  }
  const present = new Set(objects(db).map(({ type, name }) => `${type} ${name}`));
  for (const [key, sql] of expectedObjects(applied, [])) if (!present.has(key) && !key.startsWith('table ')) db.exec(sql ?? '');
  return dropped;
}

/** Returns the next object to drop. Those that SQLite keeps itself, such as the index of a UNIQUE column, go with their table. */
const foreignOf = (db: Db, isOwn: (object: SchemaObject) => boolean): SchemaObject | undefined =>
  objects(db)
    .toSorted((a, b) => Number(a.type === 'index') - Number(b.type === 'index'))
    .find((object) => !isOwn(object) && !object.name.startsWith('sqlite_'));

/** Returns whether the database has a trigger that no applied migration makes: it would act on the next write. */
export function hasForeignTrigger(db: Db): boolean {
  const expected = expectedObjects(appliedMigrations(db), []);
  return objects(db).some(({ type, name, sql }) => type === 'trigger' && expected.get(`trigger ${name}`) !== sql);
}

/** The schemas that were made, by the statements that make them: a process compares each of the homes that it opens with one. */
const schemas = new Map<string, ReadonlyMap<string, string | null>>();

function expectedObjects(applied: ReadonlyMap<string, string>, extra: readonly string[]): ReadonlyMap<string, string | null> {
  const own = journalMigrations().flatMap(({ name, sql }) => (applied.has(name) ? [sql] : []));
  const statements = [...own, ...extra].join('\n');
  const known = schemas.get(statements);
  if (known !== undefined) return known;
  const memory = new Database(':memory:');
  try {
    memory.exec(statements);
    const made = new Map(objects(memory).map((o) => [`${o.type} ${o.name}`, o.sql]));
    schemas.set(statements, made);
    return made;
  } finally {
    memory.close();
  }
}

const integrity = (detail: string): RefusalError => new RefusalError('integrity', detail);
