/** Changes of what seals the entries: tiles, checkpoints and cosignatures. */
import { toBase64 } from '../../../src/base/bytes.js';
import { noteText } from '../../../src/journal/cosignature.js';
import type { Db } from '../../../src/store/database.js';
import { cosigner } from '../../support/witness/witness-server.js';
import { addRow, chanceOf, inMemory, removeRow, rowsOf, setValue, withOtherByte, withOtherType, type Value } from '../alter.js';
import { ofCell, ofRows, valueAt, type Change, type Homes } from '../change.js';
import type { GroupName } from '../groups.js';
import type { HomeName } from '../homes.js';

interface Tile {
  readonly level: number;
  readonly n: number;
  readonly hashes: Buffer;
}

export function tileChanges({ db }: Homes): readonly Change[] {
  const tiles = rowsOf<Tile>(db, 'tile');
  const group = 'tile altered';
  /** A number at which the level has no tile, and is far from having one. */
  const beyond = (level: number): number => Math.max(7, tiles.filter((tile) => tile.level === level).length + 5);
  const each = tiles.flatMap(({ level, n, hashes }) => {
    const key = { level, n };
    const where = `tile ${level}/${n}`;
    const chance = chanceOf(where);
    const altered = (kind: string, value: Value): Change =>
      ofCell({ group, kind: `hashes: ${kind}`, where }, { table: 'tile', key, column: 'hashes', value });
    const moved = (column: string, value: Value): Change =>
      ofCell({ group, kind: `${column}: ${String(value)}`, where }, { table: 'tile', key, column, value });
    return [
      ...[1, 2, 3].map((i) => altered(`byte ${i}`, withOtherByte(hashes, chance))),
      altered('another type', withOtherType(hashes)),
      altered('shorter', hashes.subarray(0, -32)),
      altered('shorter by a byte', hashes.subarray(0, -1)),
      altered('longer', Buffer.concat([hashes, hashes.subarray(0, 32)])),
      altered('empty', Buffer.alloc(0)),
      altered('those of another', tiles.find((tile) => tile.level !== level || tile.n !== n)!.hashes),
      ...[-1, 2, 5, 10 ** 9, `${level} or so`].map((to) => moved('level', to)),
      ...[-1, beyond(level), 10 ** 12].map((to) => moved('n', to)),
      ofRows({ group, kind: 'removed', where }, (db) => removeRow(db, 'tile', key)),
    ];
  });
  const complete = tiles.filter(({ level }) => level === 0).length;
  const places = [`0/${complete}`, `0/${beyond(0)}`, '0/-1', '-1/0', '1/1', '2/0', '63/0', '1000000000/0'];
  return [
    ...each,
    ofRows({ group, kind: 'exchanged' }, (db) => {
      for (const [from, to] of [
        [0, -9],
        [1, 0],
        [-9, 1],
      ] as const)
        setValue(db, 'tile', { level: 0, n: from }, 'n', to);
    }),
    ofRows({ group, kind: 'all removed' }, (db) => db.exec('DELETE FROM tile')),
    ...places.map((where) => {
      const [level = 0, n = 0] = where.split('/').map(Number);
      return ofRows({ group, kind: 'added', where }, (db) => addRow(db, 'tile', { level, n, hashes: tiles[0]!.hashes }));
    }),
  ];
}

interface Cosigned {
  readonly size: number;
  readonly witness: string;
  readonly line: string;
  readonly at: string;
}

const noteAt = (db: Db, size: number): string => String(valueAt(db, 'SELECT note FROM checkpoint WHERE size = ?', size));

/** Returns the newest checkpoint of another home of this key. */
const newestOf = ({ at }: Homes, name: HomeName): { readonly size: number; readonly note: string } =>
  inMemory(at(name).journal, (db) => {
    const size = Number(valueAt(db, 'SELECT max(size) FROM checkpoint'));
    return { size, note: noteAt(db, size) };
  });

/** Alters a note's lines and keeps what it signs. */
function alterationsOf(
  note: string,
  size: number,
  chance: (below: number) => number,
): readonly (readonly [string, string | Buffer | null])[] {
  const text = noteText(note) ?? '';
  const line = note.slice(text.length + 1);
  const [origin = '', , root = ''] = text.split('\n');
  return [
    ...[1, 2, 3].map((i) => [`byte ${i}`, String(withOtherByte(note, chance))] as const),
    ['a byte of the text', note.replace(root, String(withOtherByte(root, chance)))],
    ['a byte of the signature', text + '\n' + String(withOtherByte(line, (below) => (below > 90 ? 80 : chance(below))))],
    ['another size', note.replace(`\n${size}\n`, `\n${size - 1}\n`)],
    ['another origin', note.replaceAll(origin, `${origin}0`)],
    ['without a signature', `${text}\n`],
    ['no line feed at its end', note.slice(0, -1)],
    ['a line feed at its end', `${note}\n`],
    ['another type', Buffer.from(note)],
    ['null', null],
    ['empty', ''],
  ];
}

/** Lines that the specification lets readers ignore, or read twice. */
function lengthened(note: string): readonly (readonly [string, string])[] {
  const text = noteText(note) ?? '';
  const [line = ''] = note.slice(text.length + 1).split('\n');
  const { line: unknown } = cosigner('elsewhere.example/w9');
  return [
    ['a line of an unknown witness', note + unknown(text, 1_795_000_000n)],
    ['a line of an unknown key', `${note}— somebody ${toBase64(Buffer.alloc(68, 7))}\n`],
    ['its own line again', `${note}${line}\n`],
  ];
}

export function checkpointChanges(homes: Homes): readonly Change[] {
  const { db } = homes;
  const newest = Number(valueAt(db, 'SELECT max(size) FROM checkpoint'));
  const cosigned = db.prepare<[], number>('SELECT DISTINCT size FROM cosignature ORDER BY size').pluck().all();
  // Under the origin that the log has left, and an earlier one of this journal.
  const [foreign, earlier] = [newestOf(homes, 'lost'), newestOf(homes, 'earlier')];
  const each = [newest, ...cosigned].flatMap((size) => {
    const group = size === newest ? 'newest checkpoint' : 'checkpoint altered';
    const [key, note, chance, where] = [{ size }, noteAt(db, size), chanceOf(`checkpoint ${size}`), `size ${size}`];
    const altered = (group: GroupName, kind: string, value: Value): Change =>
      ofCell({ group, kind, where }, { table: 'checkpoint', key, column: 'note', value });
    const moved = (value: number): Change => {
      const isBeyond = value > newest;
      const named = { group: isBeyond ? ('newest checkpoint' as const) : group, kind: `moved to ${value}`, where } as const;
      return ofCell(named, { table: 'checkpoint', key, column: 'size', value });
    };
    return [
      ...alterationsOf(note, size, chance).map(([kind, value]) => altered(group, kind, value)),
      altered(group, 'that of another origin', foreign.note),
      altered(group, 'that of another size', noteAt(db, size === newest ? cosigned[0]! : newest)),
      ofRows({ group, kind: 'removed', where }, (db) => removeRow(db, 'checkpoint', key)),
      ...[0, -1, newest + 1, newest + 9, 10 ** 12].map(moved),
      ...lengthened(note).map(([kind, value]) => altered('note lengthened', kind, value)),
    ];
  });
  const add = (group: GroupName, kind: string, size: number | bigint, note: string): Change =>
    ofRows({ group, kind, where: `at ${size}` }, (db) => addRow(db, 'checkpoint', { size, note }));
  const own = noteAt(db, newest);
  return [
    ...each,
    ofRows({ group: 'newest checkpoint', kind: 'all removed' }, (db) => db.exec('DELETE FROM checkpoint')),
    ...[newest + 1, newest + 100, 10 ** 12, 2n ** 63n - 1n].map((size) => add('newest checkpoint', 'added beyond', size, own)),
    add('checkpoint added', 'of the origin that was left', foreign.size, foreign.note),
    add('checkpoint added', 'an earlier one of this journal', earlier.size, earlier.note),
    ...[0, -1, -(10 ** 12)].map((size) => add('checkpoint added', 'below 1', size, own)),
    ...[3, 257].map((size) => add('checkpoint added', 'a copy of the newest', size, own)),
    add('checkpoint added', 'junk', 4, 'junk'),
  ];
}

export function cosignatureChanges({ db }: Homes): readonly Change[] {
  const rows = rowsOf<Cosigned>(db, 'cosignature');
  const newest = Number(valueAt(db, 'SELECT max(size) FROM checkpoint'));
  const unknown = cosigner('elsewhere.example/w9');
  const unknownLine = (size: number): string => unknown.line(noteText(noteAt(db, size)) ?? '', 1_795_000_000n).trimEnd();
  const each = rows.flatMap(({ size, witness, line, at }, i) => {
    const [key, where, chance] = [{ size, witness }, `size ${size}`, chanceOf(`cosignature ${size}`)];
    const altered = (column: string, kind: string, value: Value, group: GroupName = 'cosignature altered'): Change =>
      ofCell({ group, kind: `${column}: ${kind}`, where }, { table: 'cosignature', key, column, value });
    return [
      altered('line', 'a byte', withOtherByte(line, chance)),
      altered('line', 'another type', withOtherType(line)),
      altered('line', 'null', null),
      altered('line', 'a line feed after it', `${line}\n`),
      altered('line', 'of an unknown witness', unknownLine(size)),
      altered('line', 'of another size', rows[(i + 1) % rows.length]!.line),
      altered('witness', 'a byte', withOtherByte(witness, chance)),
      altered('witness', 'another type', withOtherType(witness)),
      ...[0, -1, newest, newest + 1, 10 ** 12].map((to) => altered('size', `moved to ${to}`, to)),
      altered('at', 'an hour later', at.replace('T05', 'T06'), 'cosignature time'),
      altered('at', 'empty', '', 'cosignature time'),
      ofRows({ group: 'cosignature removed', kind: 'one', where }, (db) => removeRow(db, 'cosignature', key)),
      ofRows({ group: 'cosigned pair removed', kind: 'one', where }, (db) => {
        removeRow(db, 'cosignature', key);
        removeRow(db, 'checkpoint', { size });
      }),
    ];
  });
  const added: Readonly<Record<string, Partial<Cosigned>>> = {
    'of an unknown witness': { witness: 'elsewhere.example/w9' },
    'of the newest checkpoint': { size: newest },
    'of an unknown witness, of the newest checkpoint': {
      size: newest,
      witness: 'elsewhere.example/w9',
      line: unknownLine(newest),
    },
    'below 1': { size: -1 },
    'beyond the newest entry': { size: 10 ** 12 },
  };
  const named = (kind: string): { readonly group: GroupName; readonly kind: string } => ({ group: 'cosignature altered', kind });
  return [
    ...each,
    ...Object.entries(added).map(([kind, values]) =>
      ofRows(named(`added ${kind}`), (db) => addRow(db, 'cosignature', { ...rows[0]!, ...values })),
    ),
  ];
}
