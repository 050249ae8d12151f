/** Mutations of any bytes: bits flipped, ranges cut, doubled, moved, filled or taken from others. */
import type { Prng } from '../../../src/base/prng.js';

export interface Mutant {
  readonly bytes: Buffer;
  /** What was done, for the message of a failure. */
  readonly what: string;
}

/** Alters bytes by random numbers alone; donors are what is spliced in. */
export type Mutation = (bytes: Buffer, random: Prng, donors: readonly Buffer[]) => Mutant;

export const copyOf = (bytes: Buffer): Buffer => Buffer.from(bytes);
export const pick = <A>(list: readonly A[], random: Prng): A => list[random.below(list.length)]!;
/** A range of the archive, mostly a short one. */
function rangeOf(bytes: Buffer, random: Prng): readonly [from: number, to: number] {
  const from = random.below(bytes.length);
  const length_max = Math.min(bytes.length - from, pick([1, 4, 30, 100, bytes.length], random));
  return [from, from + 1 + random.below(length_max)];
}

const flips: Mutation = (bytes, random) => {
  const out = copyOf(bytes);
  const bits = Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length * 8));
  for (const bit of bits) out[bit >> 3]! ^= 1 << (bit & 7);
  return { bytes: out, what: `bits ${bits.join(' ')} flipped` };
};

const truncation: Mutation = (bytes, random) => {
  const length = random.below(bytes.length);
  return { bytes: copyOf(bytes.subarray(0, length)), what: `cut to ${length} bytes` };
};

const cutting: Mutation = (bytes, random) => {
  const [from, to] = rangeOf(bytes, random);
  return { bytes: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]), what: `without ${from} to ${to}` };
};

const doubling: Mutation = (bytes, random) => {
  const [from, to] = rangeOf(bytes, random);
  const where = pick([to, 0, bytes.length, random.below(bytes.length)], random);
  const pieces = [bytes.subarray(0, where), bytes.subarray(from, to), bytes.subarray(where)];
  return { bytes: Buffer.concat(pieces), what: `${from} to ${to} again at ${where}` };
};

const filling: Mutation = (bytes, random) => {
  const [from, to] = rangeOf(bytes, random);
  const value = pick([0, 0xff, random.below(256)], random);
  return { bytes: copyOf(bytes).fill(value, from, to), what: `${from} to ${to} filled with ${value}` };
};

const splice: Mutation = (bytes, random, donors) => {
  const donor = pick(donors, random);
  const [from, to] = rangeOf(donor, random);
  const at = random.below(bytes.length);
  const kept = pick([at, Math.min(bytes.length, at + to - from)], random);
  const pieces = [bytes.subarray(0, at), donor.subarray(from, to), bytes.subarray(kept)];
  return { bytes: Buffer.concat(pieces), what: `${from} to ${to} of a donor at ${at}, going on at ${kept}` };
};

export const byteMutations: readonly (readonly [name: string, mutation: Mutation])[] = [
  ['flips', flips],
  ['truncation', truncation],
  ['cutting', cutting],
  ['doubling', doubling],
  ['filling', filling],
  ['splice', splice],
];

/** Makes one of the mutations. Empty bytes stay as they are. */
export function mutateBytes(bytes: Buffer, random: Prng, donors: readonly Buffer[] = [bytes]): Mutant {
  if (bytes.length === 0) return { bytes, what: 'nothing' };
  const [name, mutation] = pick(byteMutations, random);
  const mutant = mutation(bytes, random, donors);
  return { ...mutant, what: `${name}: ${mutant.what}` };
}
