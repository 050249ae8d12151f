/** Compares the rows of the tables that have one per stream with the streams of the journal. */
import type { Refusal } from '../base/refusal.js';
import type { Db } from '../store/database.js';

/** The empty prefix is that of missions, whose streams alone do not begin with `@`. */
const tables = [
  { table: 'mission', key: 'id', prefix: '' },
  { table: 'simulation', key: 'id', prefix: '@simulation:' },
  { table: 'token', key: 'name', prefix: '@token:' },
  { table: 'tool', key: 'id', prefix: '@tool:' },
] as const;

/**
 * Returns the first difference, or null: each stream has one row, whose revision is the sequence of the stream's newest entry. What else a row
 * contains is compared when it is read.
 * @param streams sequence of the newest entry of every stream, by the stream's name
 */
export function extentsFault(db: Db, streams: ReadonlyMap<string, { readonly last: number }>): Refusal | null {
  for (const { table, key, prefix } of tables) {
    const rows = db.prepare<[], [string, number]>(`SELECT ${key}, revision FROM ${table}`).raw().all();
    const isSame = rows.every(([id, revision]) => streams.get(prefix + id)?.last === revision);
    if (!isSame || new Set(rows.map(([id]) => id)).size !== count(streams, prefix))
      return { code: 'integrity', detail: `the table ${table} does not match its signed entries`, hint: 'agent-cli rebuild' };
  }
  return null;
}

function count(streams: ReadonlyMap<string, unknown>, prefix: string): number {
  let n = 0;
  for (const name of streams.keys()) if (prefix === '' ? !name.startsWith('@') : name.startsWith(prefix)) n++;
  return n;
}
