/** The store of a snapshot: the journal's file, or memory until it can be written there. */
import { type Db, prepared } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import type { ChangedNode } from './positions.js';

/**
 * The state as of an earlier size of the journal: the signed note, the nodes of its two trees, and the rows of long streams as of then. No entry
 * changes it; it is moved now and then.
 */
const ddl = `CREATE TABLE snapshot(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  note TEXT NOT NULL
) STRICT;
CREATE TABLE snapshot_position(
  level INTEGER NOT NULL,
  n INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY(level, n)
) STRICT;
CREATE TABLE snapshot_name(
  path TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE snapshot_rows(
  stream TEXT PRIMARY KEY,
  rows TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** The tables of the snapshot, which a rebuild leaves empty: the next command makes it again. */
export const snapshotTables: Projector = {
  name: 'snapshot',
  version: 1,
  ddl,
  tables: ['snapshot', 'snapshot_position', 'snapshot_name', 'snapshot_rows'],
  bind: () => () => undefined,
};

export type SnapshotStore = Readonly<ReturnType<typeof storedSnapshot>>;

/** What replaces the nodes and rows of an earlier snapshot. */
export interface SnapshotChange {
  readonly note: string;
  readonly positions: readonly ChangedNode[];
  readonly names: readonly { readonly path: string; readonly bytes: Buffer }[];
  readonly rows: ReadonlyMap<string, string>;
}

/** The values may be of any type: the file may have been altered. */
export function storedSnapshot(db: Db) {
  const bytes = (value: unknown): Buffer | null => (Buffer.isBuffer(value) ? value : null);
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    note: () => text(prepared<[], { note: unknown }>(db, 'SELECT note FROM snapshot WHERE id = 1').get()?.note),
    position: (level: number, n: number) =>
      bytes(
        prepared<[number, number], { bytes: unknown }>(db, 'SELECT bytes FROM snapshot_position WHERE level = ? AND n = ?').get(
          level,
          n,
        )?.bytes,
      ),
    name: (path: string) =>
      bytes(prepared<[string], { bytes: unknown }>(db, 'SELECT bytes FROM snapshot_name WHERE path = ?').get(path)?.bytes),
    /** The rows of a long stream as of the snapshot. */
    rows: (stream: string) =>
      text(prepared<[string], { rows: unknown }>(db, 'SELECT rows FROM snapshot_rows WHERE stream = ?').get(stream)?.rows),
  };
}

/** Writes a change inside the caller's transaction. @param isWhole whether it replaces all of the snapshot before */
export function storeSnapshot(db: Db, { note, positions, names, rows }: SnapshotChange, isWhole: boolean): void {
  if (isWhole)
    db.exec('DELETE FROM snapshot; DELETE FROM snapshot_position; DELETE FROM snapshot_name; DELETE FROM snapshot_rows');
  const set = prepared<[number, number, Buffer], unknown>(
    db,
    'INSERT INTO snapshot_position(level, n, bytes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes',
  );
  const remove = prepared<[number, number], unknown>(db, 'DELETE FROM snapshot_position WHERE level = ? AND n = ?');
  for (const { level, n, bytes } of positions) {
    if (bytes === null) remove.run(level, n);
    else set.run(level, n, bytes);
  }
  const setName = prepared<[string, Buffer], unknown>(
    db,
    'INSERT INTO snapshot_name(path, bytes) VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes',
  );
  for (const { path, bytes } of names) setName.run(path, bytes);
  const setRows = prepared<[string, string], unknown>(
    db,
    'INSERT INTO snapshot_rows(stream, rows) VALUES (?, ?) ON CONFLICT DO UPDATE SET rows = excluded.rows',
  );
  for (const [stream, text] of rows) setRows.run(stream, text);
  prepared<[string], unknown>(
    db,
    'INSERT INTO snapshot(id, note) VALUES (1, ?) ON CONFLICT DO UPDATE SET note = excluded.note',
  ).run(note);
}

/** A whole snapshot that is kept in memory. */
export function snapshotInMemory({ note, positions, names, rows }: SnapshotChange): SnapshotStore {
  const blocks = new Map(positions.map(({ level, n, bytes }) => [`${level}/${n}`, bytes]));
  const nodes = new Map(names.map(({ path, bytes }) => [path, bytes]));
  return {
    note: () => note,
    position: (level, n) => blocks.get(`${level}/${n}`) ?? null,
    name: (path) => nodes.get(path) ?? null,
    rows: (stream) => rows.get(stream) ?? null,
  };
}
