/**
 * The origins that a journal has left, from its signed entries. An accepted rollback replaces a journal in place, and a restore with
 * `supersede` replaces the home that it continues; any other restore is a branch beside it.
 */
import type { Entry, StoredEntry } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import { openCheckpoint } from './note.js';
import { entryOf, originFor, type Position, readEntry } from './reader.js';

export interface LeftOrigins {
  /** Every origin that this journal had before, the oldest first. */
  readonly left: readonly string[];
  /** Those among them, and those of other copies, whose homes this journal replaces. */
  readonly replaced: readonly string[];
}

const none: LeftOrigins = { left: [], replaced: [] };

/** Returns the origins that the journal has left. */
export function leftOrigins(db: Db, publicKey: Buffer, { incarnation, firstIncarnation, origin }: Position): LeftOrigins {
  if (incarnation === firstIncarnation) return none;
  const left: string[] = [];
  const replaced: string[] = [];
  let inPlace = true;
  for (const entry of beginnings(db)) {
    const before = readEntry(db, entry.sequence - 1)?.incarnation ?? null;
    const origins = [originFor(publicKey, before, firstIncarnation), ...lostOrigins(entry, publicKey)];
    left.unshift(...origins);
    inPlace &&= replaces(entry);
    if (inPlace) replaced.push(...origins);
  }
  const others = (origins: readonly string[]): string[] => [...new Set(origins)].filter((other) => other !== origin);
  return { left: others(left), replaced: others(replaced) };
}

/** Returns the entries that began an incarnation after the first one, the newest first. */
const beginnings = (db: Db): Entry[] =>
  db
    .prepare<[], StoredEntry>(
      `SELECT seq, mission, body, hash, signature FROM events
       WHERE mission = '@control' AND seq > 1
         AND (body GLOB '*"type":"control.rollback_accepted"*' OR body GLOB '*"type":"journal.restored"*')
       ORDER BY seq DESC`,
    )
    .all()
    .map((row) => entryOf(row, db))
    .filter(({ event }) => event?.type === 'control.rollback_accepted' || event?.type === 'journal.restored');

const replaces = ({ event }: Entry): boolean =>
  event?.type === 'control.rollback_accepted' || (event?.type === 'journal.restored' && event.document.supersede === true);

/** Returns the origin of the checkpoint whose entries were given up: another copy may have been continued under it. */
function lostOrigins({ event }: Entry, publicKey: Buffer): readonly string[] {
  if (event?.type !== 'control.rollback_accepted') return [];
  const lost = openCheckpoint(event.document.lost.witness, publicKey);
  return lost === null ? [] : [lost.origin];
}
