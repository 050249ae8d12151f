import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ColumnReading } from '../../../src/intake/cells/column.js';
import { readNumbers } from '../../../src/intake/cells/numbers.js';
import type { Cell } from '../../../src/intake/types.js';
import { columnOf } from './column-of.js';

const read = (cells: readonly (string | Cell)[], name = 'Sales', decimal?: '.' | ','): ColumnReading<number> =>
  readNumbers(columnOf(name, cells), { decimal });

function values(cells: readonly (string | Cell)[], name?: string, decimal?: '.' | ','): readonly (number | null)[] {
  const reading = read(cells, name, decimal);
  return reading.outcome === 'read' ? reading.values : assert.fail(JSON.stringify(reading));
}
const unit = (cells: readonly (string | Cell)[], name?: string): string | null => {
  const reading = read(cells, name);
  return reading.outcome === 'read' ? reading.unit : assert.fail(JSON.stringify(reading));
};

/** A number of a workbook. */
const typed = (text: string, unit?: string): Cell => ({ type: 'number', text, ...(unit === undefined ? {} : { unit }) });

describe('numbers of a column', () => {
  /** Cells, parted by |, and their numbers. */
  const readings: Readonly<Record<string, (number | null)[]>> = {
    '1|22|333': [1, 22, 333],
    '9,860.30|10,905.56': [9860.3, 10905.56],
    '9.860,30|-10.905,56': [9860.3, -10905.56],
    '9 050|11 000,5': [9050, 11000.5],
    '9\u202f050|11\u00a0000': [9050, 11000],
    "1'234|5’678.25": [1234, 5678.25],
    '933,050|1,046,883': [933050, 1046883],
    '12,34,567|1,00,000': [1234567, 100000],
    'Rs.1,25,000/-|Rs. 40,500/-': [125000, 40500],
    '0,125|0,250': [0.125, 0.25],
    '1234,567|12,000': [1234.567, 12],
    '1.5|2.25': [1.5, 2.25],
    '(300)|−5|–7|+8|300-': [-300, -5, -7, 8, -300],
    '($1,300.50)|-$5.00|$-7.00': [-1300.5, -5, -7],
    '1e6|1.5E+03|2e-2': [1e6, 1500, 0.02],
    '.5|0.25': [0.5, 0.25],
    '|-|n/a|NA|null|NaN| |4': [null, null, null, null, null, null, null, 4],
    'Fr. 1’200.00|Fr. 5.50': [1200, 5.5],
    '1.500,-- €|-800,– €': [1500, -800],
  };
  for (const [cells, expected] of Object.entries(readings)) {
    it(`reads ${cells.replaceAll('|', ' | ')}`, () => assert.deepEqual(values(cells.split('|')), expected));
  }

  it('reads typed numbers as they are, beside texts', () => {
    assert.deepEqual(values([typed('1234.567'), '1.000', '1.234,5']), [1234.567, 1000, 1234.5]);
    assert.deepEqual(values([typed('1E-3')]), [0.001]);
  });

  const units: readonly (readonly [cells: (string | Cell)[], name: string, expected: string | null])[] = [
    [['€45,000.00', '€1.50'], 'Cost', 'EUR'],
    [['45 000 EUR', '1 000 EUR'], 'Cost', 'EUR'],
    [['45,5 M€'], 'Erlös (€)', 'M€'],
    [['US$5.50'], 'Cost (USD)', 'USD'],
    [['$5.50'], 'Cost (CAD)', 'CAD'],
    [['$5.50'], 'Coût (MXN)', 'MXN'],
    [['CA$5.50'], 'Cost (CAD)', 'CAD'],
    [['5 kr', '6 kr'], 'Cost (SEK)', 'SEK'],
    [['5 SEK', '6 SEK'], 'Cost (kr)', 'SEK'],
    [['$5.50'], 'Revenue (YTD)', 'USD'],
    [['€5.50'], 'Cost (k€)', 'k€'],
    [['Fr. 5.50'], 'Cost (CHF)', 'CHF'],
    [['12 %', '12.5%'], 'Share', '%'],
    [['1.5'], 'Load (kW)', 'kW'],
    [['1.5'], 'Load [kg/h]', 'kg/h'],
    [['1.5'], 'Gesamt (Netzlast) [MWh] Berechnete Auflösungen', 'MWh'],
    [['1,5'], 'Kosten in k€', 'k€'],
    [['1.5'], 'Sales (North)', null],
    [['1.5'], 'Sales (2024)', null],
    [['12 crates', '15 crates'], 'Sold', 'crates'],
    [['12 kg', ''], 'Sold', 'kg'],
    [[typed('12', '%')], 'Share', '%'],
    [[typed('12', '€'), typed('5')], 'Cost', 'EUR'],
  ];
  for (const [cells, name, expected] of units) {
    it(`reads the unit ${expected} of ${name}: ${JSON.stringify(cells)}`, () => assert.equal(unit(cells, name), expected));
  }

  it('asks where every mark stands before three digits, whatever the currency', () => {
    for (const cells of [['1,000', '€11,049'].slice(0, 1), ['11,049', '12'], ['€11,049', '€9,000']]) {
      const reading = read(cells);
      assert.equal(reading.outcome, 'choice');
    }
    const reading = read(['7', '11,049']);
    assert.deepEqual(reading, {
      outcome: 'choice',
      choice: {
        about: 'decimal',
        cell: '11,049',
        row: 3,
        readings: [
          { label: 'Read 11,049 as 11049', option: { decimal: '.' } },
          { label: 'Read 11,049 as 11.049', option: { decimal: ',' } },
        ],
      },
    });
    assert.deepEqual(values(['7', '11,049'], 'Sales', ','), [7, 11.049]);
    assert.deepEqual(values(['7', '11.049'], 'Sales', ','), [7, 11049]);
    // An answer settles only what is open.
    assert.deepEqual(values(['1,234.50'], 'Sales', ','), [1234.5]);
  });

  const faults: readonly (readonly [(string | Cell)[], RegExp, rows: number[], cell: string | null, name?: string])[] = [
    [['9.069,00', '9.589,3O', '9.l40,77'], /letters/, [3, 4], '9.589,3O'],
    [['30', '4O', 'l5'], /letters/, [3, 4], '4O'],
    [['30', 'about 5'], /letters/, [3], 'about 5'],
    [['30', 'soon'], /text, not a number/, [3], 'soon'],
    [['€5.50', '£6.50', '£7.50'], /another unit or currency than EUR/, [3, 4], '£6.50'],
    [['€5.50', '€6.50'], /another currency than USD in the header/, [2, 3], '€5.50', 'Cost (USD)'],
    [['5 M€', '6 M€'], /another currency than SEK in the header/, [2, 3], '5 M€', 'Cost (SEK)'],
    [['5', '12 %'], /unit or currency that the first cell does not have/, [3], '12 %'],
    [['12 %', '5'], /another unit or currency than %/, [3], '5'],
    [[typed('12', '%'), typed('0.15')], /unit or currency than %/, [3], '0.15'],
    [['5 kg', '5 crates'], /letters/, [3], '5 crates'],
    [['1,234.50', '1.234,50', '1,000.5'], /marks that differ/, [3], '1.234,50'],
    [['1,2,3', '12 15 120'], /marks that differ/, [2, 3], '1,2,3'],
    [['#REF!', '5', '#BEZUG!', '#NV', '#VALEUR!'], /error values/, [2, 4, 5, 6], '#REF!'],
    [[{ type: 'fault', text: '#N/A', cause: 'error' }, '5'], /error values/, [2], '#N/A'],
    [[{ type: 'fault', text: '=A1', cause: 'no_value' }, '5'], /formulas without a stored value/, [2], null],
    [['--5', '12\n345', '1\t000'], /letters or signs/, [2, 3, 4], '--5'],
    [['$5 €'], /two units/, [2], '$5 €'],
    [[{ type: 'date', text: '2024-01-01' }], /text, not a number/, [2], '2024-01-01'],
  ];
  for (const [cells, cause, rows, cell, name] of faults) {
    it(`refuses ${JSON.stringify(cells)}`, () => {
      const reading = read(cells, name);
      assert.equal(reading.outcome, 'faulty');
      const [fault] = reading.faults;
      assert.match(fault?.cause ?? '', cause);
      assert.deepEqual([fault?.rows, fault?.cell], [rows, cell]);
    });
  }

  it('reads what a person of any locale writes', () => {
    const thousands = fc.constantFrom(',', '.', ' ', '\u202f', "'", '');
    const amount = fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
      .map((x) => Math.round(x * 100) / 100);
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 20 }),
        thousands,
        fc.constantFrom('.', ','),
        fc.constantFrom('', ' €', ' kg'),
        (all, mark, decimal, suffix) => {
          fc.pre(mark !== decimal);
          const print = (x: number): string => {
            const [whole = '', fraction = ''] = Math.abs(x).toFixed(2).split('.');
            return `${x < 0 ? '-' : ''}${whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, mark)}${decimal}${fraction}${suffix}`;
          };
          assert.deepEqual(
            values(all.map(print)),
            all.map((x) => x + 0),
          );
        },
      ),
    );
  });
});
