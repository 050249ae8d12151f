/**
 * A set of integers below a bound that finds each member's neighbours: a tree of 32-bit words, five bits of the number per level.
 */

export interface OrderedSet {
  /** Level 0 has a bit for each number, the next one a bit for each word of the level below that is not 0. */
  readonly levels: readonly Int32Array[];
}

/** Returns an empty set for numbers in 0 … bound − 1. */
export function newOrderedSet(bound: number): OrderedSet {
  const levels: Int32Array[] = [];
  let bits = bound;
  do {
    bits = Math.ceil(bits / 32);
    levels.push(new Int32Array(bits));
  } while (bits > 1);
  return { levels };
}

export function insert({ levels }: OrderedSet, entry: number): void {
  let bit = entry;
  for (const words of levels) {
    words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31));
    bit >>>= 5;
  }
}

export function remove({ levels }: OrderedSet, entry: number): void {
  let bit = entry;
  for (const words of levels) {
    const rest = (words[bit >>> 5] as number) & ~(1 << (bit & 31));
    words[bit >>> 5] = rest;
    if (rest !== 0) return;
    bit >>>= 5;
  }
}

/** Returns the largest member below `entry`, or −1. */
export function before({ levels }: OrderedSet, entry: number): number {
  let bit = entry;
  for (const [height, words] of levels.entries()) {
    const rest = (words[bit >>> 5] as number) & ((1 << (bit & 31)) - 1);
    if (rest !== 0) return descend(levels, height, (bit & ~31) | (31 - Math.clz32(rest)), true);
    bit >>>= 5;
  }
  return -1;
}

/** Returns the smallest member above `entry`, or −1. */
export function after({ levels }: OrderedSet, entry: number): number {
  let bit = entry;
  for (const [height, words] of levels.entries()) {
    const rest = (words[bit >>> 5] as number) & (-2 << (bit & 31));
    if (rest !== 0) return descend(levels, height, (bit & ~31) | lowestBit(rest), false);
    bit >>>= 5;
  }
  return -1;
}

const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

/** Descends from a word of level `height − 1`, whose number is `bit`, to its last or first member. */
function descend(levels: readonly Int32Array[], height: number, bit: number, isLast: boolean): number {
  let entry = bit;
  for (let level = height - 1; level >= 0; level--) {
    const word = (levels[level] as Int32Array)[entry] as number;
    entry = entry * 32 + (isLast ? 31 - Math.clz32(word) : lowestBit(word));
  }
  return entry;
}
