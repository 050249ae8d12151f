/** The means to alter a journal's file behind SQLite's triggers, and what `verify` says of it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { damageFaults } from '../../src/app/home/damage-faults.js';
import { verifyHome, type VerifyHomeOptions, type VerifyReport } from '../../src/app/log/verify-home.js';
import { refusals } from '../../src/base/refusal.js';
import { RefusalError } from '../../src/base/result.js';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/temporary-home.js';

/** Alters the closed home's database with its triggers out of the way; afterwards they are as before. */
export function alter(home: TemporaryHome, change: (db: Db) => void): void {
  const db = new Database(join(home.directory, 'journal.sqlite3'));
  db.pragma('synchronous = OFF');
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  change(db);
  for (const { sql } of triggers) db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Without a witness only what stands inside the home can tell. */
export const forgetWitness = (home: TemporaryHome): void => rmSync(home.witness, { recursive: true, force: true });

/** Changes one character or byte of one value: the one at `at` (negative: from the end). */
export function flip(db: Db, table: string, column: string, where: string, at: number): void {
  const value = db.prepare<[], string | number | Buffer>(`SELECT ${column} FROM ${table} WHERE ${where}`).pluck().get();
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(flipped(value, at));
}

function flipped(value: string | number | Buffer | undefined, at: number): string | number | Buffer {
  if (typeof value === 'number') return value ^ 1;
  assert.ok(value !== undefined && value.length > 0, 'the value to change is there');
  const place = at < 0 ? value.length + at : at;
  if (typeof value === 'string') {
    const other = value[place] === 'a' ? 'b' : 'a';
    return value.slice(0, place) + other + value.slice(place + 1);
  }
  const copy = Buffer.from(value);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}

const bytesOf = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory)
      .toSorted()
      .map((name) => {
        const file = join(directory, name);
        return [name, `${statSync(file).mode} ${readFileSync(file).toString('base64')}`];
      }),
  );

export type Finding = NonNullable<VerifyReport['failure']> | null;

/** What `verify` says, whether it came from its report or already from opening; the home's bytes are the same afterwards. */
export async function findingOf(home: TemporaryHome, options: VerifyHomeOptions): Promise<Finding> {
  const before = bytesOf(home.directory);
  const finding = await verifyOnce(home, options);
  assert.deepEqual(bytesOf(home.directory), before, 'verify changed the home');
  const exit = finding?.code === 'newer_version' ? 4 : 3;
  if (finding !== null) assert.equal(refusals[finding.code].exit, exit, `${finding.code}: ${finding.detail}`);
  return finding;
}

async function verifyOnce(home: TemporaryHome, options: VerifyHomeOptions): Promise<Finding> {
  try {
    const opened = home.open({ tolerate: ['config', 'witness', ...damageFaults] });
    try {
      const report = await verifyHome(opened, options);
      assert.equal(report.valid, report.failure === null);
      return report.failure;
    } finally {
      opened.close();
    }
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { code, detail, facts } = error.refusal;
    return { code, detail, sequence: typeof facts?.['sequence'] === 'number' ? facts['sequence'] : null };
  }
}

/** The refusal of a command that tolerates nothing, or null when it opens. */
export function refusalAtOpen(home: TemporaryHome): RefusalError['refusal'] | null {
  try {
    home.open().close();
    return null;
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    throw error;
  }
}
