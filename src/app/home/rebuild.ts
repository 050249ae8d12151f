/**
 * `rebuild`: makes the tables of a home again from its entries. They are made in a temporary database while others read and write the journal,
 * and copied into it in one short transaction: a kill leaves the old tables or the new ones.
 */
import { RefusalError } from '../../base/refusal.js';
import type { Entry } from '../../codec/entry.js';
import { catchUp, type Head, newestCheckpoint, type Position, positionOfNone, readHead } from '../../journal/reader.js';
import { Tree } from '../../journal/tree.js';
import { type Built, buildSnapshot, signedBuild } from '../../state/build.js';
import { type SnapshotChange, storeSnapshot } from '../../state/stored.js';
import { type Db, retryWhileBusy } from '../../store/database.js';
import { dropForeignObjects } from '../../store/migrations.js';
import { temporaryDatabase } from '../../store/temporary.js';
import { connectionOf } from '../../tables/connection.js';
import {
  createProjections,
  schema,
  projectionDdls,
  projectionsOf,
  projectors,
  recordProjections,
} from '../../tables/projections.js';
import { tolerable } from './checks.js';
import type { Home } from './home.js';
import { checkTables, namingTables } from './upgrade.js';
import { rememberRebuilt } from './witness.js';

/**
 * Rebuilds the tables and the snapshot of the state, and forgets the damage of tables that was found. Returns the newest entry that the
 * tables have applied, and what was removed because this program does not make it so: tables, views, indexes and triggers.
 * @param onProgress called with the part that is done, from 0 to 1
 * @throws RefusalError `integrity` for damaged entries; then nothing was changed
 */
export function rebuildHome({ db, signer, world, writer }: Home, onProgress: (done: number) => void) {
  const replay = new Replay(db, signer.publicKey);
  try {
    const built = signedBuild(signer, schema, replay.all(onProgress));
    // What others recorded meanwhile, so that little is left for the transaction.
    db.transaction(() => replay.follow())();
    const removed = replaceTables(db, replay, built);
    connectionOf(db).restart();
    rememberRebuilt({ world, origin: writer.origin });
    return { head: replay.head, removed };
  } catch (error) {
    throw namingTables(error, db, 'the journal');
  } finally {
    replay.close();
  }
}

function replaceTables(db: Db, replay: Replay, built: SnapshotChange) {
  const replace = db.transaction(() => {
    replay.follow();
    const removed = dropForeignObjects(db, projectionDdls);
    replay.copyTo(db);
    storeSnapshot(db, built, true);
    checkRebuilt(db);
    return removed;
  });
  return retryWhileBusy(() => replace.immediate());
}

/** @throws RefusalError for what the opening of the home would refuse, with a way out that is not a rebuild */
function checkRebuilt(db: Db): void {
  const fault = tolerable(true, () => checkTables(db));
  if (fault === null) return;
  const { detail, ...rest } = fault;
  const hint = 'agent-cli restore --help';
  throw new RefusalError({ ...rest, detail: `${detail}, which a rebuild cannot repair: restore a backup`, hint });
}

const progress_entries = 10_000;

/** The tables in a temporary database, and the verified position up to which they have applied the entries. */
class Replay {
  private readonly rebuilt = temporaryDatabase();
  private readonly tree = new Tree();
  private position: Position;
  private readonly apply: (entry: Entry) => void;

  constructor(
    private readonly db: Db,
    private readonly publicKey: Buffer,
  ) {
    this.position = positionOfNone(publicKey);
    this.rebuilt.exec('BEGIN');
    for (const ddl of projectionDdls) this.rebuilt.exec(ddl);
    this.apply = projectionsOf(this.rebuilt);
  }

  get head(): Head {
    return this.position.head;
  }

  /** Replays the journal as of one moment, and builds its snapshot, for which all entries are read once more. */
  all(onProgress: (done: number) => void): Built {
    const { db, publicKey } = this;
    return db.transaction(() => {
      this.follow((sequence, size) => onProgress(sequence / size / 2));
      const of = newestCheckpoint(db, publicKey);
      return buildSnapshot({ db, schema, of, onProgress: (done, size) => onProgress(0.5 + done / size / 2) });
    })();
  }

  /** Replays what was recorded since. Call it in a transaction. @throws RefusalError `integrity` for an entry that is not what was signed */
  follow(onProgress: (sequence: number, size: number) => void = () => undefined): void {
    const { size } = readHead(this.db);
    if (size === this.position.head.size) return;
    this.position = catchUp(this.db, this.publicKey, this.tree, this.position, size, (entry) => {
      this.apply(entry);
      if (entry.sequence % progress_entries === 0) onProgress(entry.sequence, size);
    });
  }

  /** Creates the tables again by the statements that make them, which SQLite keeps, and copies all rows; inside the caller's transaction. */
  copyTo(db: Db): void {
    createProjections(db);
    for (const table of projectors.flatMap(({ tables }) => tables)) {
      const rows = this.rebuilt.prepare<[], unknown[]>(`SELECT * FROM ${table}`).raw();
      const insert = db.prepare<unknown[]>(
        `INSERT INTO ${table} VALUES (${rows
          .columns()
          .map(() => '?')
          .join()})`,
      );
      for (const row of rows.iterate()) insert.run(row);
    }
    recordProjections(db);
  }

  close(): void {
    this.rebuilt.close();
  }
}
