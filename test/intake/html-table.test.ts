import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { utf8 } from '../../src/base/bytes.js';
import { isRefused, unwrap } from '../../src/base/result.js';
import { readHtmlTables } from '../../src/intake/html-table.js';

const sheetsOf = (html: string) =>
  unwrap(readHtmlTables(utf8(html))).sheets.map(({ name, rows, notes }) => ({
    name,
    rows: rows.map((row) => row.map((cell) => (cell.type === 'text' ? cell.text : ''))),
    notes,
  }));

function refusal(html: string): string {
  const read = readHtmlTables(utf8(html));
  assert(isRefused(read));
  return read.left.detail;
}

describe('the tables of a page', () => {
  it('have the text that a spreadsheet puts on the clipboard', () =>
    assert.deepEqual(
      sheetsOf(
        '<html><head><style>td{}</style></head><body><!--StartFragment--><table><col width=9><tr><td>Month</td><td x:num>Sales\n  (EUR)</td></tr><tr><td>Jan<br>2024</td><td></td></tr></table><!--EndFragment-->',
      ),
      [
        {
          name: null,
          rows: [
            ['Month', 'Sales (EUR)'],
            ['Jan 2024', ''],
          ],
          notes: [],
        },
      ],
    ));

  it('have the value of a merged cell in each place that it spans', () =>
    assert.deepEqual(
      sheetsOf(
        '<table><tr><th rowspan=2>Job</th><th colspan=2>Mill</th></tr><tr><td>a</td><td>b</td></tr><tr><td rowspan=9 colspan=0>x</td></tr></table>',
      ),
      [
        {
          name: null,
          rows: [['Job', 'Mill', 'Mill'], ['Job', 'a', 'b'], ['x']],
          notes: ['Merged cells: 3. Their value stands for each row and column.'],
        },
      ],
    ));

  it('are one sheet each, without those that only arrange others', () =>
    assert.deepEqual(
      sheetsOf(
        '<table><tr><td><table><caption> Sales </caption><tr><td>1</td></tr></table></td><td><table><tr><td>2</td></tr></table></td></tr></table>',
      ),
      [
        { name: 'Sales', rows: [['1']], notes: [] },
        { name: 'Table 2', rows: [['2']], notes: [] },
      ],
    ));

  it('leave out what a page does not show', () =>
    assert.deepEqual(sheetsOf('<table><tr><td>1<script>2</script><style>3</style><!--4--></td></tr></table>')[0]?.rows, [['1']]));

  it('are read in the encoding that the page declares, else as those of an office', () => {
    const head = '<meta charset="iso-8859-15">';
    const text = (bytes: Buffer) => unwrap(readHtmlTables(bytes)).sheets[0]?.rows[0]?.[0];
    const table = (before: string) => Buffer.from(`${before}<table><tr><td>Prix \u00a4</td></tr></table>`, 'latin1');
    assert.deepEqual(text(table(head)), { type: 'text', text: 'Prix €' });
    assert.deepEqual(text(table('')), { type: 'text', text: 'Prix ¤' });
    assert.match(unwrap(readHtmlTables(table(''))).notes.join(), /Windows-1252/);
  });

  it('may be nested deeply', () =>
    assert.deepEqual(sheetsOf(`${'<div>'.repeat(50_000)}<table><tr><td>${'<b>'.repeat(50_000)}1`)[0]?.rows, [['1']]));

  it('are refused where there are none, or too many cells', () => {
    assert.equal(refusal('<p>no table'), 'this page has no table');
    const fault = (table: string): string => unwrap(readHtmlTables(utf8(table))).sheets[0]?.fault ?? '';
    assert.match(fault(`<table><tr>${'<td>1</td>'.repeat(201)}</tr></table>`), /more than 200 columns/);
    assert.match(fault('<table><tr><td colspan=1000000>1</td></tr></table>'), /more than 200 columns/);
    assert.match(fault(`<table>${'<tr>'.repeat(100_001)}</table>`), /more than 100000 rows/);
  });
});
