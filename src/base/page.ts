/** Pages of lists whose items have places: the cursor of a page is the place of the last item before it. */
import { page_items_default, page_items_max } from './limits.js';
import { invalid, RefusalError } from './refusal.js';

export interface AskedPage {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Page<A> {
  readonly items: readonly A[];
  /** The `cursor` of the next page; null at the end. */
  readonly next_cursor: string | null;
}

/** Returns the place that a cursor names, and the number of items. @throws RefusalError `invalid` */
export function placeOfPage({ cursor, limit = page_items_default }: AskedPage) {
  if (cursor !== undefined && !/^[1-9][0-9]{0,15}$/.test(cursor))
    throw new RefusalError(invalid('cursor', 'is not the next_cursor of a page'));
  if (!Number.isInteger(limit) || limit < 1 || limit > page_items_max)
    throw new RefusalError(invalid('limit', `must be from 1 to ${page_items_max}`));
  return { place: cursor === undefined ? undefined : Number(cursor), limit };
}

/**
 * Returns a page.
 * @example pageOf(query, (before, limit) => listSweeps(db, before, limit), ({ request_seq }) => request_seq)
 * @param list returns at most so many items whose place is below one, the highest place first
 */
export function pageOf<A>(
  asked: AskedPage,
  list: (before: number | undefined, limit: number) => readonly A[],
  placeOf: (item: A) => number,
): Page<A> {
  const { place, limit } = placeOfPage(asked);
  const found = list(place, limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last !== undefined ? String(placeOf(last)) : null };
}
