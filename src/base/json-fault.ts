/** The first fault of a JSON text, and where it is. */
import type { JsonUnits } from './json-units.js';

const newline = 10;
const highest_bits = 0x80008000;
const low_bits = 0x7fff7fff;
const two_newlines = 0x000a000a;

/** The first fault of a text. */
export class JsonFault extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
    readonly place: Place,
  ) {
    super(reason);
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns the place of a code unit. Newlines are counted two code units at a time. */
export function placeOf(text: string, { units, pairs }: JsonUnits, offset: number): Place {
  const first = text.indexOf('\n');
  if (first < 0 || first >= offset) return { line: 1, column: offset + 1 };
  let line = 2;
  let i = first + 1;
  if (i % 2 === 1 && i < offset && units[i++] === newline) line++;
  for (; i < offset - 1; i += 2) {
    const two = (pairs[i >> 1] ?? 0) ^ two_newlines;
    // The highest bit of each code unit that is a newline.
    const found = ~(((two & low_bits) + low_bits) | two) & highest_bits;
    line += ((found >>> 15) & 1) + (found >>> 31);
  }
  if (i < offset && units[i] === newline) line++;
  return { line, column: offset - text.lastIndexOf('\n', offset - 1) };
}
