/** Spreadsheets of reports as other programs read them: numbers as numbers, dates as dates, and nothing that a spreadsheet would compute. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import readExcelFile from 'read-excel-file/node';
import { renderMission, type ReportFormat } from '../../src/app/exports/report.js';
import { csvText } from '../../src/reports/csv.js';
import { completed, forecast } from '../support/app/given-home.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { requirePart } from '../support/real.js';

const dated = { start: '2026-01-31', step: { unit: 'month_end', count: 1 }, horizon: 3 };

describe('spreadsheets of a report', function () {
  let homes: TemporaryHome;
  let id: string;
  before(async () => {
    homes = temporaryHome();
    ({ id } = await completed(homes.open(), forecast('=HYPERLINK("http://x")', 24, dated)));
  });
  after(() => homes.remove());

  const file = (format: ReportFormat): Buffer => Buffer.from(renderMission(homes.open(), id, format).bytes);

  it('have the forecast with its dates and intervals as CSV', () => {
    const [head, first = '', ...more] = file('csv').toString('utf8').trimEnd().split('\r\n');
    assert.equal(head, 'Step,Date,Forecast,50 % from,50 % to,80 % from,80 % to,95 % from,95 % to');
    assert.match(first, /^1,2028-01-31,-?\d+(?:\.\d+)?(?:,-?\d+(?:\.\d+)?){6}$/);
    assert.equal(more.length, 2);
  });

  it('are workbooks in which numbers are numbers and dates are dates', async () => {
    const [sheet] = await readExcelFile(file('xlsx'));
    assert.equal(sheet?.sheet, 'Forecast');
    assert.deepEqual(sheet.data[1]?.slice(0, 2), [1, new Date('2028-01-31')]);
    assert.ok(sheet.data[1]?.slice(2).every((cell) => typeof cell === 'number'));
  });

  it('are read alike by openpyxl, which takes no text for a formula', function () {
    requirePart(this, 'python-formats');
    const path = join(homes.root, 'report.xlsx');
    writeFileSync(path, file('xlsx'));
    const program = `import openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1])
row = list(book['Forecast'].iter_rows(min_row=2, max_row=2))[0]
print(book.sheetnames, [cell.data_type for cell in row], row[1].value.isoformat(), book['About']['B2'].data_type)`;
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', program, path], { encoding: 'utf8' });
    assert.equal(
      stdout,
      "['Forecast', 'Holdout', 'Models', 'About'] ['n', 'd', 'n', 'n', 'n', 'n', 'n', 'n', 'n'] 2028-01-31T00:00:00 s\n",
      stderr,
    );
  });

  it('mark texts that a spreadsheet would compute, and leave numbers', () =>
    assert.equal(
      csvText([['=1+1', '+x', '-y', '@z', -5, 'a=b', 'say "hi"', { date: '2026-12-07 08:00' }, null]]),
      `'=1+1,'+x,'-y,'@z,-5,a=b,"say ""hi""",2026-12-07 08:00,\r\n`.replace('00:,', '00,'),
    ));
});
