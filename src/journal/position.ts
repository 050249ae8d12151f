/** The position of a journal (head, incarnation, origin, tree): how it is loaded and checked, and how it catches up with other processes. */
import { fromBase64 } from '../base/bytes.js';
import { RefusalError } from '../base/refusal.js';
import type { Entry, StoredEntry } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import { identityOf, verifySignature } from './keys.js';
import { sameBytes } from './merkle.js';
import { openCheckpoint, originOf, readCheckpoint, type Checkpoint } from './note.js';
import {
  damagedEntry,
  entryOf,
  genesis,
  type Head,
  latestNote,
  readEntry,
  readHead,
  readRow,
  rowsAfter,
  storedHash,
} from './reader.js';
import { leafOf, Tree } from './tree.js';

export interface Position {
  readonly head: Head;
  /** Incarnation of the newest entry, 32 hexadecimal digits; null in a journal without entries of this program. */
  readonly incarnation: string | null;
  /** Incarnation of the first entry, whose origin has no suffix. */
  readonly firstIncarnation: string | null;
  readonly origin: string;
}

export interface Loaded {
  readonly tree: Tree;
  readonly position: Position;
}

export const integrityFailure = (detail: string, sequence?: number): RefusalError =>
  new RefusalError('integrity', detail, sequence === undefined ? {} : { facts: { sequence } });

/** Returns the origin: without a suffix as long as the incarnation is that of the first entry. */
export const originFor = (publicKey: Buffer, incarnation: string | null, first: string | null): string =>
  originOf(publicKey, incarnation === first ? null : incarnation);

export function loadPosition(db: Db, publicKey: Buffer): Loaded {
  const { size } = readHead(db);
  const newest = size === 0 ? null : readEntry(db, size);
  const first = size === 0 ? null : readEntry(db, 1);
  const incarnation = newest?.incarnation ?? null;
  const firstIncarnation = first?.incarnation ?? null;
  const position = {
    head: newest === null ? { size: 0, hash: genesis } : { size, hash: newest.hash },
    incarnation,
    firstIncarnation,
    origin: originFor(publicKey, incarnation, firstIncarnation),
  };
  return { tree: Tree.load(db, size), position };
}

/**
 * Returns the position of a journal whose first entry cannot be read: its incarnation is that of the newest entry exactly if the
 * newest checkpoint's origin has no suffix.
 */
export function positionWithoutFirst(db: Db, publicKey: Buffer): Loaded {
  const { size } = readHead(db);
  const newest = readEntry(db, size);
  if (newest === null) throw integrityFailure('the journal is empty');
  const { incarnation, hash } = newest;
  const origin = readCheckpoint(latestNote(db)?.note ?? '')?.origin ?? '';
  const firstIncarnation = origin === originOf(publicKey, null) ? incarnation : null;
  return { tree: Tree.load(db, size), position: { head: { size, hash }, incarnation, firstIncarnation, origin } };
}

/** Returns the unchecked position of a journal that `loadPosition` refuses: enough to read it, not to append. */
export function claimedPosition(db: Db, publicKey: Buffer): Loaded {
  const origin = readCheckpoint(latestNote(db)?.note ?? '')?.origin ?? originOf(publicKey, null);
  return { tree: new Tree(), position: { head: readHead(db), incarnation: null, firstIncarnation: null, origin } };
}

/** Checks in O(log n), for every command, that the newest entry, the newest checkpoint and the stored tiles are valid and agree. */
export function checkHead(db: Db, { tree, position }: Loaded, publicKey: Buffer): void {
  const { size } = position.head;
  if (size === 0) throw integrityFailure('the journal is empty');
  const row = readRow(db, size);
  if (row === undefined || storedHash(db, row.seq, row.body) !== row.hash)
    throw integrityFailure(`entry ${size} does not match its hash`, size);
  const signature = fromBase64(row.signature);
  if (signature === null || !verifySignature(publicKey, Buffer.from(row.hash, 'hex'), signature)) {
    throw integrityFailure(`entry ${size} is not signed by this home's key`, size);
  }
  if (entryOf(row, db).identity !== identityOf(publicKey))
    throw integrityFailure(`entry ${size} belongs to another identity`, size);
  checkNewestCheckpoint(db, tree, position, publicKey);
}

/** Checks that the newest checkpoint covers the newest entry and that its root is that of the tree. */
export function checkNewestCheckpoint(db: Db, tree: Tree, position: Position, publicKey: Buffer): void {
  const latest = latestNote(db);
  if (latest === undefined) throw integrityFailure('the journal has no checkpoint');
  const checkpoint = openCheckpoint(latest.note, publicKey);
  if (checkpoint === null) throw integrityFailure("the newest checkpoint is not signed by this home's key");
  if (checkpoint.size !== tree.size || latest.size !== tree.size) {
    throw integrityFailure(`the newest checkpoint covers ${checkpoint.size} entries, the journal holds ${tree.size}`);
  }
  if (checkpoint.origin !== position.origin) throw integrityFailure('the newest checkpoint has another origin');
  if (!sameBytes(checkpoint.root, tree.root()))
    throw integrityFailure('the root of the tree is not the one that the newest checkpoint signs');
}

interface Opened {
  readonly publicKey: Buffer;
  readonly checkpoint: Checkpoint;
}

/** The checkpoint that was opened or signed last: one is asked for several times before there is a newer one. */
let opened: Opened | null = null;

/** Remembers a checkpoint that this process signed, which need not be verified. */
export const rememberSigned = (signed: Opened): void => void (opened = signed);

/** Returns the newest checkpoint. @throws RefusalError `integrity` when this key did not sign it */
export function newestCheckpoint(db: Db, publicKey: Buffer): Checkpoint {
  const { size, note } = latestNote(db) ?? { size: 0, note: '' };
  const last = opened;
  const isOpened = last !== null && last.checkpoint.note === note && last.publicKey.equals(publicKey);
  const checkpoint = isOpened ? last.checkpoint : openCheckpoint(note, publicKey);
  if (checkpoint?.size !== size) throw damagedEntry(size, 'no checkpoint of this key covers it');
  opened = { publicKey, checkpoint };
  return checkpoint;
}

const catch_up_rows = 1_000;

/** The position before the first entry. */
export const positionOfNone = (publicKey: Buffer): Position => ({
  head: { size: 0, hash: genesis },
  incarnation: null,
  firstIncarnation: null,
  origin: originOf(publicKey, null),
});

/**
 * Reads the entries that were committed after a position, which is not that of the newest, and verifies each link and hash and then their checkpoint.
 * @param onEntry called with each entry, before its checkpoint was verified
 */
export function catchUp(
  db: Db,
  publicKey: Buffer,
  tree: Tree,
  position: Position,
  newestSize: number,
  onEntry: (entry: Entry) => void = () => undefined,
): Position {
  if (newestSize < position.head.size) throw new RefusalError('rollback', 'the journal became shorter while it was open');
  let head = position.head;
  let { incarnation, firstIncarnation } = position;
  for (;;) {
    const rows = rowsAfter(db, head.size, catch_up_rows);
    for (const row of rows) {
      const entry = checkLink(db, row, head, publicKey);
      ({ incarnation } = entry);
      tree.append(leafOf(row.hash, row.signature, row.seq));
      head = { size: row.seq, hash: row.hash };
      firstIncarnation ??= row.seq === 1 ? incarnation : null;
      onEntry(entry);
    }
    if (rows.length < catch_up_rows) break;
  }
  const reached = { head, incarnation, firstIncarnation, origin: originFor(publicKey, incarnation, firstIncarnation) };
  tree.discardPending();
  checkNewestCheckpoint(db, tree, reached, publicKey);
  return reached;
}

/** Checks that a row follows the head and matches its own hash; returns its entry. */
function checkLink(db: Db, row: StoredEntry, head: Head, publicKey: Buffer): Entry {
  if (row.seq !== head.size + 1) throw integrityFailure(`entry ${head.size + 1} is missing`, head.size + 1);
  if (storedHash(db, row.seq, row.body) !== row.hash) throw integrityFailure(`entry ${row.seq} does not match its hash`, row.seq);
  const entry = entryOf(row);
  if (entry.sequence !== row.seq || entry.previous !== head.hash) {
    throw integrityFailure(`entry ${row.seq} does not follow entry ${head.size}`, row.seq);
  }
  if (entry.identity !== identityOf(publicKey)) throw integrityFailure(`entry ${row.seq} belongs to another identity`, row.seq);
  return entry;
}

/** Returns the entry. @throws RefusalError `integrity` when it is missing */
export function requireEntry(db: Db, sequence: number): Entry {
  const entry = readEntry(db, sequence);
  if (entry === null) throw integrityFailure(`entry ${sequence} is missing`, sequence);
  return entry;
}
