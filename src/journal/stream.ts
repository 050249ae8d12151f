/**
 * Records what was decided on a stream, and reads the entries of a stream, from which its state is computed. Whether they were
 * altered is checked elsewhere: here each row must only hold an entry of its own sequence and stream.
 */
import * as E from 'fp-ts/lib/Either.js';
import { RefusalError, unwrap, type Result } from '../base/refusal.js';
import { decodeEntry, type Entry, type StoredEntry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { placedOn, type Stream } from '../domain/stream.js';
import { type Db, prepared } from '../store/database.js';
import { entryOf, isSignedBy } from './reader.js';
import type { Transaction } from './writer.js';

/**
 * Appends the decided events and returns them. @throws RefusalError when the decision is a refusal
 * @example home.transact((tx) => recordEvents(tx, sweepStream, id, decideSweepCancelled(requireSweep(tx.db, id), actor)))
 */
export function recordEvents<State, A extends Event>(
  tx: Transaction,
  stream: Stream<State, A>,
  id: string,
  decided: Result<readonly A[]>,
): readonly A[] {
  const events = unwrap(decided);
  for (const event of events) tx.append(stream.nameOf(id), event);
  return events;
}

/** Called with each entry from which the state is computed; throws when the entry cannot be trusted. */
export type Check = (entry: Entry) => void;

/** Returns the state after the entries of one stream; null when there are none. @throws RefusalError `integrity` */
export function streamState<State>(db: Db, stream: Stream<State>, id: string, check: Check): State | null {
  let state: State | null = null;
  for (const row of storedEntries(db, stream, id)) {
    const entry = entryInPlace(db, row);
    const placed = placedOn(stream, entry);
    if (placed === null) continue;
    check(entry);
    state = stream.evolve(state, placed.event, placed);
  }
  return state;
}

const columns = 'seq, mission, body, hash, signature';

/**
 * Returns the rows of the entries that determine a state, in order: all of the stream, or those from the newest one that determines
 * the whole state.
 */
export function storedEntries(db: Db, stream: Stream<unknown>, id: string): StoredEntry[] {
  const name = stream.nameOf(id);
  return stream.isWhole === undefined
    ? prepared<[string], StoredEntry>(db, allSql).all(name)
    : storedSinceWhole(db, stream, name);
}

const allSql = `SELECT ${columns} FROM events WHERE mission = ? ORDER BY seq`;
const pageSql = `SELECT ${columns} FROM events WHERE mission = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;
const page_entries = 20;

function storedSinceWhole(db: Db, stream: Stream<unknown>, name: string): StoredEntry[] {
  const page = prepared<[string, number, number], StoredEntry>(db, pageSql);
  const newestFirst: StoredEntry[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = page.all(name, before, page_entries);
    for (const row of rows) {
      newestFirst.push(row);
      if (isWhole(stream, row)) return newestFirst.toReversed();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page_entries) return newestFirst.toReversed();
    before = last.seq;
  }
}

/** Returns whether an entry determines the whole state of a stream. One that cannot be decoded does not. */
function isWhole(stream: Stream<unknown>, row: StoredEntry): boolean {
  const decoded = decodeEntry(row);
  if (E.isLeft(decoded)) return false;
  const { event } = decoded.right;
  return stream.isEvent(event) && stream.isWhole?.(event) === true;
}

/** Returns the sequences of the entries that the index gives for a stream, after a sequence. */
export const sequencesByIndex = (db: Db, name: string, after = 0): number[] =>
  prepared<[string, number], { seq: number }>(db, 'SELECT seq FROM events WHERE mission = ? AND seq > ? ORDER BY seq')
    .all(name, after)
    .map(({ seq }) => seq);

/**
 * Returns every stream of a declaration, with the sequences of its first and newest entry. Reads the index of all entries whose streams
 * begin with its prefix.
 */
export const streamPlaces = (db: Db, { prefix, idOf }: Stream<unknown>) =>
  prepared<[string, string], { name: string; first: number; last: number }>(db, placesSql)
    .all(prefix, afterAll(prefix))
    .flatMap(({ name, ...place }) => {
      const id = idOf(name);
      return id === null ? [] : [{ id, ...place }];
    });

const placesSql =
  'SELECT mission AS name, min(seq) AS first, max(seq) AS last FROM events WHERE mission >= ? AND mission < ? GROUP BY mission';

/** Returns a text after all names that begin with a prefix: the streams of a prefix are adjacent in the index. */
const afterAll = (prefix: string): string => `${prefix}\u{10ffff}`;

/** Returns the decoded entry of a row; checks that the row has the entry's sequence and stream. */
export function entryInPlace(db: Db, row: StoredEntry): Entry {
  const entry = entryOf(row, db);
  if (entry.stream === row.mission && entry.sequence === row.seq) return entry;
  throw notSigned(row.seq, row.mission);
}

/** @throws RefusalError `integrity` when an entry does not match its hash or this key did not sign it */
export function requireSigned({ text, hash, signature, sequence, stream }: Entry, publicKey: Buffer | null): void {
  if (!isSignedBy(publicKey, { body: text, hash, signature })) throw notSigned(sequence, stream);
}

const notSigned = (sequence: number, stream: string): RefusalError =>
  new RefusalError('integrity', `entry ${sequence} of ${stream} is not what was signed`, {
    facts: { sequence },
    hint: 'agent-cli verify',
  });
