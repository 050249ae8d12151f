/**
 * Opens a home that a newer version of this program wrote, for reading only. Its rows are copied into a temporary database with
 * this version's tables, which are built from the entries that this version knows: the newer tables may have another meaning.
 */
import Database from 'better-sqlite3';
import { errorCode } from '../../base/fault.js';
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { Entry } from '../../codec/entry.js';
import { homePaths, witnessDirectory, witnessFile, type HomePaths } from '../../home/paths.js';
import { readWitness } from '../../home/witness-file.js';
import { signerFromSeed, type Signer } from '../../journal/keys.js';
import { checkHead, integrityFailure } from '../../journal/position.js';
import { readLeniently } from '../../journal/reader.js';
import { projectors, rebuildProjections } from '../../projection/projections.js';
import { connectionOf } from '../../rows/connection.js';
import { storageError, type Db } from '../../store/database.js';
import { migrate } from '../../store/migrations.js';
import { takeReaderLock, type ReaderLock } from '../../store/reader-lock.js';
import { damageOf, load, throwIf, tolerable } from './checks.js';
import { configFault, readConfig } from './config-file.js';
import { withCopy } from './copy.js';
import type { Home } from './home.js';
import type { OpenOptions, World } from './world.js';
import { readSeed } from './open-journal.js';
import { checkPermissions, checkPresence } from './presence.js';
import { programVersion } from './program.js';
import { ReadOnlyWriter } from './read-only-writer.js';
import { allEntries } from './upgrade.js';
import { witnessFault } from './witness.js';

/**
 * Opens a home that `openHome` refused because a newer version wrote it. Changes neither its files nor its witness.
 * @param why that refusal, which is returned for every attempt to write
 */
export function openNewerHome(world: World, options: OpenOptions, why: Refusal): Home {
  const paths = homePaths(world.directory);
  const tolerated = options.tolerate ?? [];
  checkPresence(paths, tolerated);
  const permissions = tolerable(tolerated.includes('permissions'), () => checkPermissions(paths));
  const lock = takeReaderLock(paths.lock);
  try {
    const signer = signerFromSeed(readSeed(paths));
    const read = withCopy(paths.journal, (copy) => readJournal(copy, world, why));
    try {
      return compose({ world, options, paths, lock, signer, permissions, why, ...read });
    } catch (error) {
      read.db.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw storageError(error, 'journal.sqlite3');
  }
}

interface Parts {
  readonly world: World;
  readonly options: OpenOptions;
  readonly paths: HomePaths;
  readonly lock: ReaderLock;
  readonly signer: Signer;
  readonly permissions: Refusal | null;
  readonly why: Refusal;
  readonly db: Db;
  readonly isConfigKnown: boolean;
}

function compose({ world, options, paths, lock, signer, permissions, why, db, isConfigKnown }: Parts): Home {
  const tolerated = options.tolerate ?? [];
  const { loaded, fault } = load(db, signer, tolerated);
  const head = fault ?? tolerable(tolerated.includes('head'), () => checkHead(db, loaded, signer.publicKey));
  const witness = readWitness(witnessFile(witnessDirectory(world.env), loaded.position.origin));
  const seen = tolerable(tolerated.includes('witness'), () => throwIf(witnessFault(db, loaded.position.head, signer, witness)));
  // An unknown control entry may have brought another configuration into force.
  const config = tolerable(tolerated.includes('config'), () => throwIf(isConfigKnown ? configFault(db, paths) : null));
  const damage = damageOf(tolerated, [head]);
  Object.assign(connectionOf(db), { publicKey: signer.publicKey, damage });
  return {
    isReference: false,
    older: null,
    upgrade: null,
    newer: { version: lock.version === programVersion ? null : lock.version, detail: why.detail },
    paths,
    world,
    signer,
    db,
    writer: new ReadOnlyWriter(db, signer, projectors, world.clock, loaded, why),
    transact: () => Promise.reject(new RefusalError(why)),
    config: () => readConfig(db, paths),
    faults: { config, witness: seen, head, permissions, schema: null, entries: null, tables: null },
    damage,
    witness,
    uncleanStop: false,
    updateWitness: () => null,
    close: () => {
      db.close();
      lock.release();
    },
  };
}

/** The columns that every version of the journal has. No other table is read. */
const columns = {
  events: 'seq, mission, body, hash, signature',
  checkpoint: 'size, note',
  blob: 'hash, salt, bytes',
  tile: 'level, n, hashes',
} as const;

/**
 * Copies the journal's rows into a temporary SQLite database in the system's temporary directory, which is deleted when it is
 * closed.
 */
function readJournal(copy: string, { clock }: World, why: Refusal): Pick<Parts, 'db' | 'isConfigKnown'> {
  const db = new Database('');
  try {
    db.pragma('trusted_schema = OFF');
    db.prepare('ATTACH ? AS newer').run(copy);
    db.exec('BEGIN');
    migrate(db, clock());
    for (const [table, names] of Object.entries(columns))
      db.exec(`INSERT INTO main.${table}(${names}) SELECT ${names} FROM newer.${table} ORDER BY 1, 2`);
    // Detach first: otherwise a table name that this database lacks would refer to the newer database.
    db.exec('COMMIT; DETACH newer; BEGIN');
    readLeniently(db);
    let isConfigKnown = true;
    const watched = watching(allEntries(db), ({ stream, event }) => {
      if (stream === '@control' && event === null) isConfigKnown = false;
    });
    rebuildProjections(db, watched);
    db.exec('COMMIT');
    return { db, isConfigKnown };
  } catch (error) {
    db.close();
    throw readError(error, why);
  }
}

function* watching(entries: Iterable<Entry>, watch: (entry: Entry) => void): Generator<Entry> {
  for (const entry of entries) {
    watch(entry);
    yield entry;
  }
}

/**
 * Returns the error to report: tables that lack a column are too new to read; rows that break this version's constraints are
 * damaged.
 */
function readError(error: unknown, why: Refusal): unknown {
  const code = errorCode(error);
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return integrityFailure(
      `journal.sqlite3 holds rows that do not belong to a journal: ${error instanceof Error ? error.message : ''}`,
    );
  return code === 'SQLITE_ERROR' ? new RefusalError(why) : error;
}
