/**
 * The roots of a snapshot, made again from all entries in memory that does not grow with their number: for `verify --deep`. The trees are kept
 * in a temporary database, as a snapshot is in the journal's file, and from time to time their nodes are stored there and forgotten.
 */
import type { Db } from '../store/database.js';
import { temporaryDatabase } from '../store/temporary.js';
import { type Join, wholeStreams } from './build.js';
import type { Schema } from './schema.js';
import { join, type Moving, settle } from './flush.js';
import { nameKey, Names } from './names.js';
import { Positions } from './positions.js';
import { snapshotTables, storedSnapshot, storeSnapshot } from './stored.js';

interface Roots {
  readonly positions: Buffer;
  readonly names: Buffer;
}

/** Changes of the trees that are held in memory. */
const held_changes_max = 4_096;
/** Joins of groups that are read at once. */
const joins_a_page = 1_000;

/** Returns the roots for the entries up to `size`, which were verified before. */
export function rebuiltRoots(db: Db, schema: Schema, size: number, changes_max = held_changes_max): Roots {
  const trees = new StoredTrees(size, changes_max);
  try {
    for (const stream of wholeStreams(db, schema, size, { onJoin: trees.join })) trees.add(stream);
    return trees.roots();
  } finally {
    trees.close();
  }
}

type Joined = [sequence: number, place: number, name: string, first: number];

class StoredTrees {
  private readonly db = temporaryDatabase();
  private readonly store = storedSnapshot(this.db);
  private readonly insert;
  private positions: Positions;
  private names: Names;
  private changes = 0;
  private joins = 0;

  constructor(
    private readonly size: number,
    private readonly changes_max: number,
  ) {
    this.db.exec(`${snapshotTables.ddl}
      CREATE TABLE joined(sequence INTEGER, place INTEGER, name TEXT, first INTEGER, PRIMARY KEY(sequence, place)) WITHOUT ROWID;
      BEGIN`);
    this.insert = this.db.prepare<Joined>('INSERT INTO joined VALUES (?, ?, ?, ?)');
    this.positions = new Positions(this.store.position, size, null);
    this.names = new Names(this.store.name, null);
  }

  /** Adds a stream, whole. */
  add(stream: Moving): void {
    this.names.add(nameKey('stream', stream.name), stream.first);
    settle(this.positions, stream);
    this.changed();
  }

  /** Notes that a stream joins a group with an entry: the groups are made in the order of the entries. */
  readonly join = ({ group, sequence, first }: Join): void => void this.insert.run(sequence, this.joins++, group, first);

  /** Call it once, when all streams were added. */
  roots(): Roots {
    const page = this.db
      .prepare<[number, number, number], Joined>(
        'SELECT sequence, place, name, first FROM joined WHERE (sequence, place) > (?, ?) ORDER BY sequence, place LIMIT ?',
      )
      .raw();
    let [sequence, place] = [0, 0];
    for (let rows = page.all(0, 0, joins_a_page); rows.length > 0; rows = page.all(sequence, place, joins_a_page)) {
      for (const row of rows) {
        join(this.names, row[2], row[3]);
        this.changed();
        [sequence, place] = row;
      }
    }
    return this.forget();
  }

  private changed(): void {
    if (++this.changes % this.changes_max === 0) this.forget();
  }

  /** Stores the nodes that were changed, and forgets all nodes. */
  private forget(): Roots {
    const [positions, names] = [this.positions.seal(), this.names.seal()];
    storeSnapshot(this.db, { note: '', positions: positions.changed, names: names.changed, rows: new Map() }, false);
    this.positions = new Positions(this.store.position, this.size, positions.root);
    this.names = new Names(this.store.name, names.root);
    return { positions: positions.root, names: names.root };
  }

  close(): void {
    this.db.close();
  }
}
