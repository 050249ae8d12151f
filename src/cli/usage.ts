/** Words the usage errors of the parser. */

/** Joins names as a sentence does: `a`, `a and b`, `a, b and c`. */
export const joined = (names: readonly string[], word = 'and'): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1) ?? ''}`;

export const missing = (names: readonly string[]): string => `${joined(names)} ${names.length === 1 ? 'is' : 'are'} missing`;
