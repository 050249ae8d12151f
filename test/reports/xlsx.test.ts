import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import readExcelFile from 'read-excel-file/node';
import { sha256Hex } from '../../src/base/hash.js';
import { columnLetters, xlsxBytes } from '../../src/reports/xlsx.js';

const sheets = [
  {
    name: 'A & "B"',
    rows: [
      ['Day', 'Count', 'Note'],
      [{ date: '2026-01-31' }, 0.1 + 0.2, ' =1+1 <é> '],
      [{ date: '1900-03-01' }, -1e21, null],
      [null, 0, 'half \ud800 and \u0001'],
    ],
  },
  { name: 'empty', rows: [] },
] as const;

describe('a workbook that is written', () => {
  it('is read by other programs: numbers as numbers, dates as dates, texts as texts', async () => {
    const [first, second] = await readExcelFile(Buffer.from(xlsxBytes(sheets)), { trim: false });
    assert.deepEqual(first, {
      sheet: 'A & "B"',
      data: [
        ['Day', 'Count', 'Note'],
        [new Date('2026-01-31'), 0.1 + 0.2, ' =1+1 <é> '],
        [new Date('1900-03-01'), -1e21, null],
        [null, 0, 'half \ufffd and \ufffd'],
      ],
    });
    assert.deepEqual(second, { sheet: 'empty', data: [] });
  });

  it('has the same bytes for the same cells', () => {
    const bytes = xlsxBytes(sheets);
    assert.deepEqual(
      [bytes.length, sha256Hex(bytes)],
      [4705, '957960b02dc9ca455e31320585daf20122c957b36ac339be669b58ade0036aa3'],
    );
  });

  it('names its columns as spreadsheets do', () =>
    assert.deepEqual([0, 25, 26, 701, 702, 16_383].map(columnLetters), ['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']));
});
