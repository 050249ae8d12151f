/** The means to alter a journal's file behind SQLite's triggers, and what `verify` says of it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openAsIs } from '../../src/app/home/as-is.js';
import { damageFaults } from '../../src/app/home/damage-faults.js';
import { verifyHome, type VerifyHomeOptions, type VerifyReport } from '../../src/app/log/verify-home.js';
import { sha256Hex } from '../../src/base/hash.js';
import { refusals } from '../../src/base/refusal.js';
import { RefusalError } from '../../src/base/result.js';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { withoutTriggers } from '../support/without-triggers.js';

/** Alters the closed home's database with its triggers and constraints out of the way; afterwards they are as before. */
export function alter(home: TemporaryHome, change: (db: Db) => void): void {
  const db = new Database(join(home.directory, 'journal.sqlite3'));
  db.pragma('synchronous = OFF');
  db.pragma('ignore_check_constraints = ON');
  withoutTriggers(db, () => change(db));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Without a witness, only the home itself can show an alteration. */
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

/** Returns the modes and the hashes of all files of the home and its witness directory. */
const bytesOf = ({ directory, witness }: TemporaryHome): ReadonlyMap<string, string> =>
  new Map(
    [directory, witness]
      .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
      .toSorted()
      .map((file) => [file, `${statSync(file).mode} ${sha256Hex(readFileSync(file))}`]),
  );

export type Finding = NonNullable<VerifyReport['failure']> | null;

/** Returns what `verify` finds, in its report or when it opens the home; nothing in the home has changed afterwards. */
export async function findingOf(home: TemporaryHome, options: VerifyHomeOptions): Promise<Finding> {
  const before = bytesOf(home);
  const finding = await verifyOnce(home, options);
  assert.deepEqual(bytesOf(home), before, 'verify changed the home');
  const exit = finding?.code === 'newer_version' ? 4 : 3;
  if (finding !== null) assert.equal(refusals[finding.code].exit, exit, `${finding.code}: ${finding.detail}`);
  return finding;
}

async function verifyOnce(home: TemporaryHome, options: VerifyHomeOptions): Promise<Finding> {
  try {
    const opened = openAsIs(home.world, { tolerate: ['config', 'witness', ...damageFaults] });
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
