/**
 * Checks the index by which the entries of a stream are found. An altered index hides an entry from every reader of its stream, or leads
 * to another one, while a walk over the table sees nothing of it.
 *
 * Two facts make it complete and in order: the sums of stream and row number over the index are those over the table, and a search for
 * the stream and row number of each of its rows finds one. So every row is where a search looks for it. Searching in the order of the
 * index takes a tenth of the time of searching for each row of the table.
 */
import type { Db } from '../store/database.js';
import { areSameSums, RowSum, type Sum } from './row-sum.js';
import type { Failure } from './verify-range.js';

export interface IndexReport {
  /** The sum of stream and row number over the index; null when there is no such index, which the comparison of schemas finds. */
  readonly sum: Sum | null;
  /** Whether a search finds each row, and no row is of an entry that does not exist. */
  readonly isOrdered: boolean;
  /** Whether a stream has the character to which other bytes are decoded too, so that sums can be equal where bytes are not. */
  readonly isAmbiguous: boolean;
}

/** Reads the index. @param size the sum is over the entries up to this one: others may be appended meanwhile */
export function readIndex(db: Db, size: number, sumKey: Int32Array): IndexReport {
  if (!hasIndex(db)) return { sum: null, isOrdered: true, isAmbiguous: false };
  return db.transaction(() => {
    const rows = db.prepare<[], [stream: unknown, sequence: number]>('SELECT mission, seq FROM events INDEXED BY events_mission');
    const sum = new RowSum(sumKey);
    let [count, newer] = [0, 0];
    let isAmbiguous = false;
    for (const [value, sequence] of rows.raw().iterate()) {
      const stream = typeof value === 'string' ? value : '';
      count++;
      if (stream.includes('\ufffd')) isAmbiguous = true;
      if (sequence > size) newer++;
      else sum.add(stream, sequence);
    }
    const number = (sql: string, ...parameters: number[]): number =>
      db
        .prepare<number[], number>(sql)
        .pluck()
        .get(...parameters) ?? 0;
    const found = number(
      `SELECT count(*) FROM events AS entry INDEXED BY events_mission CROSS JOIN events AS found INDEXED BY events_mission
       ON found.mission = entry.mission AND found.seq = +entry.seq`,
    );
    const appended = number('SELECT count(*) FROM events NOT INDEXED WHERE seq > ?', size);
    return { sum: sum.value, isOrdered: found === count && newer === appended, isAmbiguous };
  })();
}

/** Returns a failure when the index does not hold exactly the entries of the table. @param sum of the table's rows */
export function indexFault(db: Db, index: IndexReport, tableSum: Sum, size: number): Failure | null {
  if (index.sum === null) return null;
  const isSame = areSameSums(index.sum, tableSum) && index.isOrdered;
  if (isSame) return index.isAmbiguous ? hiddenEntry(db, size) : null;
  return hiddenEntry(db, size) ?? { sequence: 0, detail: 'the index events_mission holds rows of no entry' };
}

/** Returns the first entry that a search in the index does not find. */
function hiddenEntry(db: Db, size: number): Failure | null {
  const found = db.prepare<[], number>(
    `SELECT entry.seq FROM events AS entry NOT INDEXED CROSS JOIN events AS found INDEXED BY events_mission
     ON found.mission = entry.mission AND found.seq = +entry.seq ORDER BY entry.seq`,
  );
  let expected = 1;
  for (const sequence of found.pluck().iterate()) if (sequence === expected) expected++;
  return expected > size ? null : { sequence: expected, detail: 'the index events_mission does not lead to the entry' };
}

const definition = `SELECT group_concat(info.name || ' ' || info.coll || ' ' || info.desc, ',')
  FROM pragma_index_list('events') AS list JOIN pragma_index_xinfo(list.name) AS info
  WHERE list.name = 'events_mission' AND list.partial = 0 AND info.key = 1`;

/** Whether there is such an index as was made with the journal. Another one is found where the schema is compared. */
const hasIndex = (db: Db): boolean => db.prepare<[], string | null>(definition).pluck().get() === 'mission BINARY 0,seq BINARY 0';
