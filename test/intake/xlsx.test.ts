import assert from 'node:assert/strict';
import readExcelFile from 'read-excel-file/node';
import { xlsxBytes } from '../../src/reports/xlsx.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { readFiles } from '../../src/intake/read.js';
import type { Cell, Sheet } from '../../src/intake/types.js';
import { readXlsx } from '../../src/intake/xlsx/workbook.js';
import { packed, workbookBytes, workbookParts, type WorkbookParts } from '../support/intake/workbook.js';
import { intakeCases } from './expected.js';

async function sheetOf(given: WorkbookParts): Promise<Sheet> {
  const [sheet] = unwrap(await readXlsx(await workbookBytes(given))).sheets;
  assert(sheet !== undefined);
  return sheet;
}

const shown = (cell: Cell): string =>
  cell.type === 'blank' ? '' : `${cell.type} ${cell.text}${cell.type === 'number' ? (cell.unit ?? '') : ''}`;
const shownRows = (sheet: Sheet): string[][] => sheet.rows.map((row) => row.map(shown));

const cellsOf = async (cells: string, given: WorkbookParts = {}): Promise<string[]> =>
  shownRows(await sheetOf({ rows: `<row>${cells}</row>`, ...given }))[0] ?? [];

async function refusal(bytes: Buffer): Promise<string> {
  const read = await readXlsx(bytes);
  assert(isRefused(read));
  return `${read.left.code}: ${read.left.detail}`;
}
const refused = async (given: WorkbookParts): Promise<string> => refusal(await workbookBytes(given));

describe('a workbook: cells', () => {
  it('keeps the digits of numbers as the file has them', async () =>
    assert.deepEqual(await cellsOf('<c><v>1234.5600000000001</v></c><c><v>1E-3</v></c><c><v>-7</v></c>'), [
      'number 1234.5600000000001',
      'number 1E-3',
      'number -7',
    ]));

  it('joins the runs of a text without what is spoken or struck out', async () => {
    const cells =
      '<c t="s"><v>1</v></c><c t="inlineStr"><is><r><rPr><strike/></rPr><t>out</t></r><r><rPr><strike val="0"/></rPr><t>in</t></r><r><t>line</t></r></is></c><c t="inlineStr"/>';
    const strings =
      '<si><t>a</t></si><si><r><t>b</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>1</t></r><r><rPr><strike/></rPr><t>7</t></r><r><t xml:space="preserve"> c2</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si>';
    assert.deepEqual(await cellsOf(cells, { strings }), ['text b¹ c2', 'text inline']);
  });

  it('reads formulas by the value that is stored, and tells one without', async () => {
    const cells =
      '<c><f>A1+1</f><v>5</v></c><c t="str"><f>T(A1)</f><v>x</v></c><c t="str"><f>T(B1)</f><v></v></c><c><f>A1*2</f></c><c><f>B1</f><v>0.0</v></c><c t="b"><f>B1</f><v>0</v></c>';
    const read = ['number 5', 'text x', '', 'fault =A1*2'];
    assert.deepEqual(await cellsOf(cells), [...read, 'number 0.0', 'text FALSE']);
    assert.deepEqual(await cellsOf(cells, { properties: '<calcPr fullCalcOnLoad="1"/>' }), [...read, 'fault =B1', 'text FALSE']);
  });

  it('tells errors, booleans and dates that are typed', async () =>
    assert.deepEqual(
      await cellsOf(
        '<c t="e"><v>#N/A</v></c><c t="b"><v>1</v></c><c t="d"><v>2024-02-29T00:00:00</v></c><c t="d"><v>2024-02-29T08:30:00.000Z</v></c><c/><c t="s"/>',
      ),
      ['fault #N/A', 'text TRUE', 'date 2024-02-29', 'date 2024-02-29T08:30:00'],
    ));

  it('decodes the characters that XML does not have', async () =>
    assert.deepEqual(await cellsOf('<c t="str"><v>a_x000A_b &amp; c &#228;</v></c>'), ['text a\nb & c ä']));

  it('finds the place of a cell by its name, or after the one before', async () =>
    assert.deepEqual(
      shownRows(await sheetOf({ rows: '<row r="2"><c r="B2"><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>' })),
      [[], ['', 'number 1', 'number 2'], ['number 3']],
    ));

  it('reads the names of elements with any prefix', async () => {
    const parts = workbookParts({ rows: '<row><c><v>1</v></c></row>' });
    const prefixed = Object.entries(parts).map(([name, text]) => [
      name,
      name.endsWith('.rels')
        ? text
        : String(text)
            .replaceAll(/<(\/?)(?=\w)/g, '<$1x:')
            .replace('xmlns=', 'xmlns:x='),
    ]);
    const { sheets } = unwrap(await readXlsx(await packed(Object.fromEntries(prefixed))));
    assert.deepEqual(sheets.map(shownRows), [[['number 1']]]);
  });
});

describe('a workbook: formats of numbers', () => {
  const read = async (value: string, code: string, properties = ''): Promise<string | undefined> =>
    (await cellsOf(`<c s="1"><v>${value}</v></c>`, { formats: [code], properties }))[0];

  const cases: readonly (readonly [code: string, value: string, expected: string])[] = [
    ['General', '45000', 'number 45000'],
    ['[$-409]#,##0.00', '9052.5', 'number 9052.5'],
    ['General" days"', '7', 'number 7days'],
    ['#,##0 "days"', '7', 'number 7days'],
    ['0.0,\\ "kW"', '7', 'number 7'],
    ['[Red]0.00E+00', '7', 'number 7'],
    [`0${'_ '.repeat(126)}"h"`, '7', 'number 7'],
    ['yyyy-mm-dd', '45292', 'date 2024-01-01'],
    ['mmm-yy', '45292', 'date 2024-01-01'],
    ['mmmm', '45292', 'date 2024-01-01'],
    ['[$-409]d/m/yyyy h:mm;@', '45292.5', 'date 2024-01-01T12:00:00'],
    ['dd.mm.yyyy hh:mm', '45292.333333333336', 'date 2024-01-01T08:00:00'],
    ['yyyy-mm-dd', '1', 'date 1900-01-01'],
    ['yyyy-mm-dd', '59', 'date 1900-02-28'],
    ['yyyy-mm-dd', '60', 'number 60'],
    ['yyyy-mm-dd', '61', 'date 1900-03-01'],
    ['yyyy-mm-dd', '2958465', 'date 9999-12-31'],
    ['yyyy-mm-dd', '2958466', 'number 2958466'],
    ['yyyy-mm-dd', '-1', 'number -1'],
    ['h:mm', '0.0625', 'text 1:30'],
    ['[h]:mm:ss', '1.0625', 'text 25:30'],
    ['mm:ss', '0.0005787037037037037', 'text 0:00:50'],
    ['[m]', '1.0625', 'text 25:30'],
    ['0.0%', '0.28999999999999998', 'number 29%'],
    ['0%', '7.0000000000000007E-2', 'number 7%'],
    ['#,##0.00 "k€"', '1200.5', 'number 1200.5k€'],
    ['[$EUR] #,##0', '1200', 'number 1200EUR'],
    ['[$€-407]#,##0', '1200', 'number 1200€'],
    ['"CA$"#,##0.00', '1200', 'number 1200CA$'],
    ['"Rs. " #,##0', '1200', 'number 1200Rs'],
    ['$#,##0;[Red]($#,##0)', '-300', 'number -300$'],
  ];
  for (const [code, value, expected] of cases)
    it(`reads ${value} as ${code}`, async () => assert.equal(await read(value, code), expected));

  it('counts the days from 1904 where the workbook does', async () =>
    assert.equal(await read('43830', 'yyyy-mm-dd', '<workbookPr date1904="1"/>'), 'date 2024-01-01'));

  it('knows the dates and percentages that have a number in place of a format', async () => {
    const styles = (id: number) => ({
      parts: { 'xl/styles.xml': `<styleSheet><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>` },
    });
    const of = (id: number) => cellsOf('<c s="0"><v>45292</v></c>', styles(id)).then(([cell]) => cell);
    const [day, other] = ['date 2024-01-01', ['text 1087008:00', 'number 4529200%', 'number 45292']];
    assert.deepEqual(await Promise.all([of(14), of(22), of(20), of(9), of(4)]), [day, `${day}T00:00:00`, ...other]);
  });
});

describe('a workbook: layout', () => {
  it('gives each row of merged cells their value, and leaves a title alone', async () => {
    const sheet = await sheetOf({
      rows: '<row r="1"><c r="A1" t="str"><v>Plan</v></c></row><row r="2"><c r="A2" t="str"><v>Job</v></c><c r="B2" t="str"><v>Mill</v></c></row><row r="3"><c r="C3"><v>1</v></c></row>',
      after: '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:A9"/><mergeCell ref="B2:C2"/></mergeCells>',
    });
    assert.deepEqual(shownRows(sheet), [['text Plan'], ['text Job', 'text Mill', 'text Mill'], ['text Job', '', 'number 1']]);
    assert.deepEqual(sheet.notes, ['Merged cells: A1:C1, A2:A9, B2:C2. Their value stands for each row.']);
  });

  it('notes hidden rows, columns and sheets, and reads them', async () => {
    const { 'xl/workbook.xml': workbook = '' } = workbookParts();
    const sheet = await sheetOf({
      before: '<cols><col min="2" max="3" hidden="1"/></cols>',
      rows: '<row r="1"><c r="A1"><v>1</v></c></row><row r="2" hidden="true"><c r="B2"><v>2</v></c></row>',
      parts: { 'xl/workbook.xml': String(workbook).replace('sheetId', 'state="veryHidden" sheetId') },
    });
    assert.deepEqual(shownRows(sheet), [['number 1'], ['', 'number 2']]);
    assert.deepEqual(sheet.notes, [
      'The sheet Data is hidden.',
      'Hidden rows were read too: 2.',
      'Hidden columns were read too: B, C.',
    ]);
  });

  it('leaves out sheets that are charts, and cells that only have a format, and puts hidden sheets last', async () => {
    const { 'xl/workbook.xml': workbook = '', 'xl/_rels/workbook.xml.rels': rels = '' } = workbookParts();
    const { sheets } = unwrap(
      await readXlsx(
        await workbookBytes({
          rows: '<row r="1048576"><c r="XFD1048576" s="1"/></row>',
          parts: {
            'xl/workbook.xml': String(workbook).replace(
              '<sheets>',
              '<sheets><sheet name="Old" state="hidden" r:id="a"/><sheet name="Chart" r:id="ch"/>',
            ),
            'xl/_rels/workbook.xml.rels': String(rels).replace(
              '</Rel',
              '<Relationship Id="ch" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/></Rel',
            ),
          },
        }),
      ),
    );
    assert.equal(sheets.map(({ name, rows }) => `${name} ${rows.length}`).join(), 'Data 0,Old 0');
  });
});

describe('a workbook that is refused', () => {
  it('is not well-formed, not text, or without a text that it refers to', async () => {
    assert.match(await refused({ rows: '<row><c t="s"><v>0</v></c></row>' }), /the sheet Data refers to a text that is missing/);
    assert.match(await refused({ parts: { 'xl/styles.xml': '<a><b></a>' } }), /xl\/styles.xml is not well-formed XML/);
    assert.match(await refused({ parts: { 'xl/styles.xml': '<a>&unknown;</a>' } }), /is not well-formed XML/);
    assert.match(await refused({ parts: { 'xl/styles.xml': Buffer.from([0x3c, 0xe4, 0x3e]) } }), /is not text in UTF-8/);
  });
});

describe('a workbook with a first sheet that is too large, or a cover', () => {
  const months = Array.from({ length: 12 }, (_, i) => [{ date: `2024-${String(i + 1).padStart(2, '0')}-01` }, i + 1.5]);
  const wide = [Array.from({ length: 201 }, (_, i) => `Column ${i}`)];
  const read = async (sheet?: string, rows = wide) => {
    const bytes = xlsxBytes([
      { name: 'Raw', rows },
      { name: 'Sales', rows: [['Month', 'Sales'], ...months] },
    ]);
    return readFiles('forecast', [{ name: 'sales.xlsx', bytes }], sheet === undefined ? {} : { sheet });
  };

  it('is read where another sheet is meant', async () => {
    const outcome = await read('Sales');
    assert.equal(outcome.outcome === 'draft' && Object(outcome.draft).work.observations.length, 12);
    assert.deepEqual(outcome.preview?.sheets, ['Raw', 'Sales']);
  });

  it('is refused otherwise, with the flag that chooses another', async () => {
    const outcome = await read();
    assert(outcome.outcome === 'invalid');
    assert.deepEqual(
      outcome.errors.map(({ message, hint }) => [message, hint]),
      [['Sheet "Raw": column GS has a value; at most 200 columns are read.', '"Sales" has rows too: --sheet NAME']],
    );
    assert.deepEqual(outcome.preview?.sheets, ['Raw', 'Sales']);
    const cover = JSON.stringify(await read(undefined, [['Report'], ['of the year']]));
    assert.match(cover, /\\"Sales\\" has rows too: --sheet NAME, or --column NAME"/);
  });
});

describe('a workbook beside a second reader', () => {
  const others = new Set(['bomb.xlsx', 'truncated.xlsx', 'formulas-uncached.xlsx']);
  const cases = intakeCases((name) => name.endsWith('.xlsx') && !others.has(name));
  const files = new Map(cases.map(({ files: [file] }) => [file?.name ?? '', file?.bytes ?? new Uint8Array()]));
  for (const [title, bytes] of files) {
    // It fills no merged cells.
    it(`has the same values: ${title}`, async () => {
      const { sheets } = unwrap(await readXlsx(bytes));
      const other = await readExcelFile(Buffer.from(bytes));
      assert.deepEqual(
        other.map(({ sheet }) => sheet),
        sheets.map(({ name }) => name),
      );
      other.forEach(({ data }, i) =>
        data.forEach((row, r) =>
          row.forEach((value, c) => {
            const text = value instanceof Date ? value.toISOString().slice(0, 10) : value;
            const cell = sheets[i]?.rows[r]?.[c];
            if (text !== null) assert.equal(cell !== undefined && 'text' in cell ? cell.text : undefined, String(text));
          }),
        ),
      );
    });
  }
});
