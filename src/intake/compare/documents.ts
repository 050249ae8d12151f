/** Compares the sources of a request with the document that they were made from, block by block, and finds the page of each quote. */
import type { Block as PlacedBlock, ResearchWork } from '../../kinds/research/work.js';
import { partsFor } from '../documents/draft.js';
import type { Part } from '../documents/parts.js';
import type { TextDocument } from '../types.js';
import type { Difference, Found, Quote, RecordedMission } from './types.js';
import { shown } from './values.js';

type Source = ResearchWork['sources'][number];

/**
 * Returns how a document compares with the sources of the request that are of it.
 * @param index the position of the file among those of the request
 * @param name the name under which it was read; null where names were not recorded
 */
export function compareDocument(
  { request, quotes }: RecordedMission,
  index: number,
  name: string | null,
  document: TextDocument,
): Found {
  const { reader, version } = document;
  if (request.work.kind !== 'research') {
    const found = `a mission of the kind ${request.work.kind} is made from no document`;
    return { reader, version, difference: { place: 'the document', recorded: 'read', found } };
  }
  const sources = request.work.sources.map((source, at) => ({ source, at })).filter(({ source }) => source.file === index);
  const parts = partsFor(document, name, index);
  const comparison = new Comparison(request.provenance?.changed ?? [], blocksOf(parts));
  sources.forEach(({ source, at }, i) => comparison.compare(source, at, parts[i]));
  if (!comparison.isChanged('work.sources') && sources.length !== parts.length)
    comparison.differ({ place: 'the document', recorded: `${sources.length} sources`, found: `${parts.length} sources` });
  const counted = comparison.quotesIn(quotes, sources);
  const { same, all, changed, difference } = comparison;
  return {
    reader,
    version,
    blocks: { same, all },
    ...(counted.all > 0 ? { quotes: counted } : {}),
    ...(changed > 0 ? { changed } : {}),
    difference,
  };
}

interface NumberedSource {
  readonly source: Source;
  /** Its position among those of the request. */
  readonly at: number;
}

interface FoundBlock {
  readonly block: PlacedBlock;
  readonly text: string;
}

const blocksOf = (parts: readonly Pick<Part, 'text' | 'blocks'>[]): readonly FoundBlock[] =>
  parts.flatMap(({ text, blocks }) => blocks.map((block) => ({ block, text: text.slice(block.start, block.end) })));

/** What a block is, its place in the text apart. */
const keyOf = ({ block: { type, page, under, header }, text }: FoundBlock): string =>
  JSON.stringify([type, page ?? null, under ?? [], header ?? [], text]);

class Comparison {
  same = 0;
  all = 0;
  changed = 0;
  difference: Difference | null = null;
  private readonly keys: ReadonlySet<string>;

  constructor(
    private readonly changes: readonly string[],
    readonly found: readonly FoundBlock[],
  ) {
    this.keys = new Set(found.map(keyOf));
  }

  isChanged(path: string): boolean {
    return this.changes.includes(path) || this.changes.includes('work');
  }

  differ(difference: Difference): void {
    this.difference ??= difference;
  }

  compare(source: Source, at: number, part: Part | undefined): void {
    const path = `work.sources[${at}]`;
    if (this.isTextChanged(at)) {
      this.changed += 1;
      return;
    }
    const recorded = blocksOf([{ text: source.text, blocks: source.blocks ?? [] }]);
    this.all += recorded.length;
    this.same += recorded.filter((block) => this.keys.has(keyOf(block))).length;
    if (this.isChanged('work.sources') || part === undefined) return;
    this.compareTitle(source, path, part);
    const found = blocksOf([part]);
    const first = Array.from({ length: Math.max(recorded.length, found.length) }, (_, i) => i).find((i) => {
      const [a, b] = [recorded[i], found[i]];
      return a === undefined || b === undefined || keyOf(a) !== keyOf(b);
    });
    if (first !== undefined) this.differ(blockDifference(recorded[first], found[first]));
    else if (source.text !== part.text)
      this.differ({ place: `${path}.text`, recorded: 'another text', found: 'the blocks of the file' });
  }

  /** Counts the quotes that a block of the document holds on the page that is named. */
  quotesIn(quotes: readonly Quote[], sources: readonly NumberedSource[]): NonNullable<Found['quotes']> {
    const counted = { same: 0, all: 0, have_pages: false };
    for (const quote of quotes) {
      const of = sources.find(({ source }) => source.id === quote.source_id);
      if (of === undefined || this.isTextChanged(of.at)) continue;
      const page = quote.page ?? of.source.blocks?.find(({ start, end }) => start <= quote.start && quote.start < end)?.page;
      const holding = this.found.filter(({ text }) => text.includes(quote.quote));
      counted.all += 1;
      counted.have_pages ||= page !== undefined;
      if (holding.some(({ block }) => block.page === page)) counted.same += 1;
      else this.differ(quoteDifference(quote.quote, page, holding[0]));
    }
    return counted;
  }

  private isTextChanged(at: number): boolean {
    return ['text', 'blocks'].some((member) => this.isChanged(`work.sources[${at}].${member}`));
  }

  private compareTitle({ title }: Source, path: string, part: Part): void {
    if (this.isChanged(`${path}.title`)) this.changed += 1;
    else if (title !== part.title) this.differ({ place: `${path}.title`, recorded: shown(title), found: shown(part.title) });
  }
}

const pageText = (page: number | undefined): string => (page === undefined ? 'in the document' : `on page ${page}`);

const quoteDifference = (quote: string, page: number | undefined, found: FoundBlock | undefined): Difference => ({
  place: page === undefined ? 'the document' : `page ${page}`,
  recorded: `${shown(quote)} ${pageText(page)}`,
  found: found === undefined ? 'nothing' : pageText(found.block.page),
});

/** Characters before and after the first that differs. */
const [before_chars, after_chars] = [30, 60];

function blockDifference(recorded: FoundBlock | undefined, found: FoundBlock | undefined): Difference {
  const page = recorded?.block.page ?? found?.block.page;
  const heading = (recorded ?? found)?.block.under?.at(-1);
  const place = page !== undefined ? `page ${page}` : heading === undefined ? 'the document' : `the section "${heading}"`;
  if (recorded === undefined || found === undefined || recorded.text === found.text) {
    const kindOf = (block: FoundBlock | undefined): string =>
      block === undefined
        ? 'nothing'
        : `${block.block.type.replace('_', ' ')} ${shown(block.text)}${block.block.page === undefined ? '' : ` on page ${block.block.page}`}`;
    return { place, recorded: kindOf(recorded), found: kindOf(found) };
  }
  let at = 0;
  while (recorded.text[at] === found.text[at]) at += 1;
  const from = Math.max(0, at - before_chars);
  const cut = (text: string): string => shown(text.slice(from, at + after_chars).toWellFormed());
  return { place, recorded: cut(recorded.text), found: cut(found.text) };
}
