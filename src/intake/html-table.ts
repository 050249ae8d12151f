/** Reads the tables of an HTML page, which is also what spreadsheets put on the clipboard. Nothing is run, loaded or followed. */
import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes } from 'parse5';
import { table_columns_max, table_rows_max } from '../base/limits.js';
import { ok, refuse, type Result } from '../base/refusal.js';
import { raised } from './cells/fold.js';
import { blank } from './csv.js';
import { decodePage, spanOf } from './documents/html.js';
import type { Cell, Sheet, Workbook } from './types.js';

const reader_version = 2;

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Returns each table that holds no other one as a sheet. */
export function readHtmlTables(bytes: Uint8Array): Result<Workbook> {
  const decoded = decodePage(bytes);
  if (decoded === null) return refuse({ code: 'invalid', detail: 'the text is damaged: it is marked as Unicode and is not' });
  const notes = decoded.note === null ? [] : [decoded.note];
  const tables = within(parse(decoded.text), 'table').filter((table) => within(table, 'table').length === 0);
  const sheets: Sheet[] = [];
  for (const [i, table] of tables.entries()) {
    const [caption] = within(table, 'caption').map(textOf);
    const sheet = sheetOf(table, caption ?? (tables.length === 1 ? null : `Table ${i + 1}`));
    sheets.push(sheet);
  }
  if (sheets.length === 0) return refuse({ code: 'invalid', detail: 'this page has no table' });
  return ok({ type: 'table', reader: 'html', version: reader_version, sheets, notes });
}

const not_shown: readonly string[] = ['script', 'style', 'template', 'noscript', 'del', 's', 'strike'];

/** Yields what is below a node, in the order of the page, without what the page does not show or strikes out. A page may be nested deeper than calls may be. */
function* below(root: Node): Generator<Node, void, undefined> {
  const left = childrenOf(root).toReversed();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    yield node;
    if (!not_shown.includes(node.nodeName)) for (const child of childrenOf(node).toReversed()) left.push(child);
  }
}

const within = (root: Node, name: string): Element[] =>
  Array.from(below(root)).filter((node): node is Element => node.nodeName === name);

const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);

/** Returns the rows of a table, where a cell that spans several has its value in each; or what makes it too large to be read. */
function sheetOf(table: Element, name: string | null): Sheet {
  const rows: Cell[][] = [];
  let spanning = 0;
  const lines = within(table, 'tr');
  const tooLarge = (fault: string): Sheet => ({ name, rows: [], fault, notes: [] });
  if (lines.length > table_rows_max) return tooLarge(`the table has more than ${table_rows_max} rows.`);
  for (const [row, line] of lines.entries()) {
    let column = 0;
    for (const element of childrenOf(line)) {
      if (!tree.isElementNode(element) || !['td', 'th'].includes(element.nodeName)) continue;
      while (rows[row]?.[column] !== undefined) column++;
      const text = textOf(element);
      const cell: Cell = text === '' ? blank : { type: 'text', text };
      const [wide, high] = [spanOf(element, 'colspan'), spanOf(element, 'rowspan')];
      if (column + wide > table_columns_max) return tooLarge(`the table has more than ${table_columns_max} columns.`);
      if (wide * high > 1) spanning++;
      for (let down = row; down < Math.min(row + high, lines.length); down++)
        for (let across = column; across < column + wide; across++) (rows[down] ??= [])[across] ??= cell;
      column += wide;
    }
  }
  const notes = spanning === 0 ? [] : [`Merged cells: ${spanning}. Their value stands for each row and column.`];
  return { name, rows: Array.from(lines, (_, row) => Array.from(rows[row] ?? [], (cell) => cell ?? blank)), notes };
}

const breaks = /^(?:br|p|div|li|d[dt]|h[1-6]|blockquote|pre)$/;
const hides = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const isHidden = (node: Node): boolean =>
  tree.isElementNode(node) && node.attrs.some(({ name, value }) => name === 'hidden' || (name === 'style' && hides.test(value)));

/** Returns the text that a page shows of an element, on one line. */
function textOf(root: Node): string {
  const [hidden, high] = [new Set<Node>(), new Set<Node>()];
  let text = '';
  for (const node of below(root)) {
    const parent = 'parentNode' in node ? node.parentNode : null;
    if (isHidden(node) || (parent !== null && hidden.has(parent))) hidden.add(node);
    else if (node.nodeName === 'sup' || (parent !== null && high.has(parent))) high.add(node);
    if (tree.isTextNode(node) && !hidden.has(node)) text += high.has(node) ? raised(node.value) : node.value;
    else if (breaks.test(node.nodeName)) text += ' ';
  }
  return text.replace(/\s+/g, ' ').trim();
}
