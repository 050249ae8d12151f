/** The UTF-16 code units of a text as an array, which is read twice as fast as the text itself. */
import { json_units_kept_max } from './limits.js';

export interface JsonUnits {
  /** The code units, then some that no token contains. */
  readonly units: Uint16Array;
  /** The same memory, two code units at a time. */
  readonly pairs: Int32Array;
}

/** More than any look-ahead. */
const end_units = 16;

const arrayFor = (count: number): JsonUnits => {
  const units = new Uint16Array(2 * Math.ceil(count / 2));
  return { units, pairs: new Int32Array(units.buffer) };
};

/** Kept for the next text: memory that is touched for the first time costs more than the copy. */
let kept = arrayFor(0);

/** Returns the code units of a text. The array may be longer than they are, and the next call may overwrite it. */
export function unitsOf(text: string): JsonUnits {
  const space = spaceFor(text.length + end_units);
  const { units } = space;
  const bytes = Buffer.from(units.buffer, units.byteOffset, 2 * text.length);
  bytes.write(text, 'utf16le');
  if (isBigEndian) bytes.swap16();
  units.fill(0, text.length, text.length + end_units);
  return space;
}

const isBigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

function spaceFor(count: number): JsonUnits {
  if (count > json_units_kept_max) return arrayFor(count);
  if (kept.units.length < count) kept = arrayFor(Math.min(json_units_kept_max, Math.max(2 * count, 4_096)));
  return kept;
}
