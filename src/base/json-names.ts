/**
 * Finds repeated member names of JSON objects. Names are kept as ranges of the text, and compared by their hashes, so that no string is made
 * for a name. The names of an object are hashed when it is closed, by a few of their code units at first.
 */
import { randomBytes } from 'node:crypto';
import { decodedUnit, unitLength } from './json-escapes.js';

/** Random, so that nobody can choose names with equal hashes. */
const hash_seed = randomBytes(4).readInt32LE();
/** How many code units at the beginning and at the end of a name its first hash covers. */
export const hashed_units_max = 4;
/** A name that is not longer is hashed as a whole at once. */
const whole_units_max = 32;

const backslash = 92;
/** In objects of at most this many members, all pairs of hashes are compared. */
const pairs_members_max = 12;
/** Steps in the hash table for each name, on average, before another hash, or a set of strings, takes over. */
const steps_per_name_max = 8;

/** Adds 32 bits to the hash of a name. */
function mix(hash: number, bits: number): number {
  const mixed = Math.imul(hash ^ bits, 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
}

/** Returns the hash of a name whose code units are in this range; `isWhole` if it covers all of them. */
export function hashOfUnits(units: Uint16Array, start: number, end: number, isWhole: boolean): number {
  if (isWhole || end - start <= whole_units_max) return hashOfRange(hash_seed ^ (end - start), units, start, end);
  const hash = hashOfRange(hash_seed ^ (end - start), units, start, start + hashed_units_max);
  return hashOfRange(hash, units, end - hashed_units_max, end);
}

/** Adds the code units to the hash, four at a time: two at a time to each of two hashes, which a processor computes side by side. */
function hashOfRange(seed: number, units: Uint16Array, start: number, end: number): number {
  let [hash, other] = [seed, ~seed];
  let i = start;
  for (; i < end - 3; i += 4) {
    hash = mix(hash, (units[i] ?? 0) | ((units[i + 1] ?? 0) << 16));
    other = mix(other, (units[i + 2] ?? 0) | ((units[i + 3] ?? 0) << 16));
  }
  for (; i < end; i++) hash = mix(hash, units[i] ?? 0);
  return mix(hash, other);
}

/** The names of the members read so far of all objects that are still open, one object after the other. */
export class MemberNames {
  private readonly starts: number[] = [];
  /** Negative for a name with escapes. */
  private readonly ends: number[] = [];
  /** The hashes of one object's names. */
  private hashes = new Int32Array(pairs_members_max);
  private table = new Int32Array(0);
  /** The code units of a name with escapes. */
  private decoded = new Uint16Array(64);
  private size = 0;

  constructor(
    private readonly text: string,
    private readonly units: Uint16Array,
  ) {}

  get count(): number {
    return this.size;
  }

  /** Adds a name. @param start where its opening quote is @param end after its closing quote */
  add(start: number, end: number, isEscaped: boolean): void {
    const i = this.size++;
    this.starts[i] = start;
    this.ends[i] = isEscaped ? -end : end;
  }

  /** Forgets the names from this index on: their object is closed. */
  cutTo(count: number): void {
    this.size = count;
  }

  start(i: number): number {
    return this.starts[i] ?? 0;
  }

  name(i: number): string {
    return nameIn(this.text, this.start(i), Math.abs(this.ends[i] ?? 0));
  }

  /** Returns whether the names of an object are distinct by their first hashes. @param to after its last name */
  mayBeDistinct(from: number, to: number): boolean {
    return to - from < 2 || this.areDistinct(from, to, false);
  }

  /** Returns the index of the first name of an object that repeats an earlier one, or -1. @param to after its last name */
  firstRepeated(from: number, to: number): number {
    if (this.mayBeDistinct(from, to)) return -1;
    return this.areLong(from, to) && this.areDistinct(from, to, true) ? -1 : this.firstRepeatedString(from, to);
  }

  /** Returns whether some names are long enough to have another hash as a whole. */
  private areLong(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (Math.abs(this.ends[i] ?? 0) - this.start(i) > whole_units_max) return true;
    return false;
  }

  /** Returns whether the names are distinct by their hashes; false if that cannot be told. */
  private areDistinct(from: number, to: number, isWhole: boolean): boolean {
    const count = to - from;
    if (this.hashes.length < count) this.hashes = new Int32Array(2 * count);
    const { hashes } = this;
    for (let i = 0; i < count; i++) hashes[i] = this.hash(from + i, isWhole);
    if (count > pairs_members_max) return this.areDistinctOfMany(count);
    for (let i = 1; i < count; i++) {
      const hash = hashes[i];
      for (let j = 0; j < i; j++) if (hashes[j] === hash) return false;
    }
    return true;
  }

  private areDistinctOfMany(count: number): boolean {
    const { hashes } = this;
    const slots = 2 ** (32 - Math.clz32(2 * count - 1));
    if (this.table.length < slots) this.table = new Int32Array(slots);
    else this.table.fill(0, 0, slots);
    const { table } = this;
    let steps = steps_per_name_max * count;
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] ?? 0;
      let slot = hash & (slots - 1);
      for (let other = table[slot]; other !== undefined && other !== 0; other = table[slot]) {
        if (hashes[other - 1] === hash || --steps === 0) return false;
        slot = (slot + 1) & (slots - 1);
      }
      table[slot] = i + 1;
    }
    return true;
  }

  private hash(i: number, isWhole: boolean): number {
    const start = this.start(i) + 1;
    const end = this.ends[i] ?? 0;
    if (end >= 0) return hashOfUnits(this.units, start, end - 1, isWhole);
    return hashOfUnits(this.decoded, 0, this.decode(start, -end - 1), isWhole);
  }

  /** Decodes a name with escapes; returns the number of its code units. */
  private decode(start: number, end: number): number {
    if (this.decoded.length < end - start) this.decoded = new Uint16Array(2 * (end - start));
    const { units, decoded } = this;
    let count = 0;
    for (let i = start; i < end; ) {
      const unit = units[i] ?? 0;
      decoded[count++] = unit === backslash ? decodedUnit(units, i) : unit;
      i += unit === backslash ? unitLength(units, i) : 1;
    }
    return count;
  }

  /** Compares the names themselves, each read once. */
  private firstRepeatedString(from: number, to: number): number {
    const seen = new Set<string>();
    for (let i = from; i < to; i++) if (seen.size === seen.add(this.name(i)).size) return i;
    return -1;
  }
}

/** Returns the string whose quotes are at `start` and before `end`. */
export function nameIn(text: string, start: number, end: number): string {
  const token = text.slice(start, end);
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}
