/**
 * Appends entries. One transaction holds the entries, their changes to the projections, the tiles and a signed checkpoint:
 *
 *   BEGIN IMMEDIATE → catch up with entries of other processes, verifying them → per command: savepoint, decide, insert,
 *   project → read the rows back and recompute their hashes → tiles → sign the checkpoint → COMMIT (FULL)
 *
 * A kill before COMMIT leaves the state before the transaction; SQLite's recovery drops the rest. A COMMIT that throws an I/O
 * error may still have committed, so the writer stops at once: callers retry with the same request id after a restart.
 */
import { sha256Hex, toBase64 } from '../base/bytes.js';
import { canonicalJson } from '../base/canonical-json.js';
import { errorCode, Fault, type Refusal, RefusalError, UnknownOutcome, unwrap } from '../base/refusal.js';
import { entry_body_bytes_max } from '../base/limits.js';
import { type Clock, recordedTime } from '../base/time.js';
import type { Entry } from '../codec/entry.js';
import { blobUsesOf, currentVersion, decodeEvent, type Event } from '../codec/event.js';
import { causeOf, type Db, isFull, retryWhileBusy, storageError } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import type { Signer } from './keys.js';
import { leafOfBytes } from './merkle.js';
import { signCheckpoint } from './note.js';
import type { Head, LoadedTree, Position } from './reader.js';
import { catchUp, damagedEntry, originFor, readHead, rememberSigned, storedHash } from './reader.js';
import { salted, type SaltedHash } from './salted.js';
import { Tree } from './tree.js';

/** The transaction as a command sees it: the state inside the write lock, the time, and the functions that record events. */
export interface Transaction {
  readonly db: Db;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Records an event and deletes the blobs that it erases.
   * @throws RefusalError for an event that could not be read back
   */
  readonly append: (stream: string, event: Event) => Entry;
  /**
   * Stores a salted value outside the signed text and returns its hash, to which an event of the same command must refer.
   * @param salting of these very bytes, where it was done elsewhere
   */
  readonly putBlob: (bytes: Buffer, salting?: SaltedHash) => string;
  /** Begins a new incarnation with the next event (a restore, an accepted rollback). */
  readonly beginIncarnation: (incarnation: string) => void;
}

/** Decides and records inside the transaction. A throw, most often of a `RefusalError`, undoes what this command did and nothing else. */
export type Command<A> = (tx: Transaction) => A;
export type Outcome<A> = { readonly value: A } | { readonly error: unknown };

export class JournalWriter {
  private readonly statements: Statements;
  /** The projectors, which prepare their statements at the first entry: a home whose tables are missing can be opened. */
  private apply: readonly ((entry: Entry) => void)[] | null = null;
  private tree: Tree;
  private position: Position;
  private broken: unknown = null;
  /** The time of the command, in milliseconds since the epoch. */
  private now = 0;
  /** Called with each event before it is recorded, here or by a command's transaction. @throws RefusalError for one that is not recorded now */
  admit: (event: Event) => void = () => undefined;
  /** The number of entries that were committed here. */
  recorded = 0;
  /** The entries of the transaction. */
  private readonly pending: (Entry & { readonly leaf: Buffer })[] = [];
  /** Blobs that the command has stored and to which none of its events refers yet. */
  private readonly loose = new Set<string>();

  constructor(
    readonly db: Db,
    private readonly signer: Signer,
    private readonly projectors: readonly Projector[],
    private readonly clock: Clock,
    loaded: LoadedTree,
  ) {
    this.tree = loaded.tree;
    this.position = loaded.position;
    this.statements = prepareStatements(db);
  }

  get head(): Head {
    return this.position.head;
  }

  get origin(): string {
    return this.position.origin;
  }

  get at(): Position {
    return this.position;
  }

  /** Runs one command in a transaction of its own. Blocks while another process writes, at most 5 s. @throws what the command throws */
  transact<A>(command: Command<A>): A {
    try {
      retryWhileBusy(() => this.begin());
    } catch (error) {
      throw storageError(error, 'the journal', this.db.name);
    }
    const [outcome] = this.run([command]);
    if (outcome === undefined) throw new Fault('no outcome');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Takes the write lock, or throws SQLITE_BUSY at once. */
  begin(): void {
    if (this.broken !== null) throw new Fault('the journal stopped after a failed commit; start the program again', this.broken);
    this.statements.begin.run();
  }

  /** Runs commands inside the transaction that `begin` opened and commits once; each is undone alone when it throws. */
  run<A>(commands: readonly Command<A>[], goOn: () => boolean = () => true): Outcome<A>[] {
    const outcomes: Outcome<A>[] = [];
    let before = this.position;
    try {
      this.follow();
      before = this.position;
      this.pending.length = 0;
      for (const command of commands) {
        outcomes.push(this.attempt(command, commands.length === 1));
        if (!goOn()) break;
      }
      if (this.position.head.size === before.head.size) this.statements.rollback.run();
      else this.seal(before);
      this.recorded += this.position.head.size - before.head.size;
    } catch (error) {
      this.undo(before);
      const fault = storageError(error, 'the journal', this.db.name);
      if (!isFull(error)) throw fault;
      return commands.map(() => ({ error: fault }));
    }
    return outcomes;
  }

  /**
   * Catches up with what other processes committed, and loads the tree again if a failed transaction changed it.
   * @throws RefusalError when what is stored is not what was read or recorded here and what the newest checkpoint signs
   */
  private follow(): void {
    const { size, hash } = this.position.head;
    const newest = readHead(this.db);
    const isTorn = this.tree.size !== size;
    if (newest.size === size && newest.hash !== hash) throw damagedEntry(size, 'it is not the one that was recorded');
    if (newest.size === size && !isTorn) return;
    if (newest.size >= size && isTorn) this.tree = Tree.load(this.db, size);
    this.position = catchUp(this.db, this.signer.publicKey, this.tree, this.position, newest.size);
  }

  /** Runs a single command, which needs no savepoint: when it throws, the whole transaction is undone. */
  private attempt<A>(command: Command<A>, alone: boolean): Outcome<A> {
    const before = this.position;
    if (!alone) this.statements.savepoint.run();
    try {
      this.loose.clear();
      const value = command(this.transaction());
      // Verification would call such a row foreign, and backups would lack it.
      if (this.loose.size > 0) throw new Fault('a blob was stored to which no event refers');
      if (!alone) this.statements.release.run();
      return { value };
    } catch (error) {
      // SQLITE_FULL has ended the whole transaction, savepoints included.
      if (!this.db.inTransaction || isFull(error)) throw error;
      if (!alone) {
        this.statements.undo.run();
        this.statements.release.run();
      }
      this.pending.length -= this.position.head.size - before.head.size;
      this.position = before;
      // SQLite opens a file that it may not write for reading, begins a transaction there, and refuses the first write.
      return { error: errorCode(error).startsWith('SQLITE_READONLY') ? storageError(error, 'the journal', this.db.name) : error };
    }
  }

  private transaction(): Transaction {
    this.now = this.clock();
    return {
      db: this.db,
      now: this.now,
      append: this.append,
      putBlob: (bytes, { salt, hash } = salted(bytes)) => {
        this.statements.insertBlob.run(hash, Buffer.from(salt), bytes);
        this.loose.add(hash);
        return hash;
      },
      beginIncarnation: (incarnation) => {
        const first = this.position.firstIncarnation ?? (this.position.head.size === 0 ? incarnation : null);
        const origin = originFor(this.signer.publicKey, incarnation, first);
        this.position = { ...this.position, incarnation, firstIncarnation: first, origin };
      },
    };
  }

  private readonly append = (stream: string, event: Event): Entry => {
    this.admit(event);
    // Once recorded, an actor of 65 characters or an empty reason could never be read back, and no command would open the journal again.
    unwrap(decodeEvent(event.type, currentVersion(event.type), event.document));
    const { head, incarnation } = this.position;
    if (incarnation === null) throw new Fault('an entry needs an incarnation');
    const sequence = head.size + 1;
    const time = recordedTime(this.now);
    const { identity } = this.signer;
    // The members are in canonical order; the others are numbers and texts without escapes.
    const text =
      `{"document":${canonicalJson(event.document, 1)},"identity":"${identity}","incarnation":"${incarnation}",` +
      `"mission":${canonicalJson(stream)},"previous":"${head.hash}","schema":2,"sequence":${sequence},"time":"${time}",` +
      `"type":"${event.type}","version":${currentVersion(event.type)}}`;
    if (Buffer.byteLength(text) > entry_body_bytes_max) {
      throw new RefusalError('too_large', `the entry would have more than ${entry_body_bytes_max} bytes`);
    }
    const hash = sha256Hex(text);
    const bytes = Buffer.from(hash, 'hex');
    const signed = this.signer.sign(bytes);
    const signature = toBase64(signed);
    this.statements.insert.run(sequence, stream, text, hash, signature);
    const known = { identity, incarnation, event, unknown: null, leaf: leafOfBytes(bytes, signed) };
    const entry = { sequence, stream, previous: head.hash, hash, signature, text, time, ...known };
    this.apply ??= this.projectors.map((projector) => projector.bind(this.db));
    for (const project of this.apply) project(entry);
    this.keepBlobs(event);
    this.pending.push(entry);
    this.position = { ...this.position, head: { size: sequence, hash } };
    return entry;
  };

  private keepBlobs(event: Event): void {
    const { refers, erases } = blobUsesOf(event);
    for (const hash of refers) this.loose.delete(hash);
    for (const hash of erases) this.statements.deleteBlob.run(hash);
  }

  /** Reads the new rows back, extends the tree with them, signs the checkpoint, which replaces the one before, and commits. */
  private seal(before: Position): void {
    const { head, origin } = this.position;
    const rows = this.statements.after.all(before.head.size);
    this.pending.forEach((entry, i) => {
      const [seq, mission, body, hash, signature] = rows[i] ?? [];
      const isRow = seq === entry.sequence && mission === entry.stream && hash === entry.hash && signature === entry.signature;
      // A wrong bit cannot be repaired once it is signed: hash what SQLite returns, not what was written.
      if (!isRow || body === undefined || storedHash(this.db, seq, body) !== hash)
        throw new Fault(`entry ${entry.sequence} was not stored as written`);
      this.tree.append(entry.leaf);
    });
    if (rows.length !== this.pending.length || this.tree.size !== head.size)
      throw new Fault('the journal did not take all entries');
    this.tree.store(this.db);
    const root = this.tree.root();
    const note = signCheckpoint(this.signer, origin, head.size, root);
    rememberSigned({ publicKey: this.signer.publicKey, checkpoint: { origin, size: head.size, root, note } });
    const { changes } = this.statements.replaceCheckpoint.run(head.size, note, before.head.size);
    if (changes === 0) this.statements.insertCheckpoint.run(head.size, note);
    this.commit();
  }

  private commit(): void {
    try {
      this.statements.commit.run();
    } catch (error) {
      const cause = causeOf(error, this.db.name);
      if (isFull(cause) && !this.db.inTransaction) throw cause;
      this.broken = error;
      throw new UnknownOutcome('the commit failed and its outcome is unknown', error);
    }
  }

  /** Takes back what a failed transaction changed in memory. The tree is loaded by the next one, which compares it with the newest checkpoint. */
  private undo(before: Position): void {
    if (this.broken !== null) return;
    if (this.db.inTransaction) this.statements.rollback.run();
    this.position = before;
  }
}

export class ReadOnlyWriter extends JournalWriter {
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

// The writer's statements, prepared once for a connection.

type Row = [seq: number, mission: string, body: string, hash: string, signature: string];

export type Statements = Readonly<ReturnType<typeof prepareStatements>>;

export const prepareStatements = (db: Db) => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
  rollback: db.prepare('ROLLBACK'),
  savepoint: db.prepare('SAVEPOINT command'),
  release: db.prepare('RELEASE command'),
  undo: db.prepare('ROLLBACK TO command'),
  insert: db.prepare<Row>('INSERT INTO events(seq, mission, body, hash, signature) VALUES (?, ?, ?, ?, ?)'),
  /** Returns rows as lists, which takes half the time of objects. */
  after: db.prepare<[number], Row>('SELECT seq, mission, body, hash, signature FROM events WHERE seq > ? ORDER BY seq').raw(),
  insertCheckpoint: db.prepare<[size: number, note: string]>('INSERT INTO checkpoint(size, note) VALUES (?, ?)'),
  /** Puts a newer checkpoint in the place of the newest one; changes nothing when a witness cosigned that. */
  replaceCheckpoint: db.prepare<[size: number, note: string, newest: number]>(
    'UPDATE checkpoint SET size = ?, note = ? WHERE size = ? AND NOT EXISTS (SELECT 1 FROM cosignature WHERE cosignature.size = checkpoint.size)',
  ),
  insertBlob: db.prepare<[hash: string, salt: Buffer, bytes: Buffer]>('INSERT INTO blob(hash, salt, bytes) VALUES (?, ?, ?)'),
  deleteBlob: db.prepare<[hash: string]>('DELETE FROM blob WHERE hash = ?'),
});
