/**
 * A home of the reference agent, as that agent made it and may be using it: looked at, never written. Its rows are copied into a
 * database in memory with our own tables, so that all that reads a home of ours reads it too; there is no checkpoint.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import Database from 'better-sqlite3';
import { fromBase64 } from '../../base/bytes.js';
import { RefusalError } from '../../base/result.js';
import type { Refusal } from '../../base/refusal.js';
import type { HomePaths } from '../../home/paths.js';
import { signerFromSeed, verifySignature, type Signer } from '../../journal/keys.js';
import { integrityFailure, loadPosition } from '../../journal/position.js';
import { entryOf, readHead, readRow, storedHash } from '../../journal/reader.js';
import { leafOf, Tree } from '../../journal/tree.js';
import { JournalWriter } from '../../journal/writer.js';
import { projectors, rebuildProjections } from '../../projection/projections.js';
import { openDatabase, storageError, type Db } from '../../store/database.js';
import { migrate } from '../../store/migrations.js';
import { copyForeignRows } from '../../store/foreign-rows.js';
import { configFault, readConfig } from '../home/config-file.js';
import type { Home, OpenOptions, World } from '../home/home.js';
import { readSeed } from '../home/open-journal.js';
import { checkPermissions } from '../home/presence.js';
import { withCopy } from './copy.js';
import { allEntries } from '../home/upgrade.js';

/** Its home opened for reading, or null when there is a home of ours, or none. */
export function openReferenceHome(world: World, options: OpenOptions, paths: HomePaths): Home | null {
  if (!mayBeReference(paths)) return null;
  return withCopy(paths.journal, (copy) => {
    if (!isReferenceJournal(copy)) return null;
    if (options.readsReference !== true) throw new RefusalError(readOnly(paths));
    return open(world, options, paths, copy);
  });
}

/** A home of ours has a lock and a ballast from its first moment. */
const mayBeReference = ({ identityKey, journal, lock, ballast }: HomePaths): boolean =>
  [identityKey, journal].every((file) => fs.existsSync(file)) && ![lock, ballast].some((file) => fs.existsSync(file));

/** A table of events without the migrations that ours has from its first entry on. */
function isReferenceJournal(copy: string): boolean {
  const db = openDatabase(copy);
  try {
    const has = db.prepare<[string], 1>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck();
    return has.get('events') === 1 && has.get('migration') !== 1;
  } catch (error) {
    throw storageError(error, 'journal.sqlite3');
  } finally {
    db.close();
  }
}

const readOnly = ({ directory }: HomePaths): Refusal => ({
  code: 'wrong_state',
  detail: `${directory} is a home of the reference agent: here it is only read (list, show, verify, export). To go on with it, run backup with the reference agent there, then agent-cli restore here into a new directory`,
  hint: 'agent-cli restore --help',
});

function open(world: World, options: OpenOptions, paths: HomePaths, copy: string): Home {
  const tolerated = options.tolerate ?? [];
  requireFiles(paths, tolerated.includes('config'));
  checkPermissions(paths);
  const signer = signerFromSeed(readSeed(paths));
  const db = new Database(':memory:');
  try {
    db.pragma('trusted_schema = OFF');
    fill(db, world, copy);
    const head = kept(tolerated.includes('head'), () => checkNewest(db, signer));
    const config = kept(tolerated.includes('config'), () => refuse(foreignConfigFault(db, paths)));
    return {
      isReference: true,
      paths,
      world,
      signer,
      db,
      writer: new ReadOnlyWriter(db, signer, projectors, world.clock, loadPosition(db, signer.publicKey), readOnly(paths)),
      transact: () => Promise.reject(new RefusalError(readOnly(paths))),
      config: () => readConfig(db, paths),
      faults: { config, head, witness: null, permissions: null },
      witness: { status: 'absent' },
      uncleanStop: false,
      updateWitness: () => null,
      close: () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw storageError(error, 'journal.sqlite3');
  }
}

function requireFiles({ apiToken, config, directory }: HomePaths, withoutConfig: boolean): void {
  const missing = [apiToken, ...(withoutConfig ? [] : [config])].filter((file) => !fs.existsSync(file));
  if (missing.length === 0) return;
  const names = missing.map((file) => path.basename(file)).join(', ');
  throw new RefusalError({ code: 'integrity', detail: `${names} missing in ${directory}, a home of the reference agent` });
}

/** The same tables that a home of ours has. */
function fill(db: Db, { clock }: World, copy: string): void {
  db.exec('BEGIN');
  migrate(db, clock());
  settle(copy);
  for (const _ of copyForeignRows(copy, db)) continue;
  const tree = new Tree();
  const rows = db.prepare<[], [string, string]>('SELECT hash, signature FROM events ORDER BY seq').raw();
  for (const [hash, signature] of rows.iterate()) tree.append(leafOf(hash, signature));
  tree.store(db);
  rebuildProjections(db, allEntries(db));
  db.exec('COMMIT');
}

/** Brings what stands in the copy's log into the copy itself, which is then read by its format. */
function settle(copy: string): void {
  const db = openDatabase(copy);
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** As for a home of ours: the newest entry, whose hash covers those before it. `verify` looks at each. */
function checkNewest(db: Db, signer: Signer): void {
  const { size } = readHead(db);
  const row = readRow(db, size);
  if (row === undefined) throw integrityFailure('the journal is empty');
  if (storedHash(db, size, row.body) !== row.hash) throw integrityFailure(`entry ${size} does not match its hash`, size);
  const signature = fromBase64(row.signature);
  const isSigned = signature !== null && verifySignature(signer.publicKey, Buffer.from(row.hash, 'hex'), signature);
  if (!isSigned || entryOf(row).identity !== signer.identity)
    throw integrityFailure(`entry ${size} is not signed by this home's key`, size);
}

/** The means to mend it are that agent's own. */
function foreignConfigFault(db: Db, paths: HomePaths): Refusal | null {
  const fault = configFault(db, paths);
  if (fault === null) return null;
  const { hint: _, ...rest } = fault;
  return rest;
}

const refuse = (refusal: Refusal | null): void => {
  if (refusal !== null) throw new RefusalError(refusal);
};

/** Runs a check; its refusal is kept where the command is there to look at it. */
function kept(tolerated: boolean, check: () => void): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (tolerated && error instanceof RefusalError) return error.refusal;
    throw error;
  }
}

class ReadOnlyWriter extends JournalWriter {
  private readonly refusal: Refusal;

  constructor(...args: [...ConstructorParameters<typeof JournalWriter>, Refusal]) {
    const [db, signer, all, clock, loaded, refusal] = args;
    super(db, signer, all, clock, loaded);
    this.refusal = refusal;
  }

  override begin(): never {
    throw new RefusalError(this.refusal);
  }

  override transact(): never {
    return this.begin();
  }
}
