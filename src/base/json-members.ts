/** Returns the number of members of all objects of a JSON value. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const each of values) if (typeof each === 'object') count += countMembers(each);
  return count;
}
