/** The work of a research mission: the sources from which passages are quoted. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import { choice, integer, list, object, optional, required, text, withDefault } from '../../codec/kit.js';
import { id } from '../../codec/scalars.js';
import { duplicates } from '../fields.js';

const offset = integer(0, 2 * limits.source_text_chars_max);

/** A part of a document as its reader gives it: `text.slice(start, end)` of its source, in UTF-16 code units. */
const block = object('Block', {
  type: required(choice('heading', 'paragraph', 'list_item', 'table_row', 'code')),
  start: required(offset),
  end: required(offset),
  page: optional(integer(1, limits.source_pages_max)),
  /** The headings above it, the outermost first. */
  under: optional(list(text(), 0, limits.block_headings_max)),
  /** The cells of the header of its table. */
  header: optional(list(text(), 0, limits.block_cells_max)),
});

export type Block = t.TypeOf<typeof block>;

const source = object(
  'Source',
  {
    id: required(id),
    title: required(text({ min: 1, max: limits.source_title_chars_max })),
    text: required(text({ min: 1, max: limits.source_text_chars_max })),
    url: withDefault(text({ max: limits.url_chars_max }), ''),
    /** The parts of a source that was read from a file; absent for a typed one. */
    blocks: optional(list(block, 1, limits.source_blocks_max)),
    /** The position of its file in `provenance.files`, counted from 0. */
    file: optional(integer(0, limits.provenance_files_max - 1)),
  },
  ({ text: whole, blocks }) => (blocks === undefined ? [] : blockFaults(whole, blocks)),
);

/** Returns the first fault: blocks follow each other, and nothing but line feeds is between them. */
function blockFaults(whole: string, blocks: readonly Block[]): FieldError[] {
  let end = 0;
  for (const [i, each] of blocks.entries()) {
    const at = (member: string, message: string): FieldError[] => [{ path: `blocks[${i}].${member}`, message }];
    if (each.start < end || !(i === 0 ? /^\n*$/ : /^\n+$/).test(whole.slice(end, each.start)))
      return at('start', i === 0 ? 'is not where the text begins' : 'is not one or more line feeds after the block before');
    if (each.end <= each.start || each.end > whole.length) return at('end', 'must be after the start and within the text');
    if (each.header !== undefined && each.type !== 'table_row') return at('header', 'only a table row has a header');
    ({ end } = each);
  }
  return /^\n*$/.test(whole.slice(end)) ? [] : [{ path: 'blocks', message: 'do not hold the end of the text' }];
}

export const researchWork = object(
  'Research',
  { kind: required(choice('research')), sources: required(list(source, 1, limits.sources_max)) },
  (work) => duplicates('sources', work.sources),
);

export type ResearchWork = t.TypeOf<typeof researchWork>;

/** The block in which a quote begins, by its position in a source that was read from a file, and the page of the block if it has one. */
export interface QuotePlace {
  readonly block?: number;
  readonly page?: number;
}

/** Returns the place of a quote that begins at `start`; nothing for a typed source. */
export function placeOf(blocks: readonly Block[] | undefined, start: number): QuotePlace {
  const block = blocks?.findLastIndex((each) => each.start <= start) ?? -1;
  const page = blocks?.[block]?.page;
  return { ...(block < 0 ? {} : { block }), ...(page === undefined ? {} : { page }) };
}
