/** All changes of a sweep, and the fixed selection of them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { prng, type Prng } from '../../src/base/prng.js';
import type { Db } from '../../src/store/database.js';
import { mutateBytes, pick } from '../support/archive/byte-mutations.js';
import { edit, inMemory, type Row, rowsOf, type Value, withOtherType } from './alter.js';
import { type Change, change, type Homes, ofCell, type Place, placeIn } from './change.js';
import { blobChanges } from './changes/blobs.js';
import { placeChanges } from './changes/copies.js';
import { entryChanges } from './changes/entries.js';
import { fileChanges } from './changes/files.js';
import { hiddenChanges } from './changes/hidden.js';
import { schemaChanges } from './changes/schema.js';
import { checkpointChanges, cosignatureChanges, tileChanges } from './changes/sealed.js';
import { snapshotChanges, snapshotReplacements } from './changes/snapshot.js';
import { derivedChanges } from './changes/tables.js';
import { versionChanges } from './changes/versions.js';
import type { GroupName } from './groups.js';
import type { HomeName } from './homes.js';

type Maker = (homes: Homes) => readonly Change[];

const makers: readonly Maker[] = [
  entryChanges,
  tileChanges,
  checkpointChanges,
  blobChanges,
  schemaChanges,
  cosignatureChanges,
  derivedChanges,
  versionChanges,
  fileChanges,
  placeChanges,
  snapshotChanges,
  snapshotReplacements,
  hiddenChanges,
];

/** All but those that put other homes in the place of this one are also made in the large home. */
const large = makers.filter((make) => make !== placeChanges && make !== snapshotReplacements);

/** Returns every change of the homes under a folder, always in the same order. */
export function allChanges(root: string): readonly Change[] {
  const at = (name: HomeName): Place => placeIn(join(root, name));
  const made = (name: HomeName, makers: readonly Maker[]): readonly Change[] =>
    inMemory(at(name).journal, (db) => makers.flatMap((make) => make({ root, at, db })));
  return [...made('main', makers), ...made('large', large).map(inLarge)];
}

/** The same change, of the large home. */
const inLarge = (change: Change): Change => ({ ...change, name: `${change.name}, of many entries`, of: 'large', like: 'large' });

const orderOf = (seed: number, { name }: Change): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');

/** Returns the column that a change alters, or what it does: one of each is chosen before any of them again. */
export const partOf = ({ alters, kind }: Change): string => alters?.[0] ?? kind;

/**
 * Returns as many changes as there may be: first one of each group, then one of each part that was not among them, and then of each group in
 * turn the next. Which ones depends on the seed and on their names alone.
 */
export function selection(changes: readonly Change[], count_max: number, seed: number): readonly Change[] {
  const [groupTurn, partTurn] = [turns(), turns()];
  const ranked = changes
    .map((change) => ({ change, order: orderOf(seed, change) }))
    .toSorted((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ change }) => ({ change, inGroup: groupTurn(change.group), inPart: partTurn(partOf(change)) }));
  const rank = ({ inGroup, inPart }: (typeof ranked)[number]): number => (inGroup === 0 ? 0 : inPart === 0 ? 1 : 1 + inGroup);
  return ranked
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, count_max)
    .map(({ change }) => change);
}

/** Counts how often each name came before. */
function turns(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    return before;
  };
}

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
  sweep: derived('request_seq'),
  token: derived('name'),
  tool: derived('id'),
  witness: derived('seq'),
  invoice: derived('issued_seq'),
  approver: derived('name'),
  worker: derived('key'),
  receipt: derived('revision'),
  wallet: derived('id'),
  snapshot: { key: ['id'], group: () => 'snapshot altered' },
  snapshot_position: { key: ['level', 'n'], group: () => 'snapshot altered' },
  snapshot_name: { key: ['path'], group: () => 'snapshot altered' },
  snapshot_rows: { key: ['stream'], group: () => 'snapshot altered' },
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
