/**
 * Writes small Excel workbooks (ECMA-376, Office Open XML) whose bytes depend only on their cells: numbers as numbers, dates as dates, texts as texts,
 * which no program takes for formulas. The first row is a header.
 */
import { shorten } from '../base/text.js';
import type { Cell, Row } from './content.js';
import { storedZip } from './zip.js';

export interface Sheet {
  /** At most 31 characters, none of `[]:*?/\`. */
  readonly name: string;
  readonly rows: readonly Row[];
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The styles of cells by their numbers; 0 is that of cells without one. */
const [number_style, header_style, date_style, time_style, text_style, number_header_style] = [1, 2, 3, 4, 5, 6];
const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
/** Long texts are wrapped, and what stands beside them is at their first line. */
const format = (given = '', aligned = ''): string =>
  `<xf xfId="0"${given} applyAlignment="1"><alignment vertical="top"${aligned}/></xf>`;
const styles = `${head}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="7"><xf xfId="0"/>${[
  format(),
  format(' fontId="1" applyFont="1"', ' wrapText="1"'),
  format(' numFmtId="164" applyNumberFormat="1"'),
  format(' numFmtId="165" applyNumberFormat="1"'),
  format('', ' wrapText="1"'),
  format(' fontId="1" applyFont="1"', ' wrapText="1" horizontal="right"'),
].join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

export function xlsxBytes(sheets: readonly Sheet[]): Uint8Array {
  const numbered = sheets.map((sheet, i) => ({ ...sheet, id: i + 1 }));
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${content}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/></Types>`,
    '_rels/.rels': relations([['workbook', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets>${numbered
      .map(({ name, id }) => `<sheet name="${escaped(name)}" sheetId="${id}" r:id="sheet${id}"/>`)
      .join('')}</sheets><definedNames>${numbered.map(printTitles).join('')}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...numbered.map(({ id }) => [`sheet${id}`, 'worksheet', `worksheets/sheet${id}.xml`] as const),
      ['styles', 'styles', 'styles.xml'],
    ]),
    'xl/styles.xml': styles,
    ...Object.fromEntries(numbered.map(({ rows, id }) => [`xl/worksheets/sheet${id}.xml`, sheetXml(rows)])),
  };
  return storedZip(Object.entries(parts));
}

/** The header is printed on each page. */
const printTitles = ({ name }: Sheet, i: number): string =>
  `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">'${escaped(name).replaceAll("'", "''")}'!$1:$1</definedName>`;

const relations = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${head}<Relationships xmlns="${packages}/relationships">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const [letters, code_before_a] = [26, 64];

/** @param column counted from 0 */
export function columnLetters(column: number): string {
  let text = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / letters))
    text = String.fromCharCode(code_before_a + 1 + ((rest - 1) % letters)) + text;
  return text;
}

const [chars_min, chars_max] = [8, 60];
const [line_points, row_points_max] = [15, 405];

/** Returns the widths of a cell's lines in digits: Chinese, Japanese and Korean letters are two wide. */
const lineWidths = (cell: Cell): number[] =>
  shown(cell)
    .split('\n')
    .map((line) => line.length + (line.match(/[\u2e80-\uffdc]/g)?.length ?? 0));

/** Returns the height of a row in points. Excel would find it by itself; LibreOffice draws wrapped lines over the next row. */
function heightOf(row: Row): number {
  const lines = row.map((cell) => lineWidths(cell).reduce((sum, width) => sum + Math.max(1, Math.ceil(width / chars_max)), 0));
  return Math.min(row_points_max, Math.max(1, ...lines) * line_points);
}

function sheetXml(rows: Sheet['rows']): string {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: columns }, (_, i) =>
    rows.flatMap((row) => lineWidths(row[i] ?? null)).reduce((most, width) => Math.max(most, width), chars_min),
  );
  const cols = widths
    .map((chars, i) => `<col min="${i + 1}" max="${i + 1}" width="${Math.min(chars, chars_max) + 2}" customWidth="1"/>`)
    .join('');
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return `${head}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>${
    cols === '' ? '' : `<cols>${cols}</cols>`
  }<sheetData>${rows.map((row, i) => `<row r="${i + 1}" ht="${heightOf(row)}">${row.map((cell, k) => cellXml(cell, `${columnLetters(k)}${i + 1}`, i === 0 ? headerStyle(rows[1]?.[k]) : text_style)).join('')}</row>`).join('')}</sheetData><pageSetup orientation="landscape" fitToHeight="0"/></worksheet>`;
}

const shown = (cell: Cell): string => (typeof cell === 'object' ? (cell?.date ?? '') : String(cell));

/** Returns the style of a header above a cell: numbers, dates and times stand at the right. */
const headerStyle = (below: Cell | undefined): number =>
  below === undefined || below === null || typeof below === 'string' ? header_style : number_header_style;

function cellXml(cell: Cell, at: string, textStyle: number): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${at}" s="${number_style}"><v>${cell}</v></c>`;
  if (typeof cell === 'string' || cell.date < date_first)
    return `<c r="${at}" s="${textStyle}" t="inlineStr"><is><t xml:space="preserve">${escaped(shown(cell))}</t></is></c>`;
  return `<c r="${at}" s="${cell.date.length > date_chars ? time_style : date_style}"><v>${serialOf(cell.date)}</v></c>`;
}

const day_ms = 86_400_000;
/** Days from the day 0 of workbooks to 1970-01-01. */
const epoch_days = 25_569;
const date_chars = 10;
/** Workbooks count 29 February 1900, a day that did not exist: an earlier date would be a day off, and is a text. */
const date_first = '1900-03-01';
/** Returns the days of a date, and of its time the part of a day, in all of its digits: with fewer, programs show 08:00 as 07:59. */
const serialOf = (date: string): number =>
  (Date.parse(date.length > date_chars ? `${date.replace(' ', 'T')}Z` : date) + epoch_days * day_ms) / day_ms;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Excel takes a workbook with a longer cell for damaged. */
const cell_chars_max = 32_767;

/** XML has no control characters but these three, and no half of a surrogate pair; `_x0041_` stands for a letter in a workbook (ECMA-376 part 1, 22.9.2.19). */
const escaped = (text: string): string =>
  shorten(text, cell_chars_max)
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (each) => entities[each] ?? each);
