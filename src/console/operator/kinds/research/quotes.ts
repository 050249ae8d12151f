/** Quotes in their source texts, and words of a goal in a quote. */

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

const word = /[\p{L}\p{M}\p{N}]+(?:['’.,][\p{L}\p{N}]+)*/gu;
const ending = /^(?:[bdfgmnprt]?(?:ing|ed|ingly|edly)|e|es|ely|s|y|ys|ies|ied|ly)$/;

/** Index terms are stems: `citi` is found in `city` and `cities`, `plan` in `planned`. */
function isForm(form: string, term: string): boolean {
  if (form === term) return true;
  const base = term.endsWith('i') ? term.slice(0, -1) : term;
  return term.length >= 3 && form.startsWith(base) && ending.test(form.slice(base.length));
}

/** The first word of `text` for each term; the term itself where there is none. */
export function wordsFor(terms: readonly string[], text: string): string[] {
  const words = [...text.matchAll(word)].map(([found]) => found);
  return terms.map((term) => words.find((each) => isForm(each.toLowerCase(), term)) ?? term);
}

/** The text in pieces; one that is a form of one of the terms is marked. */
export function marked(text: string, terms: readonly string[]): { readonly text: string; readonly hit: boolean }[] {
  const pieces: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const found of text.matchAll(word)) {
    const form = found[0].toLowerCase().replaceAll('’', "'").replace(/'s$/, '');
    if (!terms.some((term) => isForm(form, term))) continue;
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), hit: false });
    pieces.push({ text: found[0], hit: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}
