/**
 * Reads HTML: what a reader of the page sees, in its order. Scripts, styles, navigation, forms and comments are left out and counted. Nothing is run and
 * no link is followed.
 */
import { parse, parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { raised } from '../cells/fold.js';
import { decodeText } from '../content.js';
import type { BlockType } from '../types.js';
import { type LeftOut, Outline, plainText, type Place } from './outline.js';
import { tableRows, type TableCell, type TableRow } from './rows.js';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements that are no text of the page, by the name under which they are counted. */
const unread: Readonly<Record<string, string>> = {
  script: 'script',
  noscript: 'text for browsers without script',
  style: 'style',
  nav: 'navigation',
  template: 'template',
  form: 'form',
  button: 'button',
  select: 'menu',
  textarea: 'text field',
  iframe: 'frame',
  object: 'embedded object',
  svg: 'picture',
  math: 'formula',
  img: 'picture',
  picture: 'picture',
  canvas: 'picture',
  audio: 'recording',
  video: 'video',
  del: 'deletion',
  s: 'deletion',
  strike: 'deletion',
};

const blocks = new Set(
  'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer header hgroup hr html legend li main menu ol p section summary td th tr ul'.split(
    ' ',
  ),
);

/** Deeper nesting is no page that people wrote, and would exhaust the stack. */
const depth_max = 400;

/** Returns the title of a page after adding its blocks to an outline, or null for a page that is nested too deeply. */
export function readPage(html: string, outline: Outline, leftOut: LeftOut): { readonly title: string | null } | null {
  const document = parse(html, { scriptingEnabled: true });
  const walk = new Walk(outline, leftOut, {});
  walk.inside(document, 0);
  return walk.isTooDeep ? null : { title: titleOf(document) };
}

/** Adds the blocks of a piece of HTML, all of which have one place. What is nested too deeply is left out. */
export function readFragment(html: string, outline: Outline, leftOut: LeftOut, place: Place = {}): void {
  new Walk(outline, leftOut, place).inside(parseFragment(html, { scriptingEnabled: true }), 0);
}

/** Returns the text of a page: by the encoding that it declares, or as that of any other file. */
export function decodePage(bytes: Uint8Array): ReturnType<typeof decodeText> {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  const [, charset] =
    /^(?!\xff\xfe|\xfe\xff|\xef\xbb\xbf)[\s\S]*?<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:-]+)/i.exec(head) ?? [];
  if (charset !== undefined && !/^(?:utf-?8|utf-?16\w*|windows-1252|iso-8859-1|latin1|us-ascii|ascii)$/i.test(charset)) {
    try {
      return { text: new TextDecoder(charset, { fatal: true }).decode(bytes), note: null };
    } catch {
      // A name that is none, or bytes that are not in this encoding.
    }
  }
  return decodeText(bytes);
}

function titleOf(document: Parent): string | null {
  const html = document.childNodes.find((node) => node.nodeName === 'html') as Element | undefined;
  const head = html?.childNodes.find((node) => node.nodeName === 'head') as Element | undefined;
  const title = head?.childNodes.find((node) => node.nodeName === 'title') as Element | undefined;
  const text = plainText((title?.childNodes ?? []).map((node) => ('value' in node ? node.value : '')).join(''));
  return text === '' ? null : text;
}

/** Goes through a tree and adds a block wherever one ends. */
class Walk {
  isTooDeep = false;
  private text = '';
  private type: BlockType = 'paragraph';
  private preformatted = false;

  constructor(
    private readonly outline: Outline,
    private readonly leftOut: LeftOut,
    private readonly place: Place,
  ) {}

  inside(parent: Parent, depth: number): void {
    if (depth > depth_max) this.isTooDeep = true;
    else for (const node of parent.childNodes) this.take(node, depth + 1);
    if (depth === 0) this.end();
  }

  private take(node: Node, depth: number): void {
    if ('value' in node) this.text += node.value;
    else if (node.nodeName === '#comment') this.leftOut.add('comment');
    else if ('tagName' in node) this.element(node, depth);
  }

  private element(element: Element, depth: number): void {
    const { tagName } = element;
    const name = unreadName(element);
    if (name !== null) this.leftOut.add(name);
    else if (tagName === 'head') this.countHead(element);
    else if (tagName === 'br') this.text += this.preformatted ? '\n' : ' ';
    else if (/^h[1-6]$/.test(tagName)) this.heading(element, depth);
    else if (tagName === 'pre') this.code(element, depth);
    else if (tagName === 'table') this.table(element, depth);
    else if (tagName === 'li') this.block(element, depth, 'list_item');
    else if (blocks.has(tagName)) this.block(element, depth, this.type);
    else if (tagName === 'sup' && /\d$/.test(this.text)) this.raised(element, depth);
    else this.inside(element, depth);
  }

  private raised(element: Element, depth: number): void {
    const before = this.text.length;
    this.inside(element, depth);
    const own = this.text.slice(before);
    this.text = this.text.slice(0, before) + (/^\s*\d/.test(own) ? raised(own) : own);
  }

  /** What is in the head of a page is never text of it. */
  private countHead(head: Element): void {
    for (const node of head.childNodes) {
      const name = 'tagName' in node ? unreadName(node) : node.nodeName === '#comment' ? 'comment' : null;
      if (name !== null) this.leftOut.add(name);
    }
  }

  private end(): void {
    this.outline.add(this.type, this.text, this.place);
    this.text = '';
  }

  private block(element: Element, depth: number, type: BlockType): void {
    this.end();
    const outer = this.type;
    this.type = type;
    this.inside(element, depth);
    this.end();
    this.type = outer;
  }

  private heading(element: Element, depth: number): void {
    this.end();
    this.inside(element, depth);
    this.outline.heading(Number(element.tagName.slice(1)), this.text, this.place);
    this.text = '';
  }

  private code(element: Element, depth: number): void {
    this.preformatted = true;
    this.block(element, depth, 'code');
    this.preformatted = false;
  }

  /** A table whose cells hold tables, headings or lists arranges a page, and is read as such. */
  private table(table: Element, depth: number): void {
    this.end();
    const rows = arrangesPage(table, 0) ? null : rowElements(table);
    if (rows === null) return this.block(table, depth, this.type);
    for (const node of table.childNodes) {
      if ('tagName' in node && node.tagName === 'caption') this.block(node, depth, 'paragraph');
    }
    const read = rows.map(
      ({ row, inHead }): TableRow => ({ inHead, cells: cellElements(row).map((cell) => this.cell(cell, depth)) }),
    );
    for (const { header, cells } of tableRows(read)) this.outline.row(header, cells, this.place);
  }

  private cell(element: Element, depth: number): TableCell {
    const inner = new Walk(new Outline(), this.leftOut, {});
    inner.inside(element, depth);
    inner.end();
    this.isTooDeep ||= inner.isTooDeep;
    return {
      text: inner.outline.blocks.map(({ text }) => text).join(' '),
      isHeader: element.tagName === 'th',
      columns: spanOf(element, 'colspan'),
      rows: spanOf(element, 'rowspan'),
    };
  }
}

/** Returns the name under which an element is left out, or null for one that is read. */
function unreadName(element: Element): string | null {
  const attribute = (name: string): string | undefined => element.attrs.find((each) => each.name === name)?.value;
  if (attribute('role') === 'navigation') return 'navigation';
  if (attribute('hidden') !== undefined || attribute('aria-hidden') === 'true') return 'hidden part';
  return Object.hasOwn(unread, element.tagName) ? (unread[element.tagName] ?? null) : null;
}

const elementsIn = (parent: Element): readonly Element[] =>
  parent.childNodes.filter((node): node is Element => 'tagName' in node);

const arrangesPage = (element: Element, depth: number): boolean =>
  depth < depth_max &&
  elementsIn(element).some((child) => /^(?:table|h[1-6])$/.test(child.tagName) || arrangesPage(child, depth + 1));

const rowElements = (table: Element): readonly { readonly row: Element; readonly inHead: boolean }[] =>
  elementsIn(table).flatMap((part) =>
    /^(?:thead|tbody|tfoot)$/.test(part.tagName)
      ? elementsIn(part)
          .filter(({ tagName }) => tagName === 'tr')
          .map((row) => ({ row, inHead: part.tagName === 'thead' }))
      : [],
  );

const cellElements = (row: Element): readonly Element[] =>
  elementsIn(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th');

/** Returns how many columns or rows a cell covers. */
export const spanOf = (cell: Element, name: 'colspan' | 'rowspan'): number => {
  const span = Number(cell.attrs.find((attribute) => attribute.name === name)?.value ?? 1);
  return Number.isInteger(span) && span > 0 ? span : 1;
};
