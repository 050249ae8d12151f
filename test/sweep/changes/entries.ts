/** Changes of the signed entries. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { sha256Hex } from '../../../src/base/bytes.js';
import type { Db } from '../../../src/store/database.js';
import {
  addRow,
  chanceOf,
  removeRow,
  rowsOf,
  setValue,
  swapRows,
  withOtherByte,
  withOtherType,
  type Row,
  type Value,
} from '../alter.js';
import { ofCell, ofRows, type Change, type Homes } from '../change.js';

const columns = ['mission', 'body', 'hash', 'signature'] as const;
type Column = (typeof columns)[number];

type EntryRow = Row & { readonly seq: number } & Readonly<Record<Column, string>>;

/** The first and the newest entries, those at the borders of tiles, and one of each type of event. */
function chosenEntries(db: Db): EntryRow[] {
  const rows = rowsOf<EntryRow>(db, 'events');
  const types = new Map(rows.map((row) => [/"type":"([^"]+)","version"/.exec(row.body)?.[1] ?? '', row.seq]));
  const newest = rows.length;
  const chosen = new Set([1, 2, 255, 256, 257, 330, 512, 513, newest - 1, newest, ...types.values()]);
  return rows.filter(({ seq }) => chosen.has(seq));
}

/** A text that somebody might want there instead. */
function forgedBody(body: string): string {
  for (const [from, to] of [
    ['bad: do not use', 'good: please use'],
    ['"approved":false', '"approved":true'],
    ['"actor":"operator"', '"actor":"somebody"'],
    ['"goal":"', '"goal":"not '],
    ['"state":"paused"', '"state":"ready"'],
    ['T05:00:', 'T04:00:'],
  ] as const)
    if (body.includes(from)) return body.replace(from, to);
  throw new Error(`nothing to forge in ${body}`);
}

/** Base64 whose last digit has other bits that no byte takes: decoders that are not strict read the same bytes. */
const loosely = (base64: string): string => base64.replace(/(.)==$/, (_, last: string) => `${nextLetter(last)}==`);
const nextLetter = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 1);

const setEntry = (seq: number, values: Partial<Record<Column, Value>>) => (db: Db) => {
  for (const [column, value] of Object.entries(values)) setValue(db, 'events', { seq }, column, value);
};

type Altered = readonly [kind: string, alter: (db: Db) => void];

function alterationsOf(row: EntryRow): readonly Altered[] {
  const { seq, body, hash, signature } = row;
  const forged = forgedBody(body);
  const spaced = body.replace('{', '{ ');
  const cells = columns.flatMap((column): Altered[] => {
    const chance = chanceOf(`entry ${seq} ${column}`);
    return [
      [`${column}: a byte`, setEntry(seq, { [column]: withOtherByte(row[column], chance) })],
      [`${column}: another type`, setEntry(seq, { [column]: withOtherType(row[column]) })],
    ];
  });
  return [
    ...cells,
    ['body: a forged text', setEntry(seq, { body: forged })],
    ['body: a forged text with the hash that fits it', setEntry(seq, { body: forged, hash: sha256Hex(forged) })],
    ['body: not canonical, with the hash that fits it', setEntry(seq, { body: spaced, hash: sha256Hex(spaced) })],
    ['body: a null byte after it', setEntry(seq, { body: `${body}\0` })],
    ['hash: in upper case', setEntry(seq, { hash: hash.toUpperCase() })],
    ['signature: the same bytes in other base64', setEntry(seq, { signature: loosely(signature) })],
    ['signature: a line feed after it', setEntry(seq, { signature: `${signature}\n` })],
    ['mission: another stream', setEntry(seq, { mission: row.mission === '@control' ? '@tool:export' : '@control' })],
  ];
}

/** An entry as another key would continue the journal with. */
function continued(rows: readonly EntryRow[], seq: number): Row {
  const last = rows.at(-1)!;
  const { privateKey } = generateKeyPairSync('ed25519');
  const body = forgedBody(last.body)
    .replace(/"previous":"[0-9a-f]{64}"/, `"previous":"${last.hash}"`)
    .replace(/"sequence":\d+/, `"sequence":${seq}`);
  const hash = sha256Hex(body);
  const signature = sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64');
  return { seq, mission: last.mission, body, hash, signature };
}

function added(rows: readonly EntryRow[]): readonly (readonly [name: string, row: Row])[] {
  const copy = (of: EntryRow, seq: number | bigint): Row => {
    const body = forgedBody(of.body);
    return { ...of, seq, body, hash: sha256Hex(body) };
  };
  const newest = rows.at(-1)!;
  const control = rows.find(({ mission }) => mission === '@control')!;
  const rejected = rows.find(({ body }) => body.includes('"type":"mission.rejected"'))!;
  const places = [0, -1, -1_000_000, newest.seq + 1, newest.seq + 2, newest.seq + 5, 1_000, 10 ** 12];
  return [
    ...places.map((seq) => [`one at ${seq}`, continued(rows, seq)] as const),
    ['one at 2^53 + 1', { ...continued(rows, newest.seq + 1), seq: 2n ** 53n + 1n }],
    ['one at the largest number', copy(newest, 2n ** 63n - 1n)],
    ['one at the smallest number', copy(newest, -(2n ** 63n))],
    ['another of the control stream at 0', copy(control, 0)],
    ['another of a mission at -1', copy(rejected, -1)],
    ['one that is no JSON at 0', { ...newest, seq: 0, body: 'junk', hash: sha256Hex('junk') }],
    ['one that is no JSON after the newest', { ...newest, seq: newest.seq + 1, body: 'junk', hash: sha256Hex('junk') }],
  ];
}

export function entryChanges({ db }: Homes): readonly Change[] {
  const chosen = chosenEntries(db);
  const rows = rowsOf<EntryRow>(db, 'events');
  const newest = rows.length;
  const remove =
    (...seqs: readonly number[]) =>
    (db: Db) =>
      seqs.forEach((seq) => removeRow(db, 'events', { seq }));
  const next = chosen.map((row, i) => [row, chosen[(i + 1) % chosen.length]!] as const);
  return [
    ...chosen.flatMap((row) =>
      alterationsOf(row).map(([kind, alter]) => {
        const alters = [`events.${kind.split(':')[0]}`];
        return ofRows({ group: 'entry altered', kind, where: `entry ${row.seq}`, alters }, alter);
      }),
    ),
    ...next.flatMap(([a, b]) =>
      (['body', 'signature'] as const).map((column) =>
        ofRows({ group: 'entry altered', kind: `${column}: exchanged`, where: `entries ${a.seq} and ${b.seq}` }, (db) => {
          setEntry(a.seq, { [column]: b[column] })(db);
          setEntry(b.seq, { [column]: a[column] })(db);
        }),
      ),
    ),
    ...added(rows).map(([kind, row]) => ofRows({ group: 'entry added', kind }, (db) => addRow(db, 'events', row))),
    ...chosen.map(({ seq }) =>
      ofRows({ group: 'entry removed', kind: seq === newest ? 'the newest' : 'one', where: `entry ${seq}` }, remove(seq)),
    ),
    ofRows({ group: 'entry removed', kind: 'several' }, remove(...Array.from({ length: 11 }, (_, i) => 300 + i))),
    ofRows({ group: 'entry removed', kind: 'all' }, (db) => db.exec('DELETE FROM events')),
    ...next.map(([a, b]) =>
      ofRows({ group: 'entry moved', kind: 'exchanged', where: `entries ${a.seq} and ${b.seq}` }, (db) =>
        swapRows(db, 'events', 'seq', [a.seq, b.seq]),
      ),
    ),
    ...[newest + 1, 0, -1, 10 ** 12].flatMap((value) =>
      [1, 330, newest].map((seq) =>
        ofCell(
          { group: 'entry moved', kind: `to ${value}`, where: `entry ${seq}` },
          { table: 'events', key: { seq }, column: 'seq', value },
        ),
      ),
    ),
  ];
}
