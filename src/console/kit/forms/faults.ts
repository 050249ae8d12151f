/** Faults of a request and the fields that they belong to. */

/** Tells whether a fault's path is the field's path or lies within it. */
export const isWithin = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);

/** Returns the field of the page that a fault belongs to: the one with the longest path that holds it. */
export function fieldFor(path: string, fields: readonly string[]): string | null {
  const holding = fields.filter((field) => isWithin(path, field)).toSorted((a, b) => b.length - a.length);
  return holding[0] ?? null;
}
