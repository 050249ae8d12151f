import assert from 'node:assert/strict';
import { isRefused } from '../../src/base/refusal.js';
import { readCsv } from '../../src/intake/csv.js';

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

/** The texts of the cells, parted by |, in rows that are parted by /; none for a blank one. */
function table(content: string | Uint8Array): string {
  const result = readCsv(typeof content === 'string' ? bytesOf(content) : content);
  if (isRefused(result)) throw new Error(result.left.detail);
  assert.equal(result.right.sheets.length, 1);
  const rows = result.right.sheets[0]?.rows ?? [];
  return rows.map((row) => row.map((cell) => (cell.type === 'blank' ? '' : cell.text)).join(' | ')).join(' / ');
}

function refusal(content: string | Uint8Array): string {
  const result = readCsv(typeof content === 'string' ? bytesOf(content) : content);
  return isRefused(result) ? result.left.detail : 'no refusal';
}

describe('readCsv', () => {
  /** Rows are parted by /, cells by |. */
  const tables: readonly (readonly [title: string, content: string | Uint8Array, expected: string])[] = [
    ['commas and quotes', 'a,b\r\n"1,5","say ""x"""\r\n', 'a | b / 1,5 | say "x"'],
    ['semicolons beside decimal commas', 'a;b\n1,5;2,5\n3,5;4,5\n', 'a | b / 1,5 | 2,5 / 3,5 | 4,5'],
    ['semicolons where each row has as many commas', 'a;b\nx;2,5\ny;4,5\n', 'a | b / x | 2,5 / y | 4,5'],
    ['tabs between quoted cells', '"a"\t"b"\n"1,000"\t"2"\n', 'a | b / 1,000 | 2'],
    ['bars', 'a|b\n1|2\n', 'a | b / 1 | 2'],
    ['one column', 'Sales\n1\n2\n', 'Sales / 1 / 2'],
    ['one column of decimal commas', 'Umsatz\n9.454,07\n10,5 €\n', 'Umsatz / 9.454,07 / 10,5 €'],
    ['the line in which Excel names the delimiter', 'sep=;\r\na;b\r\n1;2\r\n', 'a | b / 1 | 2'],
    ['blank lines and short rows, which keep their numbers', 'T\n\na,b\n1,2\n', 'T /  / a | b / 1 | 2'],
    ['a line break in a cell', 'a,b\n"1\n2",3\n', 'a | b / 1\n2 | 3'],
    ['a quote within a cell', 'a,b\n12" pipe,3\n', 'a | b / 12" pipe | 3'],
    ['line ends of several kinds', 'a,b\r1,2\n3,4\r\n', 'a | b / 1 | 2 / 3 | 4'],
    ['UTF-16, high byte first', Buffer.from('\ufeffa\té\n', 'utf16le').swap16(), 'a | é'],
  ];
  for (const [title, content, expected] of tables) {
    it(`reads ${title}`, () => assert.equal(table(content), expected));
  }

  const refusals: readonly (readonly [title: string, content: string | Uint8Array, expected: RegExp])[] = [
    ['too many columns', `${'a,'.repeat(200)}b\n`, /201 columns; at most 200/],
    ['rows in JSON', '[{"a":1,"b":"x"}]\n', /this is JSON, not a table; give a workbook/],
    [
      'a frame that R printed',
      '       month sales\n1 2024-01-01  12.5\n2 2024-02-01 113.5\n',
      /looks like a table as R or pandas prints it/,
    ],
    [
      'a tibble',
      '# A tibble: 2 × 2\n   month      sales\n   <date>     <dbl>\n 1 2024-01-01  12.5\n 2 2024-02-01  12  \n',
      /write\.csv/,
    ],
    [
      'a frame that pandas printed',
      '            sales  price\nmonth                   \n2024-01-31   12.5      1\n2024-02-29   12.5      1\n...           ...    ...\n2024-12-31   12.5      1\n',
      /to_csv/,
    ],
  ];
  for (const [title, content, expected] of refusals) {
    it(`refuses ${title}`, () => assert.match(refusal(content), expected));
  }
});
