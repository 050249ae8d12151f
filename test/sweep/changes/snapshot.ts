/** Changes of the snapshot of the state: its note, the nodes of its trees, and the rows of long streams. */
import type { Db } from '../../../src/store/database.js';
import {
  addRow,
  chanceOf,
  inMemory,
  removeRow,
  rowsOf,
  setValue,
  withOtherByte,
  withOtherType,
  type Key,
  type Row,
  type Value,
} from '../alter.js';
import { ofCell, ofRows, valueAt, type Change, type Homes } from '../change.js';
import type { HomeName } from '../homes.js';

const group = 'snapshot altered';
const tables = ['snapshot', 'snapshot_position', 'snapshot_name', 'snapshot_rows'] as const;
type TableName = (typeof tables)[number];
type Tables = Readonly<Record<TableName, readonly Row[]>>;

const keys: Readonly<Record<TableName, readonly string[]>> = {
  snapshot: ['id'],
  snapshot_position: ['level', 'n'],
  snapshot_name: ['path'],
  snapshot_rows: ['stream'],
};

const tablesOf = (db: Db): Tables => Object.fromEntries(tables.map((table) => [table, rowsOf(db, table)])) as unknown as Tables;

const keyOf = (table: TableName, row: Row): Key => Object.fromEntries(keys[table].map((column) => [column, row[column] ?? null]));

/** Replaces what some of the tables hold. */
const putting =
  (from: Tables, names: readonly TableName[]) =>
  (db: Db): void => {
    for (const table of names) {
      db.exec(`DELETE FROM ${table}`);
      for (const row of from[table]) addRow(db, table, row);
    }
  };

function noteChanges(note: string): readonly Change[] {
  const lines = note.split('\n');
  const size = Number(lines[2]);
  const replaced = (at: number, by: string): string => lines.with(at, by).join('\n');
  const chance = chanceOf('snapshot note');
  const notes: Readonly<Record<string, Value>> = {
    ...Object.fromEntries([1, 2, 3].map((i) => [`byte ${i}`, withOtherByte(note, chance)])),
    'another first line': replaced(0, 'agent-state/2'),
    'without the first line': lines.slice(1).join('\n'),
    'another origin': note.replaceAll(lines[1] ?? '', `${lines[1] ?? ''}0`),
    'a smaller size': replaced(2, String(size - 1)),
    'a greater size': replaced(2, String(size + 1)),
    'another root': replaced(3, lines[4] ?? ''),
    'roots exchanged': lines
      .with(4, lines[5] ?? '')
      .with(5, lines[4] ?? '')
      .join('\n'),
    'another type': withOtherType(note),
    null: null,
    empty: '',
  };
  return [
    ...Object.entries(notes).map(([kind, value]) =>
      ofCell({ group, kind: `note: ${kind}` }, { table: 'snapshot', key: { id: 1 }, column: 'note', value }),
    ),
    ofCell({ group, kind: 'id: 2' }, { table: 'snapshot', key: { id: 1 }, column: 'id', value: 2 }),
    ofRows({ group, kind: 'note removed' }, (db) => removeRow(db, 'snapshot', { id: 1 })),
    ...[0, 2].map((id) => ofRows({ group, kind: 'note added', where: `at ${id}` }, (db) => addRow(db, 'snapshot', { id, note }))),
  ];
}

/** Changes of the values of one node, or of the rows of one stream. */
function rowChanges(table: TableName, rows: readonly Row[], row: Row): readonly Change[] {
  const key = keyOf(table, row);
  const where = Object.values(key).join('/') || 'the top';
  const other = rows.find((each) => each !== row) ?? row;
  const column = table === 'snapshot_rows' ? 'rows' : 'bytes';
  const chance = chanceOf(`${table} ${where}`);
  const value = row[column] ?? null;
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
  const like = (changed: Buffer): Value => (Buffer.isBuffer(value) ? changed : changed.toString());
  const values: Readonly<Record<string, Value>> = {
    ...Object.fromEntries([1, 2, 3].map((i) => [`byte ${i}`, withOtherByte(value, chance)])),
    shorter: like(bytes.subarray(0, -1)),
    longer: like(Buffer.concat([bytes, Buffer.of(48)])),
    empty: like(Buffer.alloc(0)),
    'another type': withOtherType(value),
    null: null,
    ...(other === row ? {} : { 'those of another': other[column] ?? null }),
  };
  const moved = Object.entries(key).map(([name, at]) => [name, typeof at === 'number' ? at + 7 : `${String(at)}g`] as const);
  return [
    ...Object.entries(values).map(([kind, to]) =>
      ofCell({ group, kind: `${table}.${column}: ${kind}`, where }, { table, key, column, value: to }),
    ),
    ...moved.map(([name, to]) => ofCell({ group, kind: `${table}.${name}`, where }, { table, key, column: name, value: to })),
    ofRows({ group, kind: `${table}: removed`, where }, (db) => removeRow(db, table, key)),
    ...(other === row
      ? []
      : [
          ofRows({ group, kind: `${table}: exchanged`, where }, (db) => {
            setValue(db, table, key, column, other[column] ?? null);
            setValue(db, table, keyOf(table, other), column, value);
          }),
        ]),
  ];
}

/** At most so many rows of a table are altered: those of each length of key, and the last ones. */
const altered_rows_max = 6;

function chosenRows(table: TableName, rows: readonly Row[]): readonly Row[] {
  const [first] = keys[table];
  const kinds = new Map(rows.map((row) => [table === 'snapshot_name' ? String(row['path']).length : row[first ?? ''], row]));
  return [...new Set([...kinds.values(), ...rows.slice(-2)])].slice(0, altered_rows_max);
}

const added: Readonly<Record<Exclude<TableName, 'snapshot'>, Row>> = {
  snapshot_position: { level: 0, n: 100_000, bytes: Buffer.alloc(8) },
  snapshot_name: { path: 'ffff', bytes: Buffer.alloc(1) },
  snapshot_rows: { stream: '@tool:none', rows: '{"tool":[]}' },
};

/** Snapshots that the key signed at another time, or for another home, in the place of this one. */
export function snapshotReplacements({ db, at }: Homes): readonly Change[] {
  const of = (name: HomeName): Tables => inMemory(at(name).journal, tablesOf);
  const own = tablesOf(db);
  const genuine = { earlier: of('earlier'), later: of('grown'), forked: of('forked'), 'of the origin that was left': of('lost') };
  const foreign = { 'of another key': of('other') };
  const note: readonly TableName[] = ['snapshot'];
  const nodes = tables.filter((table) => table !== 'snapshot');
  return [
    ...Object.entries({ ...genuine, ...foreign }).flatMap(([kind, from]) => [
      ofRows({ group, kind: `the nodes of one that is ${kind}` }, putting(from, nodes)),
      // A note under another origin, with nodes or without, is one of before a restore: it is not read.
      ...(kind === 'of the origin that was left'
        ? []
        : [ofRows({ group, kind: `the note of one that is ${kind}` }, putting(from, note))]),
    ]),
    ...(['later', 'forked'] as const).map((kind) =>
      ofRows({ group, kind: `one that is ${kind}` }, putting(genuine[kind], tables)),
    ),
    ofRows({ group, kind: 'one that is of another key' }, putting(foreign['of another key'], tables)),
    ofRows({ group, kind: 'the rows of an earlier time' }, (db) => {
      const [row] = own.snapshot_rows;
      const [earlier] = genuine.earlier.snapshot_rows;
      setValue(db, 'snapshot_rows', { stream: row?.['stream'] ?? '' }, 'rows', `${String(earlier?.['rows'])} `);
    }),
    ofRows({ group: 'snapshot replaced', kind: 'an earlier one' }, putting(genuine.earlier, tables)),
    ofRows(
      { group: 'snapshot replaced', kind: 'of the origin that was left' },
      putting(genuine['of the origin that was left'], tables),
    ),
    ofRows({ group: 'snapshot replaced', kind: 'removed' }, (db) => {
      for (const table of tables) db.exec(`DELETE FROM ${table}`);
    }),
  ];
}

export function snapshotChanges({ db }: Homes): readonly Change[] {
  const own = tablesOf(db);
  const note = String(valueAt(db, 'SELECT note FROM snapshot'));
  return [
    ...noteChanges(note),
    ...(['snapshot_position', 'snapshot_name', 'snapshot_rows'] as const).flatMap((table) => [
      ...chosenRows(table, own[table]).flatMap((row) => rowChanges(table, own[table], row)),
      ofRows({ group, kind: `${table}: added` }, (db) => addRow(db, table, added[table])),
      ofRows({ group, kind: `${table}: all removed` }, (db) => db.exec(`DELETE FROM ${table}`)),
    ]),
  ];
}
