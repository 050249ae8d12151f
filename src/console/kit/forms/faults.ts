/** Faults of a request and the fields that they belong to. */

/** Whether a fault's path is the field's or lies within it. */
export const isWithin = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);

/** Of the fields on the page the one that a fault belongs to: the longest path that holds it. */
export function fieldFor(path: string, fields: readonly string[]): string | null {
  const holding = fields.filter((field) => isWithin(path, field)).toSorted((a, b) => b.length - a.length);
  return holding[0] ?? null;
}
