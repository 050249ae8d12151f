/**
 * The entries after a snapshot, in memory. Each is hashed, follows the one before, and is covered by the root that the newest checkpoint signs;
 * its stream is the one in its body, never that of a column or an index.
 */
import { RefusalError } from '../base/refusal.js';
import type { Entry, StoredEntry } from '../codec/entry.js';
import { Inclusion } from '../journal/inclusion.js';
import { sameBytes } from '../journal/merkle.js';
import type { Checkpoint } from '../journal/note.js';
import { damagedEntry, entryOf, genesis, type Head, hasStreamBytes, placeIn, readRow } from '../journal/reader.js';
import { leafOf, Tree } from '../journal/tree.js';
import { type Db, prepared } from '../store/database.js';

/** The entries that this process appended and that were not read since. */
export interface AppendedEntries {
  /** Those of which it is known what was written. */
  readonly entries: { readonly get: (seq: number) => Entry | undefined };
  /** The hashes of all that no checkpoint may cover yet: their transaction is still open. */
  readonly hashes: { readonly get: (seq: number) => string | undefined };
}

export const nothingAppended: AppendedEntries = { entries: new Map(), hashes: new Map() };

/** An entry after the snapshot, and what was decoded of it. */
export interface TailEntry {
  readonly row: StoredEntry;
  entry: Entry | null;
}

/** Returns the decoded entry. */
export const entryIn = (item: TailEntry): Entry => (item.entry ??= entryOf(item.row));

export const shorter = (): RefusalError => new RefusalError('rollback', 'the journal became shorter while it was open');

export class Tail {
  private readonly byStream = new Map<string, TailEntry[]>();
  /** Number of entries that a checkpoint was last found to cover. */
  covered: number;
  /** The tree of these. */
  private readonly tree: Tree;
  private readonly all: TailEntry[] = [];
  private readonly last: { seq: number; hash: string };
  private inclusion: Inclusion | null = null;
  /** Bytes of the bodies, in UTF-16 code units. */
  private length = 0;

  /**
   * @param base number of entries before the tail
   * @param root of the tree of these
   */
  constructor(
    private readonly db: Db,
    public base: number,
    private root: Buffer,
    private readonly appended: AppendedEntries,
  ) {
    this.covered = base;
    this.tree = Tree.load(db, base);
    this.last = { seq: base, hash: readRow(db, base)?.hash ?? genesis };
  }

  /** Whether the journal's first entries have the root that was given. Ask before `follow`. */
  get isOfJournal(): boolean {
    return sameBytes(this.root, this.tree.root());
  }

  get entries(): readonly TailEntry[] {
    return this.all;
  }

  get bytes(): number {
    return this.length;
  }

  of(stream: string): readonly TailEntry[] {
    return this.byStream.get(stream) ?? [];
  }

  /** The sequence of a stream's newest entry; 0 when it is not in the tail. */
  newestOf(stream: string): number {
    return this.byStream.get(stream)?.at(-1)?.row.seq ?? 0;
  }

  /** Whether the tail holds all entries after a sequence, and none is of the streams. */
  isWithout(isOf: (stream: string) => boolean, after: number): boolean {
    return after >= this.base && !this.all.slice(after - this.base).some(({ row }) => isOf(row.mission));
  }

  /** The names of the streams, the one with the newest entry first. */
  streams(): readonly string[] {
    return [...this.byStream.keys()].toSorted((a, b) => this.newestOf(b) - this.newestOf(a));
  }

  /** Whether the newest entry is the last one that was read, and a checkpoint was found to cover it. */
  isCurrent({ size, hash }: Head): boolean {
    if (size < this.base) throw shorter();
    return size === this.last.seq && hash === this.last.hash && size === this.covered;
  }

  /**
   * Reads the entries that were recorded since.
   * @param head the newest entry
   * @throws RefusalError `integrity` when one is not what was signed, by the newest checkpoint
   */
  follow(head: Head, newest: Checkpoint): void {
    if (this.last.seq > this.covered) this.dropUndone();
    for (const entry of this.ownUpTo(head)) {
      const { sequence: seq, stream: mission, text: body, hash, signature } = entry;
      this.add({ row: { seq, mission, body, hash, signature }, entry });
      Object.assign(this.last, { seq, hash });
    }
    const after = prepared<[number], StoredEntry>(
      this.db,
      'SELECT seq, mission, body, hash, signature FROM events NOT INDEXED WHERE seq > ? ORDER BY seq',
    );
    for (const row of after.all(this.last.seq)) {
      this.requireNext(row);
      this.add({ row, entry: null });
      Object.assign(this.last, { seq: row.seq, hash: row.hash });
    }
    this.cover(newest);
  }

  /** Returns the entries up to the newest if this process recorded them all: by the chain of their hashes they are those of the journal. */
  private ownUpTo(head: Head): readonly Entry[] {
    const own: Entry[] = [];
    for (let { size, hash } = head; size > this.last.seq; size--) {
      const entry = this.appended.entries.get(size);
      if (entry?.hash !== hash) return [];
      own.push(entry);
      hash = entry.previous;
      if (size === this.last.seq + 1 && hash !== this.last.hash) return [];
    }
    return own.reverse();
  }

  private add(entry: TailEntry): void {
    const { mission, body } = entry.row;
    const stream = this.byStream.get(mission) ?? [];
    this.byStream.set(mission, stream);
    stream.push(entry);
    this.all.push(entry);
    this.length += body.length;
  }

  /** Forgets the first entries, which a snapshot contains now. @param root of the tree of `size` entries */
  moveTo(size: number, root: Buffer): void {
    const left = this.all.slice(size - this.base);
    Object.assign(this, { base: size, root, inclusion: null, length: 0 });
    this.all.length = 0;
    this.byStream.clear();
    for (const entry of left) this.add(entry);
  }

  /** Forgets entries of a transaction that was undone. */
  private dropUndone(): void {
    const hashAt = prepared<[number], { hash: string }>(this.db, 'SELECT hash FROM events WHERE seq = ?');
    while (this.last.seq > this.covered && hashAt.get(this.last.seq)?.hash !== this.last.hash) {
      const row = this.all.pop()?.row;
      if (row === undefined) break;
      this.length -= row.body.length;
      const stream = this.byStream.get(row.mission);
      stream?.pop();
      if (stream?.length === 0) this.byStream.delete(row.mission);
      const hash = this.all.at(-1)?.row.hash ?? readRow(this.db, row.seq - 1)?.hash ?? genesis;
      Object.assign(this.last, { seq: row.seq - 1, hash });
    }
  }

  private requireNext(row: StoredEntry): void {
    const { seq, mission } = row;
    if (seq !== this.last.seq + 1) throw damagedEntry(this.last.seq + 1, 'the entry is missing');
    const place = placeIn(this.db, row);
    if (place?.sequence !== seq || place.previous !== this.last.hash)
      throw damagedEntry(seq, 'it does not follow the entry before it');
    if (place.stream !== mission || !hasStreamBytes(this.db, seq, mission))
      throw damagedEntry(seq, 'the stream is not the signed one');
  }

  /** Compares the tree over all entries with the root that the newest checkpoint signs. */
  private cover(checkpoint: Checkpoint): void {
    if (checkpoint.size < this.covered) throw shorter();
    const [from, to] = [this.covered - this.base, checkpoint.size - this.base];
    for (const { row, entry } of this.all.slice(from, to)) this.tree.append(entry?.leaf ?? leafOf(row.hash, row.signature));
    this.tree.discardPending();
    this.covered = this.tree.size;
    const foreign = this.all.slice(to).find(({ row }) => this.appended.hashes.get(row.seq) !== row.hash)?.row;
    if (foreign !== undefined || this.covered !== checkpoint.size)
      throw damagedEntry(foreign?.seq ?? this.last.seq, 'no checkpoint covers it');
    if (!sameBytes(this.tree.root(), checkpoint.root)) throw damagedEntry(this.last.seq, 'the checkpoint signs another root');
  }

  /** Checks that an entry, which was read by its sequence, is in its place in the journal. @throws RefusalError `integrity` */
  requireEntry({ seq, body, hash, signature }: StoredEntry): void {
    if (seq <= this.base) {
      this.inclusion ??= new Inclusion(this.db, this.treeBefore());
      this.inclusion.requireIncluded({ sequence: seq, text: body, hash, signature });
      return;
    }
    const row = this.all[seq - this.base - 1]?.row;
    if (row?.hash !== hash || row.body !== body || row.signature !== signature)
      throw damagedEntry(seq, 'it is not the entry that the newest checkpoint covers');
  }

  /** Returns the root of the tree of the first `size` entries, of which some are in the tail. @throws RefusalError `integrity` */
  rootAt(size: number): Buffer {
    if (size === this.covered) return this.tree.root();
    const tree = this.treeBefore();
    for (const { row } of this.all.slice(0, size - this.base)) tree.append(leafOf(row.hash, row.signature));
    return tree.root();
  }

  /** Returns the tree of the entries before the tail, from what is stored now. @throws RefusalError `integrity` when it is not the signed one */
  private treeBefore(): Tree {
    const tree = Tree.load(this.db, this.base);
    if (sameBytes(tree.root(), this.root)) return tree;
    throw damagedEntry(this.base, 'the tiles before it are not those of the signed tree');
  }
}
