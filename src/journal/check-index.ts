/**
 * Checks the index by which the entries of a stream are found. An altered index hides an entry from every reader of its stream, or leads
 * to another one, while a walk over the table sees nothing of it. SQLite compares the two: every row has its place in the index, the index
 * has no other row, and it is in order (https://www.sqlite.org/pragma.html#pragma_integrity_check).
 */
import type { Db } from '../store/database.js';
import type { Failure } from './verify-range.js';

/** Returns a failure when the index does not hold exactly the entries of the table; with the first entry that it hides, when it hides one. */
export function indexFault(db: Db): Failure | null {
  if (!hasIndex(db)) return null;
  const messages = db.prepare<[], string>("PRAGMA integrity_check('events')").pluck().all();
  if (messages[0] === 'ok') return null;
  // SQLite counts the rows of the table, whose sequences are 1, 2, ….
  const missing = messages.flatMap((message) => missing_row.exec(message)?.[1] ?? []).map(Number);
  if (missing.length > 0)
    return { sequence: Math.min(...missing), detail: 'the index events_mission does not lead to the entry' };
  const others = messages.some((message) => message.startsWith('wrong # of entries in index'));
  const detail = others
    ? 'the index events_mission holds rows of no entry'
    : `the table of entries is damaged: ${messages[0] ?? ''}`;
  return { sequence: 0, detail };
}

const missing_row = /^row ([0-9]+) (?:missing from|values differ from) index/;

const definition = `SELECT group_concat(info.name || ' ' || info.coll || ' ' || info.desc, ',')
  FROM pragma_index_list('events') AS list JOIN pragma_index_xinfo(list.name) AS info
  WHERE list.name = 'events_mission' AND list.partial = 0 AND info.key = 1`;

/** Whether there is such an index as was made with the journal. Another one is found where the schema is compared. */
const hasIndex = (db: Db): boolean => db.prepare<[], string | null>(definition).pluck().get() === 'mission BINARY 0,seq BINARY 0';
