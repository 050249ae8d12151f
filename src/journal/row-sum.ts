/**
 * A sum over rows (stream, sequence) that does not depend on their order: it shows whether a table and its index hold the same rows
 * without holding either in memory. The key is drawn for each verification, after the file was written, so nobody can choose rows
 * whose sums are equal: two sets of rows that differ have the same sum with a probability of about 2^-52.
 */
import { randomBytes } from 'node:crypto';

/** More than the length of any stream's name; a longer name uses the same factors again. */
const places = 512;
const lanes = 2;
/** Each lane has a factor for each place of a name, one for its length, and the start of the factors of sequences. */
const lane_values = places + 2;

export const rowSumKey = (): Int32Array => {
  const bytes = randomBytes(lanes * lane_values * Int32Array.BYTES_PER_ELEMENT);
  return Int32Array.from({ length: lanes * lane_values }, (_, i) => bytes.readInt32LE(i * Int32Array.BYTES_PER_ELEMENT));
};

export type Sum = readonly [first: number, second: number];

export const addSums = (sums: readonly Sum[]): Sum =>
  sums.reduce<Sum>(([a, b], [first, second]) => [(a + first) | 0, (b + second) | 0], [0, 0]);
export const areSameSums = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1];

export class RowSum {
  private first = 0;
  private second = 0;

  constructor(private readonly key: Int32Array) {}

  add(stream: string, sequence: number): void {
    const { key } = this;
    const { length } = stream;
    // Multilinear hashing modulo 2^32 (Carter and Wegman): every place has a random factor of its own.
    let one = Math.imul(at(key, places), length);
    let two = Math.imul(at(key, lane_values + places), length);
    for (let i = 0; i < length; i++) {
      const value = stream.charCodeAt(i) + 1;
      const place = i % places;
      one = (one + Math.imul(at(key, place), value)) | 0;
      two = (two + Math.imul(at(key, lane_values + place), value)) | 0;
    }
    this.first = (this.first + Math.imul(one, scatter(sequence, at(key, places + 1)))) | 0;
    this.second = (this.second + Math.imul(two, scatter(sequence, at(key, lane_values + places + 1)))) | 0;
  }

  get value(): Sum {
    return [this.first, this.second];
  }
}

const at = (key: Int32Array, i: number): number => key[i] ?? 0;

/** An odd factor for a sequence: the finalizer of MurmurHash3, in which every bit depends on every other. */
function scatter(sequence: number, start: number): number {
  let x = start ^ sequence ^ Math.imul(Math.floor(sequence / 2 ** 32), 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) | 1;
}
