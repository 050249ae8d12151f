/** Recognises the errors of SQLite that mean that a database is damaged: a corrupt file, a missing table or column. */
import { errorCode, type Refusal } from './refusal.js';

/** The tables that the journal itself consists of. Its entries restore every other table of the file, but none of these. */
export const journal_tables = ['blob', 'checkpoint', 'cosignature', 'events', 'migration', 'projection', 'tile'] as const;

const isOfJournal = (table: string): boolean => journal_tables.some((name) => name === table);

export const tableMissing = (file: string, table: string): Refusal =>
  isOfJournal(table)
    ? {
        code: 'integrity',
        detail: `${file} has no table ${table}, and nothing in this home can rebuild it: restore a backup`,
        facts: { table },
        hint: 'agent-cli restore --help',
      }
    : { code: 'integrity', detail: `${file} has no table ${table}`, facts: { table }, hint: 'agent-cli rebuild' };

/** Returns the refusal for a table of a projection that is defined otherwise than this program does. */
export const tableAltered = (file: string, table: string): Refusal => ({
  code: 'integrity',
  detail: `the table ${table} in ${file} is not defined as this program defines it`,
  facts: { table },
  hint: 'agent-cli rebuild',
});

/** Returns the refusal for an error that means damage; null for any other. @param path of the file, where that is known */
export function damageRefusal(error: unknown, file = 'journal.sqlite3', path = file): Refusal | null {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    const damage = { code: 'integrity', detail: `${file} is damaged: ${message}` } as const;
    // It is made again.
    return file === 'lock.sqlite3' ? { ...damage, hint: `mv ${path} ${path}.old` } : damage;
  }
  // A value of another type than its STRICT column allows, in a row that is to be changed.
  if (code === 'SQLITE_CONSTRAINT_DATATYPE')
    return { code: 'integrity', detail: `the tables in ${file} are damaged: ${message}` };
  if (code !== 'SQLITE_ERROR') return null;
  const table = /^no such table: (?:\w+\.)?(\w+)$/.exec(message)?.[1];
  if (table !== undefined) return tableMissing(file, table);
  const view = /^cannot modify (\w+) because it is a view$/.exec(message)?.[1];
  if (view !== undefined) return { code: 'integrity', detail: `${file} has a view in place of the table ${view}` };
  const altered = /^table (\w+) has no column named /.exec(message)?.[1];
  if (altered !== undefined && !isOfJournal(altered)) return tableAltered(file, altered);
  if (altered === undefined && !/^no such (?:column|index): /.test(message)) return null;
  return {
    code: 'integrity',
    detail: `the tables in ${file} are not those of this program: ${message}`,
    hint: 'agent-cli doctor',
  };
}
