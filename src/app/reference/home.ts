/**
 * Opens a home of the reference agent, which that agent may be using, for reading only. SQLite never opens its journal: rows are read from a copy
 * by the file format, with what its logs hold, and kept in a database in memory with this program's tables, so that all code that reads a native
 * home can read it too. It has no checkpoint.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fromBase64 } from '../../base/bytes.js';
import { type Refusal, RefusalError } from '../../base/refusal.js';
import { homePaths, type HomePaths } from '../../home/paths.js';
import { type Signer, signerFromSeed, verifySignature } from '../../journal/keys.js';
import { entryOf, integrityFailure, loadPosition, readHead, readRow, storedHash } from '../../journal/reader.js';
import { leafOf, Tree } from '../../journal/tree.js';
import { rebuildProjections } from '../../tables/projections.js';
import { connectionOf } from '../../tables/connection.js';
import { type Db, storageError } from '../../store/database.js';
import { copyForeignRows } from '../../store/foreign-rows.js';
import { migrate } from '../../store/migrations.js';
import { Database } from '../../store/sqlite.js';
import { damageOf, throwIf, tolerable } from '../home/checks.js';
import { configFault } from '../home/config.js';
import { checkPermissions, readSeed, referenceIsReadOnly, withReferenceJournal } from '../home/files.js';
import type { Home, OpenOptions, World } from '../home/home.js';
import { onlyReadHome, openHome } from '../home/open.js';
import { openAsIs } from '../home/read-only.js';
import { allEntries } from '../home/upgrade.js';

/** Opens a home for reading: a native one as `openHome` does, and one of the reference agent as it is. */
export function openForReading(world: World, options: OpenOptions = {}): Home {
  const paths = homePaths(world.directory);
  const openOwn = options.asIs === true ? openAsIs : openHome;
  return withReferenceJournal(paths, (copy) => open(world, options, paths, copy)) ?? openOwn(world, options);
}

function open(world: World, options: OpenOptions, paths: HomePaths, copy: string): Home {
  const tolerated = options.tolerate ?? [];
  requireFiles(paths, tolerated.includes('config'));
  checkPermissions(paths);
  const signer = signerFromSeed(readSeed(paths));
  const db = new Database(':memory:');
  try {
    db.pragma('trusted_schema = OFF');
    fill(db, world, copy);
    const head = tolerable(tolerated.includes('head'), () => checkNewest(db, signer));
    const config = tolerable(tolerated.includes('config'), () => throwIf(foreignConfigFault(db, paths)));
    const damage = damageOf(tolerated, [head]);
    Object.assign(connectionOf(db), { publicKey: signer.publicKey, damage });
    return onlyReadHome({
      isReference: true,
      paths,
      world,
      signer,
      db,
      loaded: loadPosition(db, signer.publicKey),
      refusal: referenceIsReadOnly(paths),
      faults: { config, head, witness: null, permissions: null, schema: null, entries: null, tables: null },
      damage,
      witness: { status: 'absent' },
      close: () => void db.close(),
    });
  } catch (error) {
    db.close();
    throw storageError(error, 'journal.sqlite3');
  }
}

function requireFiles({ apiToken, config, directory }: HomePaths, withoutConfig: boolean): void {
  const missing = [apiToken, ...(withoutConfig ? [] : [config])].filter((file) => !fs.existsSync(file));
  if (missing.length === 0) return;
  const names = missing.map((file) => path.basename(file)).join(', ');
  throw new RefusalError('integrity', `missing from ${directory}, a home of the reference agent: ${names}`);
}

/** Fills the database with the same tables that a native home has. */
function fill(db: Db, { clock }: World, copy: string): void {
  db.exec('BEGIN');
  migrate(db, clock());
  for (const _ of copyForeignRows(copy, db, { withLogs: true })) continue;
  const tree = new Tree();
  const rows = db.prepare<[], [string, string]>('SELECT hash, signature FROM events ORDER BY seq').raw();
  for (const [hash, signature] of rows.iterate()) tree.append(leafOf(hash, signature, tree.size + 1));
  tree.store(db);
  rebuildProjections(db, allEntries(db));
  db.exec('COMMIT');
}

/** Checks the newest entry, whose hash covers those before it, as for a native home. `verify` checks every entry. */
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

/** Returns the configuration fault without this program's hint: the reference agent has its own means of repair. */
function foreignConfigFault(db: Db, paths: HomePaths): Refusal | null {
  const fault = configFault(db, paths);
  if (fault === null) return null;
  const { hint: _, ...rest } = fault;
  return rest;
}
