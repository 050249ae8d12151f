/** Changes of the tables that are derived from the entries, and of what says how the file was made. */
import type { Db } from '../../../src/store/database.js';
import { addRow, chanceOf, removeRow, rowsOf, withOtherByte, withOtherType, type Key, type Row, type Value } from '../alter.js';
import { ofCell, ofRows, type Change, type Homes } from '../change.js';
import { missions } from '../mixed-home.js';
import type { ProbeName } from '../probes.js';

interface Table {
  readonly name: string;
  readonly key: string;
  /** Names rows for people and says which commands show them; null for a row that is left alone. */
  readonly row: (row: Row) => { readonly name: string; readonly shownBy: readonly ProbeName[] } | null;
}

const missionNames = new Map<Value, string>(Object.entries(missions).map(([name, id]) => [id, name]));
const shown = Object.keys(missions).filter((name) => !['code', 'cancelled'].includes(name));

const tables: readonly Table[] = [
  {
    name: 'mission',
    key: 'revision',
    row: ({ id }) => {
      const name = missionNames.get(id ?? null);
      if (name === undefined || !shown.includes(name)) return null;
      const show = `show ${name}` as ProbeName;
      return { name, shownBy: ['list', show] };
    },
  },
  {
    name: 'simulation',
    key: 'request_seq',
    row: ({ request_seq, state }) => ({ name: `${String(state)} ${String(request_seq)}`, shownBy: ['runs'] }),
  },
  { name: 'token', key: 'name', row: ({ name }) => ({ name: String(name), shownBy: ['token list'] }) },
  { name: 'tool', key: 'id', row: ({ id }) => ({ name: String(id), shownBy: ['tool list'] }) },
  { name: 'witness', key: 'seq', row: ({ name }) => ({ name: String(name), shownBy: ['witness list'] }) },
  {
    name: 'invoice',
    key: 'issued_seq',
    row: ({ issued_seq, state }) => ({ name: `${String(state)} ${String(issued_seq)}`, shownBy: ['invoices'] }),
  },
  { name: 'approver', key: 'name', row: ({ name }) => ({ name: String(name), shownBy: ['approver list'] }) },
  { name: 'worker', key: 'key', row: ({ name }) => ({ name: String(name), shownBy: ['worker-key list'] }) },
  // Only the simulation's API reads sweeps; `verify` compares them.
  { name: 'sweep', key: 'request_seq', row: ({ state }) => ({ name: String(state), shownBy: [] }) },
  // The commands that read these two ask the node of a chain besides; `verify` compares them.
  { name: 'receipt', key: 'revision', row: ({ revision }) => ({ name: `of entry ${String(revision)}`, shownBy: [] }) },
  { name: 'wallet', key: 'id', row: () => ({ name: 'the one row', shownBy: [] }) },
];

/** A value that another row of the table has in this column, or one like it. */
function plausible(rows: readonly Row[], row: Row, column: string): Value {
  const value = row[column] ?? null;
  const isUnique = new Set(rows.map((each) => each[column])).size === rows.length;
  const other = isUnique ? undefined : rows.map((each) => each[column] ?? null).find((each) => each !== value);
  if (other !== undefined) return other;
  if (typeof value === 'number') return value + 1_000;
  if (typeof value !== 'string') return 'forged';
  if (/^[0-9a-f-]+$/.test(value)) return [...value].reverse().join('');
  if (/^\d{4}-.*Z$/.test(value)) return value.replace(/^2026/, '2025');
  return value.includes('"') ? value.replace(/(\d)(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)) : `${value}s`;
}

function cells(rows: readonly Row[], row: Row, column: string): readonly (readonly [kind: string, value: Value])[] {
  const value = row[column] ?? null;
  const chance = chanceOf(`${column} ${JSON.stringify(row)}`);
  const all = [
    ['a byte', withOtherByte(value, chance)],
    ['a plausible value', plausible(rows, row, column)],
    ['another type', withOtherType(value)],
    ['null', null],
  ] as const;
  return all.filter(([, to]) => to !== value);
}

function tableChanges(db: Db, { name: table, key: keyColumn, row: known }: Table): readonly Change[] {
  const rows = rowsOf(db, table);
  return rows.flatMap((row) => {
    const described = known(row);
    if (described === null) return [];
    const { name: where, shownBy } = described;
    const key: Key = { [keyColumn]: row[keyColumn]! };
    const isTaken = (value: Value): boolean => rows.some((other) => other[keyColumn] === value);
    const altered = Object.keys(row).flatMap((column) =>
      cells(rows, row, column)
        // A row number cannot be anything else.
        .filter(([, value]) => column !== keyColumn || (typeof value === typeof row[column] && !isTaken(value)))
        .map(([kind, value]) => {
          const isRenamed = table === 'mission' && column === 'id';
          // What commands print may be the same; `verify --deep` compares the stored values.
          const isLike = kind === 'another type';
          const shown = isLike ? [] : isRenamed ? (['list'] as const) : shownBy;
          const named = { kind: `${table}.${column}: ${kind}`, where, shownBy: shown };
          return ofCell({ group: 'row altered', ...named }, { table, key, column, value });
        }),
    );
    return [...altered, ofRows({ ...groupAndReaders(table, 'row removed'), where }, (db) => removeRow(db, table, key))];
  });
}

/** Every command compares the number of rows of the other tables with the streams. */
const groupAndReaders = (table: string, group: 'row added' | 'row removed'): Parameters<typeof ofRows>[0] =>
  table === 'witness' ? { group: 'witness row', kind: group, shownBy: ['witness list'] } : { group, kind: table };

/** Rows of things that there never were. */
function addedRows(): readonly Change[] {
  const unlike: Readonly<Record<string, Row>> = {
    mission: { revision: 1_000_000, id: '00000000-0000-4000-8000-0000000fffff' },
    simulation: { request_seq: 1_000_000, id: '0123456789abcdef' },
    sweep: { request_seq: 1_000_000, id: 'fedcba9876543210' },
    token: { name: 'mallory' },
    tool: { id: 'a_new_tool' },
    invoice: { issued_seq: 1_000_000, id: '00000000-0000-4000-8000-0000000ffffe' },
    receipt: { revision: 1_000_000, key: `31337:0x${'8'.repeat(64)}:4` },
    approver: { name: 'mallory' },
    worker: { key: 'c3'.repeat(32), name: 'rack-9' },
    witness: { seq: 1_000_000, name: 'elsewhere.example/w9', url: 'https://elsewhere.example', key: 'AAAA' },
  };
  return Object.entries(unlike).map(([table, values]) =>
    ofRows(groupAndReaders(table, 'row added'), (db) => addRow(db, table, { ...rowsOf(db, table).at(-1)!, ...values })),
  );
}

function controlChanges(db: Db): readonly Change[] {
  const rows = rowsOf(db, 'control');
  const [row] = rows;
  const [table, key] = ['control', { id: 1 }];
  const columns = Object.keys(row!).filter((column) => column !== 'id');
  const group = 'control row';
  return [
    ...columns.flatMap((column) =>
      cells(rows, row!, column).map(([kind, value]) =>
        ofCell({ group, kind: `${column}: ${kind}` }, { table, key, column, value }),
      ),
    ),
    ofCell({ group, kind: 'state: paused' }, { table, key, column: 'state', value: 'paused' }),
    ofCell({ group, kind: 'id: 2' }, { table, key, column: 'id', value: 2 }),
    ofRows({ group, kind: 'removed' }, (db) => removeRow(db, table, key)),
    ofRows({ group: 'control row added', kind: 'a second' }, (db) => addRow(db, table, { ...row!, id: 2 })),
    ofRows({ group: 'control row added', kind: 'one below 1' }, (db) => addRow(db, table, { ...row!, id: 0, state: 'paused' })),
  ];
}

export const derivedChanges = ({ db }: Homes): readonly Change[] => [
  ...tables.flatMap((table) => tableChanges(db, table)),
  ...addedRows(),
  ...controlChanges(db),
];
