/** Escapes in the strings of a JSON text. */

const [backslash, lowerU] = [92, 117];

const hexDigits = new Int8Array(128).fill(-1);
for (const digit of '0123456789abcdefABCDEF') hexDigits[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
/** What a character after a backslash stands for, or 0. */
export const escapes = new Uint8Array(128);
for (const [i, name] of [...'"\\/bfnrt'].entries()) escapes[name.charCodeAt(0)] = '"\\/\b\f\n\r\t'.charCodeAt(i);

const hexDigit = (unit: number | undefined): number => (unit !== undefined && unit < 128 ? (hexDigits[unit] ?? -1) : -1);

export const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;
export const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** Returns whether the code unit after a backslash makes an escape of two. */
export const isShortEscape = (unit = 128): boolean => unit < 128 && escapes[unit] !== 0;

/** Returns the code unit that is at this place of a string, escaped or not; a negative number for a malformed escape. */
export function decodedUnit(units: Uint16Array, i: number): number {
  const unit = units[i] ?? 0;
  if (unit !== backslash) return unit;
  const escape = units[i + 1] ?? 0;
  if (escape !== lowerU) return escape < 128 ? escapes[escape] || -1 : -1;
  return (hexDigit(units[i + 2]) << 12) | (hexDigit(units[i + 3]) << 8) | (hexDigit(units[i + 4]) << 4) | hexDigit(units[i + 5]);
}

/** Returns how many code units of the text stand for the one at this place. */
export function unitLength(units: Uint16Array, i: number): number {
  if (units[i] !== backslash) return 1;
  return units[i + 1] === lowerU ? 6 : 2;
}
