/** Finds repeated member names of JSON objects. Names are kept as ranges of the text with a hash, so that no string is made for a name. */

/** How many leading UTF-16 code units of a name its hash covers. */
export const hashed_units_max = 32;
export const hash_seed = 0x2545f491;

/** Adds a code unit to the hash of a name. */
export function mix(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
}

/** In objects of at most this many members, all pairs of hashes are compared. */
const pairs_members_max = 12;
/**
 * Steps in the hash table for each name, on average, before a set of strings takes over, so that names chosen for equal places cost no more.
 */
const steps_per_name_max = 8;

/** The names of the members read so far of all objects that are still open, one object after the other. */
export class MemberNames {
  private readonly hashes: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private table = new Int32Array(0);
  private size = 0;

  constructor(private readonly text: string) {}

  get count(): number {
    return this.size;
  }

  /** Adds a name. @param start where its opening quote is @param end after its closing quote */
  add(hash: number, start: number, end: number): void {
    const i = this.size++;
    this.hashes[i] = hash;
    this.starts[i] = start;
    this.ends[i] = end;
  }

  /** Forgets the names from this index on: their object is closed. */
  cutTo(count: number): void {
    this.size = count;
  }

  start(i: number): number {
    return this.starts[i] ?? 0;
  }

  name(i: number): string {
    return nameIn(this.text, this.start(i), this.ends[i] ?? 0);
  }

  /** Returns the index of the first name of an object that repeats an earlier one, or -1. @param to after its last name */
  firstRepeated(from: number, to: number): number {
    if (to - from > pairs_members_max) return this.firstRepeatedOfMany(from, to);
    const { hashes } = this;
    for (let i = from + 1; i < to; i++) {
      const hash = hashes[i];
      for (let j = from; j < i; j++) if (hashes[j] === hash) return this.firstRepeatedString(from, to);
    }
    return -1;
  }

  private firstRepeatedOfMany(from: number, to: number): number {
    const { hashes } = this;
    const slots = 2 ** Math.ceil(Math.log2(2 * (to - from)));
    if (this.table.length < slots) this.table = new Int32Array(slots);
    else this.table.fill(0, 0, slots);
    const { table } = this;
    let steps = steps_per_name_max * (to - from);
    for (let i = from; i < to; i++) {
      const hash = hashes[i] ?? 0;
      let slot = hash & (slots - 1);
      for (let other = table[slot]; other !== undefined && other !== 0; other = table[slot]) {
        if (hashes[from + other - 1] === hash || --steps === 0) return this.firstRepeatedString(from, to);
        slot = (slot + 1) & (slots - 1);
      }
      table[slot] = i - from + 1;
    }
    return -1;
  }

  /** Compares the names themselves, each read once: some have equal hashes. */
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
