/** Compares untrusted JSON with its expected value. */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the path of the first difference, or null; members beyond the wanted ones count as a difference. */
export function firstDifference(wanted: unknown, given: unknown, path: string): string | null {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given) || given.length !== wanted.length) return `${path}: is not a list of ${wanted.length}`;
    return firstOf(
      wanted.map((_, i) => i),
      (i) => firstDifference(wanted[i], given[i], `${path}[${i}]`),
    );
  }
  if (isRecord(wanted)) {
    if (!isRecord(given)) return `${path}: is not an object`;
    const extra = Object.keys(given).find((key) => !Object.hasOwn(wanted, key));
    if (extra !== undefined) return `${path}: has an unknown member`;
    const missing = Object.keys(wanted).find((key) => !Object.hasOwn(given, key));
    if (missing !== undefined) return `${path}.${missing}: is missing`;
    return firstOf(Object.keys(wanted), (key) => firstDifference(wanted[key], given[key], `${path}.${key}`));
  }
  return wanted === given ? null : `${path}: is not what the parameters give (${String(wanted)})`;
}

function firstOf<K>(keys: readonly K[], check: (key: K) => string | null): string | null {
  for (const key of keys) {
    const found = check(key);
    if (found !== null) return found;
  }
  return null;
}
