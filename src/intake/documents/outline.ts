/** Collects the blocks of a document in their order. Each knows the headings that it is under, so that a reader adds only what it finds. */
import { block_cells_max } from '../../base/limits.js';
import type { Block, BlockType } from '../types.js';

export type Place = Pick<Block, 'page' | 'line'>;

const heading_chars_max = 500;
/** Headings deeper than these are beside each other: a request admits no longer path. */
const level_max = 6;

export class Outline {
  readonly blocks: Block[] = [];
  private path: readonly { readonly level: number; readonly text: string }[] = [];

  heading(given: number, raw: string, place: Place = {}): void {
    const level = Math.min(given, level_max);
    const text = plainText(raw);
    // A paragraph in the style of a heading would be a part of the path of everything after it.
    if (text.length > heading_chars_max) return this.add('paragraph', raw, place);
    this.path = this.path.filter((heading) => heading.level < level);
    this.add('heading', text, place);
    if (text !== '') this.path = [...this.path, { level, text }];
  }

  add(type: BlockType, raw: string, place: Place = {}): void {
    const text = type === 'code' ? codeText(raw) : plainText(raw);
    if (text !== '') this.blocks.push({ type, text, ...place, ...this.under() });
  }

  /** Adds a row of a table; cells and header have one length, and an empty header cell leaves its cell without a name. */
  row(rawHeader: readonly string[], rawCells: readonly string[], place: Place): void {
    const header = rawHeader.map(plainText);
    const cells = rawCells.map(plainText);
    const named = cells.map((cell, i) => (header[i] ? `${header[i]}: ${cell}` : cell));
    const text = named.filter((_, i) => cells[i] !== '').join(' | ');
    if (text === '') return;
    const hasHeader = header.length <= block_cells_max && header.some((cell) => cell !== '');
    this.blocks.push({ type: 'table_row', text, ...place, ...this.under(), ...(hasHeader ? { header } : {}) });
  }

  /** Returns the first heading, or null. */
  get title(): string | null {
    return this.blocks.find(({ type }) => type === 'heading')?.text ?? null;
  }

  private under(): Pick<Block, 'under'> {
    return this.path.length === 0 ? {} : { under: this.path.map(({ text }) => text) };
  }
}

/** Characters that are not seen and break words that are searched for: soft hyphens, zero-width spaces, byte order marks. */
const unseen = /[\u00ad\u200b\u2060\ufeff]/g;
/** Marks beyond the thirtieth on a letter (UAX #15, Stream-Safe): the time to compose them grows with their square. */
const excess = /(?<=\p{M}{30})\p{M}/gu;

const wellFormed = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(unseen, '')
    // After the characters that are not seen, which may stand between the marks.
    .replace(excess, '')
    .normalize('NFC');

/** Returns a text in one line: white space collapsed, ligatures as letters, without control characters. */
export const plainText = (raw: string): string =>
  wellFormed(raw)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Returns lines of code as they are, without blank lines around them and without control characters. */
const codeText = (raw: string): string =>
  wellFormed(raw)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();

/** Counts what a reader leaves out, so that it is told. */
export class LeftOut {
  private readonly counts = new Map<string, number>();

  /** @param name its name in the singular, which takes an s in the plural */
  add(name: string, count = 1): void {
    if (count > 0) this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  /** Returns a note, such as `Left out: 2 scripts, 1 comment.`, or none. */
  notes(): readonly string[] {
    const counted = [...this.counts].map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`);
    return counted.length === 0 ? [] : [`Left out: ${counted.join(', ')}.`];
  }
}
