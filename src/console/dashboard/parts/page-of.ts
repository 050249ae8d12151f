/** The pages of a long table. */

export interface Page<A> {
  readonly items: readonly A[];
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  /** Place of the first item in the whole, from 0. */
  readonly from: number;
}

/** One page of a list; a page beyond the end is the last one. */
export function pageOf<A>(all: readonly A[], wanted: number, size: number): Page<A> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(0, wanted), pages - 1);
  return { items: all.slice(page * size, (page + 1) * size), page, pages, from: page * size };
}
