/** The runs that are chosen to be looked at together. */

export const compare_min = 2;
export const compare_max = 6;

/** With `id` taken out where it stands, put at the end where it does not; a seventh is not taken. */
export function toggled(ids: readonly string[], id: string): readonly string[] {
  if (ids.includes(id)) return ids.filter((each) => each !== id);
  return ids.length >= compare_max ? ids : [...ids, id];
}
