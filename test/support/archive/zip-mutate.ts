/**
 * Mutants of a well-formed archive, each a function of (archive, seed, index): bits flipped, ranges cut, doubled, moved, zeroed or
 * taken from another archive, fields of headers set to telling values, headers doubled and in another order.
 */
import { prng, type Prng } from '../../../src/base/prng.js';
import { byteMutations, copyOf, pick, type Mutant, type Mutation } from './byte-mutations.js';

interface Field {
  readonly at: number;
  readonly length: 1 | 2 | 4;
  /** The record and the field, as in `central size`. */
  readonly name: string;
  /** Its place in the central directory, or -1 for the end record. */
  readonly member: number;
}

/** Offsets and lengths of the fields of each record (APPNOTE.TXT 6.3, section 4.3). */
const common: readonly (readonly [offset: number, length: 2 | 4, name: string])[] = [
  [0, 2, 'version needed'],
  [2, 2, 'flags'],
  [4, 2, 'method'],
  [6, 2, 'time'],
  [8, 2, 'date'],
  [10, 4, 'crc'],
  [14, 4, 'packed size'],
  [18, 4, 'size'],
  [22, 2, 'name length'],
  [24, 2, 'extra length'],
];
const own: readonly (readonly [offset: number, length: 2 | 4, name: string])[] = [
  [4, 2, 'made by'],
  [32, 2, 'comment length'],
  [34, 2, 'disk'],
  [36, 2, 'internal'],
  [38, 4, 'external'],
  [42, 4, 'local offset'],
];
const end: readonly (readonly [offset: number, length: 2 | 4, name: string])[] = [
  [4, 2, 'disk'],
  [6, 2, 'directory disk'],
  [8, 2, 'entries here'],
  [10, 2, 'entries'],
  [12, 4, 'directory size'],
  [16, 4, 'directory offset'],
  [20, 2, 'comment length'],
];

export interface ZipParts {
  readonly fields: readonly Field[];
  /** Where each central header begins, and behind them the end record. */
  readonly centrals: readonly number[];
  readonly locals: readonly number[];
  readonly end_at: number;
}

/** The records of a well-formed archive without a comment. */
export function partsOfZip(bytes: Buffer): ZipParts {
  const end_at = bytes.length - 22;
  const fields: Field[] = [];
  const centrals: number[] = [];
  const locals: number[] = [];
  const add = (list: typeof common, base: number, record: string, member: number): void => {
    for (const [offset, length, name] of list) fields.push({ at: base + offset, length, name: `${record} ${name}`, member });
  };
  let at = bytes.readUInt32LE(end_at + 16);
  while (at < end_at) {
    const local = bytes.readUInt32LE(at + 42);
    const member = centrals.length;
    centrals.push(at);
    locals.push(local);
    add(common, at + 6, 'central', member);
    add(own, at, 'central', member);
    add(common, local + 4, 'local', member);
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  add(end, end_at, 'end', -1);
  return { fields, centrals, locals, end_at };
}

function telling(before: number, length: number, size: number, random: Prng): number {
  const max = length === 2 ? 0xffff : 0xffffffff;
  const near = [before + 1, before - 1, before * 2, before + 16, before ^ (1 << random.below(length * 8))];
  const value = pick([0, 1, 8, 9, 22, 46, size, size - 22, max, max - 1, (max + 1) / 2, random.uint32(), ...near], random);
  return (value >>> 0) % (max + 1);
}

const setField = (bytes: Buffer, { at, length }: Field, value: number): unknown =>
  length === 2 ? bytes.writeUInt16LE(value, at) : bytes.writeUInt32LE(value, at);
const getField = (bytes: Buffer, { at, length }: Field): number =>
  length === 2 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at);

/** One to three fields, or pairs; every third time the field of that name in all headers, or in both headers of one member. */
const edits: Mutation = (bytes, random) => {
  const out = copyOf(bytes);
  const { fields } = partsOfZip(bytes);
  const done: string[] = [];
  for (let n = 1 + random.below(3); n > 0; n--) {
    const field = pick(fields, random);
    const value = telling(getField(bytes, field), field.length, bytes.length, random);
    const suffix = field.name.replace(/^\w+/, '');
    const named = fields.filter(({ name, length }) => name.replace(/^\w+/, '') === suffix && length === field.length);
    const alike = pick([[field], named, named.filter(({ member }) => member === field.member)], random);
    for (const each of alike) setField(out, each, value);
    done.push(`${field.name} at ${alike.map(({ at }) => at).join(' ')} = ${value}`);
  }
  return { bytes: out, what: done.join(', ') };
};

/** Central headers in another order, one of them twice or missing; the end record counts them, or not. */
const reordering: Mutation = (bytes, random) => {
  const { centrals, end_at } = partsOfZip(bytes);
  const headers = centrals.map((at, n) => bytes.subarray(at, centrals[n + 1] ?? end_at));
  const order = Array.from({ length: headers.length + random.below(3) - 1 }, () => random.below(headers.length));
  if (random.below(2) === 0) order.splice(0, order.length, ...[...headers.keys()].reverse());
  const directory = Buffer.concat(order.map((n) => headers[n]!));
  const tail = copyOf(bytes.subarray(end_at));
  const counted = random.below(4) > 0;
  if (counted) {
    tail.writeUInt16LE(order.length, 8);
    tail.writeUInt16LE(order.length, 10);
    tail.writeUInt32LE(directory.length, 12);
  }
  const what = `central headers ${order.join(' ')}${counted ? '' : ', not counted'}`;
  return { bytes: Buffer.concat([bytes.subarray(0, centrals[0] ?? end_at), directory, tail]), what };
};

const mutations: readonly (readonly [name: string, mutation: Mutation])[] = [
  ...byteMutations,
  ['edits', edits],
  ['edits', edits],
  ['edits', edits],
  ['reordering', reordering],
];

/** The mutant of that index. Donors are what is spliced in, the archive itself unless others are given. */
export function mutateZip(bytes: Buffer, seed: number, index: number, donors: readonly Buffer[] = [bytes]): Mutant {
  const random = prng(seed, index);
  const [name, mutation] = pick(mutations, random);
  const once = mutation(bytes, random, donors);
  return { bytes: once.bytes, what: `seed ${seed}, mutant ${index}, ${name}: ${once.what}` };
}
