/**
 * The parts of a typed source, as pieces that can be quoted: its sentences, and tables of lines between bars (Markdown), whole where they are
 * short, else row by row with their header. A bare heading is no finding; its words belong to the paragraph below it.
 */
import { sentence_chars_max } from '../constants.js';
import type { Piece, Pieces } from './blocks.js';
import { isWord, scriptOf, singleSpaced, fold } from './characters.js';
import { normalise, originalRange } from './normal.js';
import { cutToLength, type Range, sentences } from './split.js';

type Part = Range & Pick<Piece, 'head'> & { readonly opens?: true; readonly isQuotable?: false };

const table = /(?:^[ \t]*\|[^\n]*\|[ \t\r]*(?:\n|$)){2,}/gm;
const rule = /^[|:\-\s]+$/;

export function plainPieces(original: string): Pieces {
  const normal = normalise(original);
  const { text } = normal;
  const parts: Part[] = [];
  let at = 0;
  for (const { index, 0: lines } of text.matchAll(table)) {
    parts.push(...within(text, at, index), ...tableParts(text, index, index + lines.length));
    at = index + lines.length;
  }
  parts.push(...within(text, at, text.length));
  const firsts = parts.map(({ start, opens }, i) => opens === true || i === 0 || isBlank(text, parts[i - 1]?.end ?? 0, start));
  const leads = parts.map((part, i) => firsts[i] === true && firsts[i + 1] === true && isHeading(text, part, parts[i + 1]));
  const placed = (range: Range): Range => originalRange(normal, range);
  return {
    text,
    pieces: parts.map(({ start, end, head, isQuotable = true }, i): Piece => {
      const opens = firsts[i] === true && leads[i - 1] !== true;
      const place = placed({ start, end });
      const row = head === undefined ? {} : { head: { normal: head.normal, ...placed(head.normal) } };
      return { normal: { start, end }, ...place, opens, isQuotable: isQuotable && leads[i] !== true, ...row };
    }),
  };
}

const within = (text: string, from: number, to: number): Part[] =>
  sentences(text.slice(from, to)).map(({ start, end }) => ({ start: from + start, end: from + end }));

/** Returns a table whole if it is short, else its rows; a row that is too long is cut. */
function tableParts(text: string, from: number, to: number): Part[] {
  if (text.slice(from, to).trim().length <= sentence_chars_max) return cutToLength(text, { start: from, end: to });
  const rows: Range[] = [];
  for (const { index, 0: line } of text.slice(from, to).matchAll(/[^\n]+/g))
    rows.push({ start: from + index, end: from + index + line.length });
  const [first, second] = rows;
  const hasHeader = first !== undefined && second !== undefined && rule.test(text.slice(second.start, second.end));
  const [whole, ...others] = hasHeader ? cutToLength(text, first) : [];
  const head = whole === undefined || others.length > 0 ? {} : { head: { normal: whole, ...whole } };
  return rows.flatMap((row, i) => {
    if (rule.test(text.slice(row.start, row.end))) return [];
    if (hasHeader && i === 0) return cutToLength(text, row).map((part): Part => ({ ...part, opens: true, isQuotable: false }));
    return cutToLength(text, row).map((part): Part => ({ ...part, opens: true, ...head }));
  });
}

const heading_words_max = 8;
const marked = /^#{1,6}\s/;
const ended = /[.!?…:;,。！？؟।"'”’»)\]]$/;
const figure = /[0-9]+/g;
const year = /^(?:1[0-9]|20)[0-9][0-9]$/;

/**
 * Returns whether a paragraph of one sentence is a heading of the next part: Markdown's, or one line of few words with letters that have
 * case, without the mark that ends a sentence and a number other than a year, before a part that is longer than a line.
 */
function isHeading(text: string, { start, end }: Range, next: Range | undefined): boolean {
  const line = text.slice(start, end);
  if (next === undefined || line.includes('\n')) return false;
  if (marked.test(line)) return true;
  const isTitle = !ended.test(line) && singleSpaced(line).split(' ').length <= heading_words_max && hasCase(line);
  const below = text.slice(next.start, next.end);
  return isTitle && (line.match(figure) ?? []).every((number) => year.test(number)) && /[.!?…|]$/.test(below);
}

/** Returns whether a line begins with a letter of a script with case. */
function hasCase(line: string): boolean {
  const point = fold(line).codePointAt(0) ?? 0;
  return isWord(point) && ['latin', 'greek', 'cyrillic'].includes(scriptOf(point) ?? '');
}

/** Returns whether two line breaks are between two places. */
function isBlank(text: string, from: number, to: number): boolean {
  const first = text.indexOf('\n', from);
  if (first < 0 || first >= to) return false;
  const second = text.indexOf('\n', first + 1);
  return second >= 0 && second < to;
}
