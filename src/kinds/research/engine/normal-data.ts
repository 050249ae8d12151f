/** The frozen tables of normalisation, decoded when a text first needs them. */
import { class_runs, composed_pairs, decomposed_only } from '../../../engines/text/normal-tables.js';

export interface Tables {
  readonly classes: ReadonlyMap<number, number>;
  /** The composite of a first and a second character, by second · 2^21 + first. */
  readonly composites: ReadonlyMap<number, number>;
  readonly decompositions: ReadonlyMap<number, readonly number[]>;
  /** The bits of each character in the planes that have tables. */
  readonly bits: Uint8Array;
}

/** Bit of a character that continues a segment, and of one that may change or compose with one before it. */
export const continues = 1;
export const changes = 2;

const table_end = 0x30000;
export const pair_base = 0x200000;
export const syllables = 0xac00;
export const leads = 0x1100;
export const vowels = 0x1161;
export const trails = 0x11a7;
export const vowel_count = 21;
export const trail_count = 28;
export const syllable_count = 19 * vowel_count * trail_count;

const numbers = (token: string): number[] => token.split('.').map((digits) => Number.parseInt(digits, 36));

function decode(): Tables {
  const classes = new Map<number, number>();
  const composites = new Map<number, number>();
  const decompositions = new Map<number, readonly number[]>();
  const bits = new Uint8Array(table_end);
  let at = 0;
  for (const token of class_runs.join(' ').split(' ')) {
    const [gap = 0, length = 0, combining = 0] = numbers(token);
    at += gap;
    for (const end = at + length; at < end; at++) classes.set(at, combining);
  }
  for (const point of classes.keys()) bits[point] = continues;
  bits.fill(continues | changes, vowels, vowels + vowel_count);
  bits.fill(continues | changes, trails + 1, trails + trail_count);
  let [second, first, composite] = [0, 0, 0];
  for (const token of composed_pairs.join(' ').split(' ')) {
    const colon = token.indexOf(':');
    if (colon >= 0) {
      second += Number.parseInt(token.slice(0, colon), 36);
      [first, composite] = [0, 0];
      bits[second] = continues | changes;
    }
    const [toFirst = 0, toComposite = 0] = numbers(token.slice(colon + 1));
    first += toFirst;
    composite += toComposite;
    composites.set(second * pair_base + first, composite);
    decompositions.set(composite, [first, second]);
  }
  let [point, lead] = [0, 0];
  for (const token of decomposed_only.join(' ').split(' ')) {
    const [gap = 0, toLead = 0, ...others] = numbers(token);
    point += gap;
    lead += toLead;
    decompositions.set(point, [lead, ...others.map((other) => lead + other)]);
    bits[point] = changes;
  }
  for (const [whole, [base = 0]] of decompositions) if (((bits[base] ?? 0) & continues) !== 0) bits[whole] = continues | changes;
  return { classes, composites, decompositions, bits };
}

let decoded: Tables | null = null;
export const tables = (): Tables => (decoded ??= decode());
