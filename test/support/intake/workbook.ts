/** Workbooks that tests write part by part. */
import { archiveBytes } from '../../../src/archive/write.js';

export interface WorkbookParts {
  /** Rows of the first sheet, as XML: `<row>…</row>`. */
  readonly rows?: string;
  /** What stands before and after them in the sheet. */
  readonly before?: string;
  readonly after?: string;
  /** `<si>…</si>` */
  readonly strings?: string;
  /** Codes of the formats of numbers: style 1 has the first one. */
  readonly formats?: readonly string[];
  /** `<workbookPr …/>` */
  readonly properties?: string;
  /** Parts that are added, or written in place of one of these. */
  readonly parts?: Readonly<Record<string, string | Buffer>>;
}

const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const relations = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="${relationships}">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export function workbookParts(given: WorkbookParts = {}): Record<string, string | Buffer> {
  const { rows = '', before = '', after = '', strings = '', formats = [], properties = '', parts = {} } = given;
  const codes = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escaped(code)}"/>`).join('');
  const styles = ['<xf numFmtId="0"/>', ...formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`)].join('');
  return {
    '_rels/.rels': relations([['r', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${types}">${properties}<sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['a', 'worksheet', 'worksheets/sheet1.xml'],
      ['b', 'sharedStrings', '/xl/sharedStrings.xml'],
      ['c', 'styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${codes}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    ...parts,
  };
}

export const workbookBytes = (given: WorkbookParts = {}): Promise<Buffer> => packed(workbookParts(given));

export const packed = (parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> =>
  archiveBytes(Object.entries(parts).map(([name, text]) => ({ name, source: Buffer.from(text as string) })));
