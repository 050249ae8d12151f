/**
 * The blocks of a source that was read from a file, as pieces that can be quoted: the sentences of paragraphs, list items and code, and whole
 * rows of tables. Headings and lines that hold only a date are no findings; their words belong to the paragraph of the block below.
 */
import type { Block } from '../work.js';
import { sentence_chars_max } from '../constants.js';
import { normalise, originalRange } from './normal.js';
import { cutToLength, type Range, sentences } from './split.js';

/** A part of a source that is read as a whole. */
export interface Piece extends Range {
  /** Its range in the normal form of the source. */
  readonly normal: Range;
  /** Whether a paragraph begins with it. */
  readonly opens: boolean;
  /** Whether it can be a finding. */
  readonly isQuotable: boolean;
  /** The header of its table, of a row. */
  readonly head?: Range & { readonly normal: Range };
}

export interface Pieces {
  /** The normal form of the source. */
  readonly text: string;
  readonly pieces: readonly Piece[];
}

export function blockPieces(text: string, blocks: readonly Block[]): Pieces {
  const pieces: Piece[] = [];
  const texts: string[] = [];
  let base = 0;
  let isLed = false;
  for (const { type, start, end } of blocks) {
    const normal = normalise(text.slice(start, end));
    const leads = type === 'heading' || (type !== 'table_row' && isDateLine(normal.text));
    for (const [i, range] of partsOf(type, normal.text).entries()) {
      const place = originalRange(normal, range);
      pieces.push({
        normal: { start: base + range.start, end: base + range.end },
        start: start + place.start,
        end: start + place.end,
        opens: i === 0 && !isLed,
        isQuotable: !leads && range.isRest !== true,
      });
    }
    texts.push(normal.text);
    base += normal.text.length + 1;
    isLed = leads;
  }
  return { text: texts.join('\n'), pieces };
}

/** A range that is the rest of a cell, whose header is in another range, is none to quote. */
type Part = Range & { readonly isRest?: boolean };

const partsOf = (type: Block['type'], text: string): readonly Part[] => (type === 'table_row' ? rowParts(text) : sentences(text));

/** What is between two cells of a row; each cell has its header before it. */
const between_cells = ' | ';

/** Returns the whole row; one that is too long for a finding in runs of cells, and a cell that is too long in parts. */
function rowParts(text: string): readonly Part[] {
  const runs: Range[] = [];
  let at = 0;
  for (const cell of text.split(between_cells)) {
    const end = at + cell.length;
    const run = runs.at(-1);
    if (run !== undefined && end - run.start <= sentence_chars_max) runs.splice(-1, 1, { start: run.start, end });
    else runs.push({ start: at, end });
    at = end + between_cells.length;
  }
  return runs.flatMap((run) => {
    const isShort = run.end - run.start <= sentence_chars_max;
    return isShort ? trimmed(text, run) : cutToLength(text, run).map((part, i): Part => ({ ...part, isRest: i > 0 }));
  });
}

/** Returns the range without surrounding white space; nothing if it is blank. */
function trimmed(text: string, { start, end }: Range): readonly Range[] {
  const run = text.slice(start, end);
  const begin = start + run.length - run.trimStart().length;
  return run.trim() === '' ? [] : [{ start: begin, end: begin + run.trim().length }];
}

const line_chars_max = 40;
const line_words_max = 3;
const separators = /[\s,.:;/()–-]+/;
const number = /^\d+(?:st|nd|rd|th|er|e)?$/;
const year = /^(?:1\d|20|21)\d\d$/;
const number_max = 59;

/**
 * Returns whether a line holds little but a date: one year, other numbers as of a day, a month or a time, and at most three words (one beside a
 * mere year), without the point that ends a sentence.
 */
function isDateLine(text: string): boolean {
  if (text.length > line_chars_max || /[.!?]\s*$/.test(text)) return false;
  const parts = text.split(separators).filter((part) => part !== '');
  const numbers = parts.filter((part) => number.test(part));
  const others = numbers.filter((part) => !year.test(part));
  const words = parts.length - numbers.length;
  const isDay = others.every((part) => Number.parseInt(part, 10) <= number_max);
  return numbers.length === others.length + 1 && isDay && words <= (others.length === 0 ? 1 : line_words_max);
}
