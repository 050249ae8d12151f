/** The UTF-16 code units of a text as an array, which is read twice as fast as the text itself. */
import { json_units_kept_max } from './limits.js';

/** Kept for the next text: memory that is touched for the first time costs more than the copy. */
let kept = new Uint16Array(0);

/** Returns the code units of a text with a zero after the last. The array may be longer, and the next call may overwrite it. */
export function unitsOf(text: string): Uint16Array {
  const units = spaceFor(text.length + 1);
  const bytes = Buffer.from(units.buffer, units.byteOffset, 2 * text.length);
  bytes.write(text, 'utf16le');
  if (isBigEndian) bytes.swap16();
  units[text.length] = 0;
  return units;
}

/** Returns the text of the first code units. */
export function textOfUnits(units: Uint16Array, count: number): string {
  const bytes = Buffer.from(units.buffer, units.byteOffset, 2 * count);
  return (isBigEndian ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
}

const isBigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

function spaceFor(count: number): Uint16Array {
  if (count > json_units_kept_max) return new Uint16Array(count);
  if (kept.length < count) kept = new Uint16Array(Math.min(json_units_kept_max, Math.max(2 * count, 4_096)));
  return kept;
}
