/** Reads Markdown (CommonMark with the tables and the deletions of GitHub). HTML in it is read as HTML; links and pictures are not followed. */
import MarkdownIt, { type Token } from 'markdown-it';
import { readFragment } from './html.js';
import type { LeftOut, Outline, Place } from './outline.js';

/** Adds the blocks of a text to an outline. */
export function readMarkdown(text: string, outline: Outline, leftOut: LeftOut): void {
  const parser = new MarkdownIt('commonmark', { html: true }).enable(['table', 'strikethrough']);
  // Line numbers stay as they are when front matter becomes blank lines.
  const body = text.replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/, (matter) => {
    leftOut.add('front matter');
    return matter.replace(/[^\n]/g, '');
  });
  const reading = new Reading(outline, leftOut);
  for (const token of parser.parse(body, {})) reading.take(token);
}

class Reading {
  private lists = 0;
  private heading = 0;
  private place: Place = {};
  /** The table that is read: its header, and the cells of the row so far. */
  private table: { header: string[]; cells: string[] } | null = null;

  constructor(
    private readonly outline: Outline,
    private readonly leftOut: LeftOut,
  ) {}

  take(token: Token): void {
    if (token.map !== null) this.place = { line: token.map[0] + 1 };
    if (token.type === 'list_item_open' || token.type === 'list_item_close') this.lists += token.nesting;
    if (token.type === 'heading_open') this.heading = Number(token.tag.slice(1));
    if (token.type === 'inline') this.inline(token);
    if (token.type === 'heading_close') this.heading = 0;
    if (token.type === 'fence' || token.type === 'code_block') this.outline.add('code', token.content, this.place);
    if (token.type === 'html_block') readFragment(token.content, this.outline, this.leftOut, this.place);
    this.takeTable(token.type);
  }

  private inline(token: Token): void {
    const text = this.textOf(token.children ?? []);
    if (this.table !== null) this.table.cells.push(text);
    else if (this.heading > 0) this.outline.heading(this.heading, text, this.place);
    else this.outline.add(this.lists > 0 ? 'list_item' : 'paragraph', text, this.place);
  }

  private takeTable(type: string): void {
    if (type === 'table_open') this.table = { header: [], cells: [] };
    if (type === 'table_close') this.table = null;
    if (this.table === null) return;
    if (type === 'thead_close') this.table.header = this.table.cells;
    if (type === 'tr_open') this.table.cells = [];
    if (type === 'tr_close' && this.table.header.length > 0) this.outline.row(this.table.header, this.table.cells, this.place);
  }

  private textOf(tokens: readonly Token[]): string {
    let deletions = 0;
    return tokens
      .map(({ type, content }) => {
        if (type === 's_open' && deletions++ === 0) this.leftOut.add('deletion');
        if (type === 's_close') deletions--;
        if (deletions > 0) return '';
        if (type === 'text' || type === 'code_inline') return content;
        if (type === 'softbreak' || type === 'hardbreak') return ' ';
        if (type === 'image') this.leftOut.add('picture');
        if (type === 'html_inline' && content.startsWith('<!--')) this.leftOut.add('comment');
        return /^<br\b/i.test(content) ? ' ' : '';
      })
      .join('');
  }
}
