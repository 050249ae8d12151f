/** Changes of one value that are drawn at random: any bytes of any row. They are described as data, so that they can be kept and made again. */
import { prng, type Prng } from '../../src/base/prng.js';
import type { Db } from '../../src/store/database.js';
import { mutateBytes, pick } from '../support/byte-mutations.js';
import { inMemory, rowsOf, withOtherType, type Row, type Value } from './alter.js';
import { change, ofCell, type Change, type Place } from './change.js';
import { edit } from './file-acts.js';
import type { GroupName } from './groups.js';

/** Which value is changed. The keys of homes are random: a row is named by its place, and its new value is drawn from the old one. */
export interface Drawn {
  /** A table, or the database file itself. */
  readonly table: string;
  /** Modulo the number of rows, and of the columns besides the key. */
  readonly row: number;
  readonly column: number;
  readonly seed: number;
}

interface Table {
  readonly key: readonly string[];
  readonly group: (row: Row, rows: readonly Row[]) => GroupName;
  /** Columns in which a change is found by nothing, or by nothing but the sweep's own changes. */
  readonly leftOut?: readonly string[];
}

const file = 'the file';
const derived = (key: string): Table => ({ key: [key], group: () => 'row altered' });
const tables: Readonly<Record<string, Table>> = {
  events: { key: ['seq'], group: () => 'entry altered' },
  blob: { key: ['hash'], group: () => 'blob altered' },
  tile: { key: ['level', 'n'], group: () => 'tile altered' },
  checkpoint: {
    key: ['size'],
    group: ({ size }, rows) =>
      rows.every((row) => Number(row['size']) <= Number(size)) ? 'newest checkpoint' : 'checkpoint altered',
  },
  cosignature: { key: ['size', 'witness'], group: () => 'cosignature altered', leftOut: ['at'] },
  control: { key: ['id'], group: () => 'control row' },
  mission: derived('revision'),
  simulation: derived('request_seq'),
  token: derived('name'),
  tool: derived('id'),
  witness: derived('seq'),
  invoice: derived('issued_seq'),
  worker: derived('key'),
  receipt: derived('revision'),
  wallet: derived('id'),
};
/** Entries are what everything else is compared with. */
const weighed = ['events', 'events', 'events', 'blob', 'blob', file, ...Object.keys(tables)];

export const draw = (random: Prng): Drawn => ({
  table: pick(weighed, random),
  row: random.uint32(),
  column: random.uint32(),
  seed: random.uint32(),
});

const draws_max = 20;

/** Returns another value than the given one, of its type or of another. */
function otherThan(value: Value, random: Prng): Value {
  for (let n = 0; n < draws_max; n++) {
    const other = random.below(8) === 0 ? withOtherType(value) : mutated(value, random);
    if (other !== value && !(Buffer.isBuffer(other) && Buffer.isBuffer(value) && other.equals(value))) return other;
  }
  return null;
}

function mutated(value: Value, random: Prng): Value {
  if (Buffer.isBuffer(value)) return mutateBytes(value, random).bytes;
  if (typeof value === 'string') return value === '' ? 'x' : mutateBytes(Buffer.from(value), random).bytes.toString();
  if (value === null) return 'something';
  return pick([Number(value) + 1, Number(value) - 1, -Number(value), random.uint32()], random);
}

/** Returns the change in homes like this one. */
export function drawnChange(drawn: Drawn, { journal }: Place): Change {
  const random = prng(drawn.seed);
  const name = JSON.stringify(drawn);
  if (drawn.table === file) {
    const named = { group: 'byte of the database file', kind: 'drawn bytes', where: name } as const;
    return change(named, (place) => edit((content) => otherBytes(content, random))(place.journal));
  }
  const table = tables[drawn.table];
  if (table === undefined) throw new Error(`no such table: ${drawn.table}`);
  const rows = inMemory(journal, (db: Db) => rowsOf(db, drawn.table));
  const row = rows[drawn.row % rows.length] ?? {};
  const columns = Object.keys(row).filter((column) => ![...table.key, ...(table.leftOut ?? [])].includes(column));
  const column = columns[drawn.column % columns.length] ?? '';
  const key = Object.fromEntries(table.key.map((part) => [part, row[part] ?? null]));
  const named = { group: table.group(row, rows), kind: `${drawn.table}.${column}: drawn`, where: name };
  return ofCell(named, { table: drawn.table, key, column, value: otherThan(row[column] ?? null, random) });
}

const run_bytes_max = 64;

/** A few bytes anywhere are others; the length stays. */
function otherBytes(content: Buffer, random: Prng): Buffer {
  const at = random.below(content.length);
  const out = Buffer.from(content);
  for (let i = at; i < Math.min(content.length, at + 1 + random.below(run_bytes_max)); i++)
    out[i] = (out[i] ?? 0) ^ (1 + random.below(255));
  return out;
}
