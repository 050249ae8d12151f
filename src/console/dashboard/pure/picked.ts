/** The runs that are chosen to be looked at together. */

export const compare_min = 2;
export const compare_max = 6;

/** Returns the ids without `id` if it is among them, else with it at the end; a seventh is not added. */
export function toggled(ids: readonly string[], id: string): readonly string[] {
  if (ids.includes(id)) return ids.filter((each) => each !== id);
  return ids.length >= compare_max ? ids : [...ids, id];
}
