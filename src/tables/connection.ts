/**
 * What is known of a connection to a journal: the key that signs its entries, whether damage is tolerated, and the state as the key signs it
 * (src/state). Without that state, on a damaged home or for a command that must not wait for it, each entry that is read is checked alone.
 */
import type { Entry } from '../codec/entry.js';
import { Recent } from '../base/recent.js';
import { RefusalError } from '../base/refusal.js';
import { buildSnapshot, flush, flush_entries_max, isDue, isLong, signedBuild } from '../state/build.js';
import type { Schema } from '../state/schema.js';
import { NoSnapshot, Proven } from '../state/proven.js';
import { snapshotInMemory, storeSnapshot, type SnapshotChange } from '../state/stored.js';
import { shorter } from '../state/tail.js';
import type { Signer } from '../journal/keys.js';
import { checkRows, newestCheckpoint, readHead } from '../journal/reader.js';
import { commitAlone, type Db } from '../store/database.js';
import { refusingDamage, type Damage } from './damage.js';

export interface Proving {
  readonly signer: Signer;
  readonly schema: Schema;
  /** Whether to make a snapshot where there is none, which takes as long as a verification. */
  readonly waits: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Entries of which what was written is remembered. */
const written_max = 2 * flush_entries_max;

export class Connection {
  publicKey: Buffer | null = null;
  damage: Damage = refusingDamage;
  private proving: Proving | null = null;
  private state: Proven | null = null;
  /** A snapshot that was made because none was stored. */
  private made: SnapshotChange | null = null;
  /** Number of entries that the newest checkpoint covered when the state was last read. */
  private covered = 0;
  private readonly inSnapshot: <A>(read: () => A) => A;
  /** Entries that this connection recorded, until they are read as part of the state. */
  private readonly appending = { entries: new Recent<number, Entry>(written_max), hashes: new Map<number, string>() };
  /** Whether the transaction in which this is read has been looked at: nothing changes until it ends. */
  private isFresh = false;

  constructor(private readonly db: Db) {
    this.inSnapshot = db.transaction((read: () => unknown) => read()) as <A>(read: () => A) => A;
  }

  /**
   * Reads everything from now on by what the key signs. Makes a snapshot from all entries when none of this journal is stored, unless the
   * command must not wait for it: then each entry is checked alone.
   * @throws RefusalError `integrity` when the entries are not what was signed
   */
  prove(proving: Proving): void {
    this.proving = proving;
    checkRows(this.db, (row) => this.snapshot(() => this.state?.tail.requireEntry(row)));
    this.snapshot(() => undefined);
  }

  /** The state as the key signs it; null where entries are checked one by one, as where damage is known. Call it in a snapshot. */
  get proven(): Proven | null {
    return this.damage.found().length > 0 ? null : this.state;
  }

  /** Returns what `read` returns, which sees one state of the database: rows and entries of the same moment. */
  snapshot<A>(read: () => A): A {
    if (this.isFresh) return read();
    if (!this.db.inTransaction) return this.inSnapshot(() => this.snapshot(read));
    this.refresh();
    this.isFresh = true;
    try {
      return read();
    } finally {
      this.isFresh = false;
    }
  }

  /**
   * The state by the signed entries where damage is known, in which rows must not be read; null when it cannot be proven. Call it in a snapshot.
   */
  get provenEntries(): Proven | null {
    if (this.state !== null || this.proving === null) return this.state;
    const { signer, schema } = this.proving;
    const made = this.made === null ? null : snapshotInMemory(this.made);
    try {
      return new Proven(this.db, signer.publicKey, schema, this.appending, made);
    } catch (error) {
      if (error instanceof NoSnapshot || error instanceof RefusalError) return null;
      throw error;
    }
  }

  /** Reads the snapshot anew: its tables were made again. */
  restart(): void {
    this.state = null;
  }

  /** Notes an entry that this connection appends. */
  appended(entry: Entry): void {
    this.appending.entries.set(entry.sequence, entry);
    this.appending.hashes.set(entry.sequence, entry.hash);
    // What was looked at in this transaction has changed.
    this.isFresh = false;
  }

  /** @throws RefusalError `rollback`, from then on, after the journal became shorter than what was read of it */
  private refresh(): void {
    if (this.proving === null) return;
    const head = readHead(this.db);
    if (head.size < this.covered) throw shorter();
    if (this.damage.found().length > 0) {
      this.state = null;
      return;
    }
    try {
      if (this.state?.refresh(head) !== true) this.state = this.open(this.proving);
      this.covered = this.state?.tail.covered ?? this.covered;
      const { entries, hashes } = this.appending;
      for (const sequence of hashes.keys()) {
        if (sequence > this.covered) break;
        hashes.delete(sequence);
        entries.delete(sequence);
      }
    } catch (error) {
      this.state = null;
      if (!(error instanceof RefusalError) || error.refusal.code !== 'integrity') throw error;
      this.damage.report(error.refusal);
    }
  }

  private open(proving: Proving): Proven | null {
    const { signer, schema, waits } = proving;
    const { publicKey } = signer;
    this.made = null;
    try {
      return new Proven(this.db, publicKey, schema, this.appending);
    } catch (error) {
      if (!(error instanceof NoSnapshot)) throw error;
      if (!waits) return null;
      this.made = madeSnapshot(this.db, proving);
      return new Proven(this.db, publicKey, schema, this.appending, snapshotInMemory(this.made));
    }
  }

  /**
   * Stores a newer snapshot when many entries follow the stored one. Call it outside a transaction, when nobody waits for an answer.
   * Another process that writes is not waited for. Returns whether many entries follow it still.
   */
  flush(): boolean {
    const { proving } = this;
    if (proving === null || !this.snapshot(() => this.isFlushWanted(proving))) return false;
    const { signer } = proving;
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const isLeft = this.snapshot(() => this.move(signer));
      if (isLeft) this.db.exec('COMMIT');
      else commitAlone(this.db);
      return isLeft;
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      // What is known is that of the transaction that was undone.
      this.state = null;
      throw error;
    } finally {
      this.made = null;
    }
  }

  /** Returns whether there is a snapshot to store. One that is made anew of all entries is made here, before anybody is held up. */
  private isFlushWanted(proving: Proving): boolean {
    const { db, state, made } = this;
    if (made === null && state !== null && isDue(state) && isLong(state)) this.made = madeSnapshot(db, proving);
    return this.made !== null || (state !== null && isDue(state));
  }

  private move(signer: Signer): boolean {
    const { db, state, made } = this;
    if (made === null) return state !== null && isDue(state) && flush(db, signer, state);
    storeSnapshot(db, made, true);
    this.state = null;
    return false;
  }
}

/** Makes a snapshot of all entries that a checkpoint covers. @throws RefusalError `integrity` for an entry that is not what was signed */
function madeSnapshot(db: Db, { signer, schema, onProgress }: Proving): SnapshotChange {
  const of = newestCheckpoint(db, signer.publicKey);
  return signedBuild(signer, schema, buildSnapshot({ db, schema, of, ...(onProgress === undefined ? {} : { onProgress }) }));
}

const connections = new WeakMap<Db, Connection>();

export function connectionOf(db: Db): Connection {
  const known = connections.get(db) ?? new Connection(db);
  connections.set(db, known);
  return known;
}

/** Makes the snapshot of a journal that has none, and stores it. */
export function storeFirstSnapshot(db: Db, proving: Proving): void {
  connectionOf(db).prove(proving);
  connectionOf(db).flush();
}

/** Returns whether damage was found and is tolerated: then only the signed entries say what a table should hold. */
export const isDamaged = (db: Db): boolean => connectionOf(db).damage.found().length > 0;
