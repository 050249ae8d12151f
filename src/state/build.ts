/**
 * Makes a snapshot from all entries: for a new home, after a restore, and where there is none that counts. Every entry is hashed up to the
 * root that the newest checkpoint signs, so a journal of which a snapshot could be made was verified, but for its blobs and tiles.
 */
import type { StoredEntry } from '../codec/entry.js';
import type { Signer } from '../journal/keys.js';
import { hash_bytes, rootOfLeaves, sameBytes } from '../journal/merkle.js';
import type { Checkpoint } from '../journal/note.js';
import { damagedEntry, entryOf, placeIn } from '../journal/reader.js';
import { leafOf } from '../journal/tree.js';
import type { Db } from '../store/database.js';
import type { Schema } from './schema.js';
import { begun, join, move, type Moving, settle } from './flush.js';
import { nameKey, Names } from './names.js';
import { Positions } from './positions.js';
import { long_stream_entries } from './proven.js';
import { signSnapshot } from './snapshot-note.js';
import type { SnapshotChange } from './stored.js';

export interface BuildOptions {
  readonly db: Db;
  readonly schema: Schema;
  /** The checkpoint that covers the entries of which to make it. */
  readonly of: Pick<Checkpoint, 'origin' | 'size' | 'root'>;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Built extends Omit<SnapshotChange, 'note'>, Omit<Checkpoint, 'note'> {
  readonly roots: { readonly positions: Buffer; readonly names: Buffer };
}

const progress_entries = 10_000;

/** Reads the entries in the order of their streams, each stream as a whole. @throws RefusalError `integrity` */
export function buildSnapshot({ db, schema, of: { origin, size, root }, onProgress }: BuildOptions): Built {
  const building = new Building(db, size);
  let done = 0;
  const streams = wholeStreams(db, schema, size, {
    onRow(row) {
      building.check(row);
      if (++done % progress_entries === 0) onProgress?.(done, size);
    },
    onJoin: (join) => building.joins.push(join),
  });
  for (const stream of streams) building.add(stream);
  return { origin, ...building.finish(root) };
}

/** A stream that joins a group with an entry. */
export interface Join {
  readonly group: string;
  readonly sequence: number;
  /** Sequence of the stream's first entry. */
  readonly first: number;
}

interface Walk {
  readonly onRow?: (row: StoredEntry) => void;
  readonly onJoin: (join: Join) => void;
}

/** Yields every stream as of a size, with all its entries, one after the other. */
export function* wholeStreams(db: Db, schema: Schema, size: number, { onRow, onJoin }: Walk): Generator<Moving> {
  const rows = db.prepare<[], StoredEntry>('SELECT seq, mission, body, hash, signature FROM events ORDER BY mission, seq');
  let stream = null as Moving | null;
  for (const row of rows.iterate()) {
    const { seq, mission } = row;
    // A newer entry is of a transaction that is still open, or it is found when the entries after the snapshot are read.
    if (seq < 1 || seq > size) continue;
    onRow?.(row);
    if (stream?.name !== mission) {
      if (stream !== null) yield stream;
      stream = begun(mission, schema.of(mission), seq);
    }
    for (const group of move(stream, entryOf(row))) onJoin({ group, sequence: seq, first: stream.first });
  }
  if (stream !== null) yield stream;
}

/** Checks the entries, and makes the trees in memory. */
class Building {
  private readonly leaves: Buffer;
  private readonly found: Uint8Array;
  private readonly positions;
  private readonly names = new Names(() => null, null);
  readonly joins: Join[] = [];
  private readonly long = new Map<string, string>();

  constructor(
    private readonly db: Db,
    private readonly size: number,
  ) {
    this.leaves = Buffer.alloc(size * hash_bytes);
    this.found = new Uint8Array(size);
    this.positions = new Positions(() => null, size, null);
  }

  check(row: StoredEntry): void {
    const { seq, mission, hash, signature } = row;
    const place = placeIn(this.db, row);
    if (place?.sequence !== seq || place.stream !== mission) throw damagedEntry(seq, 'the stream is not the signed one');
    leafOf(hash, signature).copy(this.leaves, (seq - 1) * hash_bytes);
    this.found[seq - 1] = 1;
  }

  add(stream: Moving): void {
    this.names.add(nameKey('stream', stream.name), stream.first);
    const { text } = settle(this.positions, stream);
    if (stream.count > long_stream_entries) this.long.set(stream.name, text);
  }

  finish(root: Buffer): Omit<Built, 'origin'> {
    const missing = this.found.indexOf(0);
    if (missing >= 0) throw damagedEntry(missing + 1, 'the entry is missing');
    if (!sameBytes(rootOfLeaves(this.leaves), root)) throw damagedEntry(this.size, 'the checkpoint signs another root');
    for (const { group, first } of this.joins.toSorted((a, b) => a.sequence - b.sequence)) join(this.names, group, first);
    const [positions, names] = [this.positions.seal(), this.names.seal()];
    return {
      size: this.size,
      root,
      roots: { positions: positions.root, names: names.root },
      positions: positions.changed,
      names: names.changed,
      rows: this.long,
    };
  }
}

/** Returns the built snapshot with its signed note. */
export const signedBuild = (signer: Signer, schema: Schema, built: Built): SnapshotChange => {
  const { origin, size, root, roots, positions, names, rows } = built;
  return { note: signSnapshot(signer, { origin, size, root, ...roots, codecs: schema.digest }), positions, names, rows };
};
