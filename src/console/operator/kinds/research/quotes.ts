/** Quotes in their source texts. */

export interface Quote {
  /** Place in the list of findings, from 1. */
  readonly number: number;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
}

/** The place in a source's text at which a page begins. */
export type PageStart = { readonly at: number; readonly page: number };

interface Piece {
  readonly text: string;
  /** The page that begins with this piece; null within a page, and without pages. */
  readonly page: number | null;
  /** Numbers of the findings that quote this piece. */
  readonly quotes: readonly number[];
}

/** Returns the place of the quote, by code units or by code points; null if neither holds it. */
export function placeOf(text: string, { quote, start, end }: Quote): readonly [number, number] | null {
  if (text.slice(start, end) === quote) return [start, end];
  const points = Array.from(text);
  if (points.slice(start, end).join('') !== quote) return null;
  const from = points.slice(0, start).join('').length;
  return [from, from + quote.length];
}

/** The text in pieces, in order; quotes may overlap. */
export function piecesOf(text: string, quotes: readonly Quote[], pages: readonly PageStart[] = []): Piece[] {
  const places = quotes.flatMap((quote) => {
    const place = placeOf(text, quote);
    return place === null ? [] : [{ number: quote.number, from: place[0], to: place[1] }];
  });
  const starts = new Map(pages.map(({ at, page }) => [at, page]));
  const all = [0, text.length, ...starts.keys(), ...places.flatMap(({ from, to }) => [from, to])];
  const edges = [...new Set(all)].toSorted((a, b) => a - b);
  return edges.slice(1).map((to, i) => {
    const from = edges[i] ?? 0;
    const page = starts.get(from) ?? null;
    return { text: text.slice(from, to), page, quotes: places.filter((p) => p.from <= from && p.to >= to).map((p) => p.number) };
  });
}

/** Returns where pages begin, by the blocks of a source; none for a typed source and a file without pages. */
export function pageStarts(blocks: unknown): PageStart[] {
  if (!Array.isArray(blocks)) return [];
  const starts: PageStart[] = [];
  for (const { start, page } of blocks as readonly { readonly start?: unknown; readonly page?: unknown }[])
    if (typeof start === 'number' && typeof page === 'number' && page !== starts.at(-1)?.page) starts.push({ at: start, page });
  return starts;
}
