/** Quotes in their source texts. */

export interface Quote {
  /** Place in the list of findings, from 1. */
  readonly number: number;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
}

interface Piece {
  readonly text: string;
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
export function piecesOf(text: string, quotes: readonly Quote[]): Piece[] {
  const places = quotes.flatMap((quote) => {
    const place = placeOf(text, quote);
    return place === null ? [] : [{ number: quote.number, from: place[0], to: place[1] }];
  });
  const edges = [...new Set([0, text.length, ...places.flatMap(({ from, to }) => [from, to])])].toSorted((a, b) => a - b);
  return edges.slice(1).map((to, i) => {
    const from = edges[i] ?? 0;
    return { text: text.slice(from, to), quotes: places.filter((p) => p.from <= from && p.to >= to).map((p) => p.number) };
  });
}
