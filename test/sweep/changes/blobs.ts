/** Changes of values that are stored beside the entries. */
import { sha256Hex } from '../../../src/base/bytes.js';
import type { Db } from '../../../src/store/database.js';
import { addRow, chanceOf, removeRow, rowsOf, setValue, withOtherByte, withOtherType, type Row, type Value } from '../alter.js';
import { ofRows, type Change, type Homes } from '../change.js';
import { missions } from '../mixed-home.js';
import type { ProbeName } from '../probes.js';

interface Blob {
  readonly hash: string;
  readonly salt: Buffer;
  readonly bytes: Buffer;
}

interface Owner {
  readonly seq: number;
  readonly readBy: readonly ProbeName[];
  readonly isErased: boolean;
}

/** Returns the entry that refers to a blob, the commands that read it, and whether the sweep's `erase` erases it. */
function ownerOf(db: Db, hash: string): Owner {
  const entry = db
    .prepare<[string], { seq: number; mission: string; body: string }>(
      'SELECT seq, mission, body FROM events WHERE instr(body, ?) > 0 LIMIT 1',
    )
    .get(hash);
  if (entry === undefined) throw new Error(`no entry refers to blob ${hash}`);
  const name = Object.entries(missions).find(([, id]) => id === entry.mission)?.[0];
  const { seq, mission, body } = entry;
  const isErased = mission === missions.completedResearch;
  if (name !== undefined) return { seq, isErased, readBy: [`show ${name}` as ProbeName] };
  if (!mission.startsWith('@simulation')) return { seq, isErased, readBy: [] };
  // The second run is the one that is large. A list of runs shows their requests, not their results.
  return { seq, isErased, readBy: body.includes('"request_blob"') ? ['runs', 'runs second'] : ['runs second'] };
}

function cutAt(all: Buffer, border: number): Pick<Blob, 'salt' | 'bytes'> {
  return { salt: all.subarray(0, border), bytes: all.subarray(border) };
}

function alterationsOf(
  { hash, salt, bytes }: Blob,
  chance: (below: number) => number,
): readonly (readonly [string, Readonly<Record<string, Value>>])[] {
  const all = Buffer.concat([salt, bytes]);
  const forged = Buffer.from(bytes.toString('utf8').replace('"', ' "'));
  return [
    ['salt: a byte', { salt: withOtherByte(salt, chance) }],
    ['bytes: a byte', { bytes: withOtherByte(bytes, chance) }],
    ['bytes: a forged text', { bytes: forged }],
    ['bytes: a forged text with the hash that fits it', { bytes: forged, hash: sha256Hex(Buffer.concat([salt, forged])) }],
    ['bytes: another type', { bytes: withOtherType(bytes) }],
    ['bytes: null', { bytes: null }],
    ['bytes: empty', { bytes: Buffer.alloc(0) }],
    ['salt: another type', { salt: withOtherType(salt) }],
    ['hash: a byte', { hash: withOtherByte(hash, chance) }],
    ['hash: in upper case', { hash: hash.toUpperCase() }],
    ['hash: another type', { hash: withOtherType(hash) }],
    ...[0, 1, 15, 17, 18, all.length].map(
      (border) => [`border at ${border === all.length ? 'the end' : border}`, cutAt(all, border)] as const,
    ),
  ];
}

export function blobChanges({ db }: Homes): readonly Change[] {
  const rows = rowsOf<Blob>(db, 'blob')
    .map((blob) => ({ blob, ...ownerOf(db, blob.hash) }))
    .toSorted((a, b) => a.seq - b.seq);
  const [one, other] = [rows[0]!, rows[1]!];
  const added: Readonly<Record<string, Row>> = {
    'with a short name': { hash: 'ff', salt: Buffer.alloc(16), bytes: Buffer.of(0) },
    'with the name that fits': { hash: sha256Hex(Buffer.alloc(17)), salt: Buffer.alloc(16), bytes: Buffer.of(0) },
    'with the name of another in upper case': { ...one.blob, hash: one.blob.hash.toUpperCase() },
  };
  return [
    ...rows.flatMap(({ blob, seq, readBy, isErased }) => {
      const named = { where: `of entry ${seq}`, shownBy: readBy, ...(isErased ? ({ removedBy: 'erase' } as const) : {}) };
      const altered = alterationsOf(blob, chanceOf(`blob of ${seq}`)).map(([kind, values]) => {
        const alters = Object.keys(values).map((column) => `blob.${column}`);
        return ofRows({ group: 'blob altered', kind, alters, ...named }, (db) => setBlob(db, blob.hash, values));
      });
      return [
        ...altered,
        ofRows({ group: 'blob removed', kind: 'one', ...named }, (db) => removeRow(db, 'blob', { hash: blob.hash })),
      ];
    }),
    ofRows({ group: 'blob altered', kind: 'exchanged', shownBy: [...one.readBy, ...other.readBy] }, (db) => {
      const { hash, ...content } = one.blob;
      const { hash: otherHash, ...otherContent } = other.blob;
      setBlob(db, hash, otherContent);
      setBlob(db, otherHash, content);
    }),
    ...Object.entries(added).map(([kind, row]) => ofRows({ group: 'blob added', kind }, (db) => addRow(db, 'blob', row))),
  ];
}

/** Sets columns of a blob; its name last. */
function setBlob(db: Db, hash: string, values: Readonly<Record<string, Value>>): void {
  const last = ([column]: readonly [string, Value]): number => Number(column === 'hash');
  for (const [column, value] of Object.entries(values).toSorted((a, b) => last(a) - last(b)))
    setValue(db, 'blob', { hash }, column, value);
}
