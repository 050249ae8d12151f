/**
 * The newest entry of a stream is hidden from whoever looks for it by the stream's name, and the rows are put back to what they were before it:
 * a rejected mission awaits review again, a revoked token is active.
 */
import { entryOf } from '../../../src/journal/reader.js';
import type { StoredEntry } from '../../../src/codec/entry.js';
import type { Db } from '../../../src/store/database.js';
import { schema } from '../../../src/tables/projections.js';
import { addRow, alterRows, onFile, removeRow, rowsOf, setValue, type Row } from '../alter.js';
import { change, ofRows, valueAt, type Change, type Homes } from '../change.js';
import { missions } from '../mixed-home.js';
import type { ProbeName } from '../probes.js';
import { exchangeRows } from './schema.js';

const group = 'newest entry hidden';
const nobody = '00000000-0000-4000-8000-0000000ffffd';

interface Victim {
  readonly where: string;
  readonly stream: string;
  readonly shownBy: readonly ProbeName[];
}

function victimsIn(db: Db): readonly Victim[] {
  const mission = (name: keyof typeof missions, ...more: readonly ProbeName[]): Victim => ({
    where: name,
    stream: missions[name],
    shownBy: ['list', `show ${name}` as ProbeName, ...more],
  });
  const runs = rowsOf<{ id: string; state: string }>(db, 'simulation').map(
    ({ id, state }, i): Victim => ({ where: `run ${i}, ${state}`, stream: `@simulation:${id}`, shownBy: ['runs'] }),
  );
  const others: Readonly<Record<string, ProbeName>> = {
    '@token:carol': 'token list',
    '@token:board': 'token list',
    '@tool:mission_code': 'tool list',
    '@approver:alice': 'approver list',
    [`@worker:${'b2'.repeat(32)}`]: 'worker-key list',
    '@invoice:00000000-0000-4000-8000-0000000000e1': 'invoices',
    '@invoice:00000000-0000-4000-8000-0000000000e2': 'invoices',
  };
  return [
    mission('rejected'),
    mission('completed', 'export'),
    mission('review', 'list --state review', 'review'),
    mission('queued'),
    mission('failed', 'recover'),
    mission('erased'),
    ...runs,
    ...Object.entries(others).map(([stream, probe]): Victim => ({ where: stream, stream, shownBy: [probe] })),
    { where: 'the control stream', stream: '@control', shownBy: ['run'] },
    { where: 'the wallet', stream: '@wallet', shownBy: [] },
  ];
}

const entriesOf = (db: Db, stream: string): StoredEntry[] =>
  db
    .prepare<[string], StoredEntry>('SELECT seq, mission, body, hash, signature FROM events WHERE mission = ? ORDER BY seq')
    .all(stream);

/** Returns the rows of a stream by table, as some of its entries make them. */
function rowsBy(db: Db, stream: string, entries: readonly StoredEntry[]): readonly (readonly [table: string, row: Row])[] {
  const tables = schema.of(stream);
  const states = entries.reduce((before, row) => tables.after(before, entryOf(row)), tables.initial);
  return tables.rowsOf(states).flatMap((rows, i) => {
    const table = tables.all[i]?.name ?? '';
    const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
    return rows.map((row) => [table, Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]))] as const);
  });
}

/** Makes the rows of a stream those of before its newest entry. */
function putBack(db: Db, stream: string): StoredEntry {
  const entries = entriesOf(db, stream);
  const newest = entries.at(-1);
  if (newest === undefined) throw new Error(`${stream} has no entry`);
  for (const [table, row] of rowsBy(db, stream, entries)) removeRow(db, table, row);
  for (const [table, row] of rowsBy(db, stream, entries.slice(0, -1))) addRow(db, table, row);
  return newest;
}

/** The stream of another table whose newest entry is the last one before a sequence. */
const strangerBefore = (db: Db, stream: string, seq: number): string =>
  String(
    valueAt(
      db,
      `SELECT mission FROM events WHERE mission <> '@control' AND substr(mission, 1, 5) <> ? GROUP BY mission
       HAVING max(seq) < ? AND (substr(mission, 1, 1) = '@' OR ?) ORDER BY max(seq) DESC LIMIT 1`,
      stream.slice(0, 5),
      seq,
      Number(stream.startsWith('@')),
    ) ?? '@tool:none',
  );

function victimChanges(db: Db, { where, stream, shownBy }: Victim): readonly Change[] {
  const newest = entriesOf(db, stream).at(-1);
  if (newest === undefined) throw new Error(`${stream} has no entry`);
  const { seq } = newest;
  const own = stream.startsWith('@') ? stream.slice(0, stream.indexOf(':') + 1) : '';
  const to: Readonly<Record<string, string>> = {
    'a stream that there never was': own === '' ? nobody : `${own}none`,
    'a stream of another table': strangerBefore(db, stream, seq),
  };
  const moved = Object.entries(to).map(([kind, name]) =>
    ofRows({ group, kind: `its column names ${kind}`, where, shownBy }, (altered) => {
      putBack(altered, stream);
      setValue(altered, 'events', { seq }, 'mission', name);
    }),
  );
  return [
    ...moved,
    change({ group, kind: 'the index lacks it', where, shownBy }, ({ journal }) => {
      alterRows(journal, (altered) => void putBack(altered, stream));
      onFile(journal, (altered) => exchangeRows(altered, { name: 'events_mission', tbl_name: 'events' }, ` WHERE seq <> ${seq}`));
    }),
  ];
}

/** A mission is hidden as a whole, and another one that there never was is in its place: the numbers of rows and entries stay. */
function inventedChanges(db: Db): readonly Change[] {
  const { seq } = entriesOf(db, missions.queued)[0] ?? { seq: 0 };
  return [
    ofRows({ group, kind: 'an invented mission beside it', shownBy: ['list', 'show queued'] }, (altered) => {
      setValue(altered, 'events', { seq }, 'mission', nobody);
      setValue(altered, 'mission', { id: missions.queued }, 'id', nobody);
    }),
  ];
}

export const hiddenChanges = ({ db }: Homes): readonly Change[] => [
  ...victimsIn(db).flatMap((victim) => victimChanges(db, victim)),
  ...inventedChanges(db),
];
