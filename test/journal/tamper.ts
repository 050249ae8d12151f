/** The means to alter a journal's file behind SQLite's triggers, and what `verify` says of it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { openAsIs } from '../../src/app/home/read-only.js';
import { damageFaults } from '../../src/app/home/home.js';
import { allEntries } from '../../src/app/home/upgrade.js';
import { verifyHome, type VerifyHomeOptions, type VerifyReport } from '../../src/app/log/verify-home.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { RefusalError, refusals } from '../../src/base/refusal.js';
import type { StoredEntry } from '../../src/codec/entry.js';
import { type Signer, signerFromSeed } from '../../src/journal/keys.js';
import { originOf, signCheckpoint } from '../../src/journal/note.js';
import { genesis, loadPosition, readHead } from '../../src/journal/reader.js';
import { leafOf, rootAt, Tree } from '../../src/journal/tree.js';
import { rebuildProjections } from '../../src/tables/projections.js';
import type { Db } from '../../src/store/database.js';
import { copyTree, type TemporaryHome } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { refusalOf } from '../support/app/given-home.js';

/** Alters the closed home's database with its triggers and constraints out of the way; afterwards they are as before. */
export function alter(home: TemporaryHome, change: string | ((db: Db) => unknown)): void {
  const db = new Database(join(home.directory, 'journal.sqlite3'));
  db.pragma('synchronous = OFF');
  db.pragma('ignore_check_constraints = ON');
  withoutTriggers(db, () => void (typeof change === 'string' ? db.exec(change) : change(db)));
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

/** Returns the modes and the hashes of all files of the home and its witness directory, but for what is remembered of verifications. */
const bytesOf = ({ directory, witness }: TemporaryHome): ReadonlyMap<string, string> =>
  new Map(
    [directory, witness]
      .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
      .filter((file) => !file.endsWith('.verified'))
      .toSorted()
      .map((file) => [file, `${statSync(file).mode} ${sha256Hex(readFileSync(file))}`]),
  );

type Finding = NonNullable<VerifyReport['failure']> | null;

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

/** Forgets what verifications have found. */
export function forgetVerified({ witness }: TemporaryHome): void {
  if (!existsSync(witness)) return;
  for (const name of readdirSync(witness)) if (name.endsWith('.verified')) rmSync(join(witness, name));
}

/** The refusal of a command that tolerates nothing and knows of no verification, or null when it opens. */
export function refusalAtOpen(home: TemporaryHome): ReturnType<typeof refusalOf> {
  forgetVerified(home);
  return refusalOf(() => home.open().close());
}

/** Copies the directory of a closed home. */
export const keepCopy = ({ root, directory }: TemporaryHome, name: string): void => copyTree(directory, join(root, name));

/** Replaces the directory of a closed home by a copy; the witness directory stays as it is. */
export function putBack({ root, directory }: TemporaryHome, name: string): void {
  rmSync(directory, { recursive: true });
  copyTree(join(root, name), directory);
}

/**
 * Makes the journal what it was at `size`: nothing inside can tell. The checkpoint of then is signed again, which gives the same
 * bytes, because Ed25519 is deterministic.
 */
export function cutTo(home: TemporaryHome, size: number): void {
  const signer = signerFromSeed(readFileSync(join(home.directory, 'identity.key')));
  alter(home, (db) => {
    const root = rootAt(db, readHead(db).size, size);
    db.exec(`DELETE FROM events WHERE seq > ${size}; DELETE FROM checkpoint`);
    const tiles = Math.floor(size / 256);
    db.exec(`DELETE FROM tile WHERE level = 0 AND n >= ${tiles}`);
    db.exec(tiles === 0 ? 'DELETE FROM tile' : `UPDATE tile SET hashes = substr(hashes, 1, ${tiles * 32}) WHERE level = 1`);
    const { origin } = loadPosition(db, signer.publicKey).position;
    db.prepare('INSERT INTO checkpoint VALUES (?, ?)').run(size, signCheckpoint(signer, origin, size, root));
    rebuildProjections(db, allEntries(db));
  });
}

/** The contents of the witness files, without what is remembered beside them. */
export const witnessed = ({ witness }: TemporaryHome): readonly string[] =>
  readdirSync(witness)
    .filter((name) => !name.endsWith('.verified'))
    .toSorted()
    .map((name) => readFileSync(join(witness, name), 'utf8'));

export const signerOf = (home: TemporaryHome): Signer => signerFromSeed(readFileSync(join(home.directory, 'identity.key')));

/** Chains and signs documents that are Python's JSON text: sorted keys, no spaces, floats such as 1e-05, as they stand. */
export function chainSchema1(signer: Signer, documents: readonly (readonly [stream: string, document: string])[]): StoredEntry[] {
  let previous = genesis;
  return documents.map(([mission, document], i) => {
    const time_ns = 1_795_151_749_662_365_843n + BigInt(i) * 1_000_000_007n;
    const body = `{"document":${document},"identity":"${signer.identity}","mission":"${mission}","previous":"${previous}","schema":1,"sequence":${i + 1},"time_ns":${time_ns}}`;
    const hash = sha256Hex(body);
    previous = hash;
    return { seq: i + 1, mission, body, hash, signature: signer.sign(Buffer.from(hash, 'hex')).toString('base64') };
  });
}

/** Puts the rows in the place of the home's own journal, with tiles, one checkpoint and the projections. */
export function replaceJournal(home: TemporaryHome, rows: readonly StoredEntry[], signer = signerOf(home)): void {
  alter(home, (db) => {
    db.exec('DELETE FROM events; DELETE FROM checkpoint; DELETE FROM tile; DELETE FROM blob');
    writeRows(db, rows, signer);
  });
}

function writeRows(db: Db, rows: readonly StoredEntry[], signer: Signer): void {
  const tree = new Tree();
  const insert = db.prepare('INSERT INTO events VALUES (@seq, @mission, @body, @hash, @signature)');
  for (const row of rows) {
    insert.run(row);
    tree.append(leafOf(row.hash, row.signature));
  }
  tree.store(db);
  const note = signCheckpoint(signer, originOf(signer.publicKey, null), rows.length, tree.root());
  db.prepare('INSERT INTO checkpoint VALUES (?, ?)').run(rows.length, note);
  rebuildProjections(db, allEntries(db));
}

/** Changes the definition of a table or index without its content. */
export function redefine(db: Db, name: string, sql: string): void {
  db.unsafeMode();
  db.pragma('writable_schema = ON');
  db.prepare('UPDATE sqlite_master SET sql = ? WHERE name = ?').run(sql, name);
  db.pragma('writable_schema = RESET');
  db.unsafeMode(false);
}
