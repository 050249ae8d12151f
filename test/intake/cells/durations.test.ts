import assert from 'node:assert/strict';
import { readDurations, type DurationOptions } from '../../../src/intake/cells/durations.js';
import type { Cell } from '../../../src/intake/types.js';
import { columnOf } from './column-of.js';

const read = (cells: readonly (string | Cell)[], options: Partial<DurationOptions> = {}) =>
  readDurations(columnOf('Duration', cells), {
    unit: 'minute',
    plainSeconds: 60,
    dayHours: 24,
    openHours: 24,
    ...options,
  });

function values(cells: readonly (string | Cell)[], options?: Partial<DurationOptions>): readonly (number | null)[] {
  const reading = read(cells, options);
  return reading.outcome === 'read' ? reading.values : assert.fail(JSON.stringify(reading));
}

describe('durations of a column', () => {
  const minutes: readonly (readonly [text: string, expected: number | null])[] = [
    ['90', 90],
    ['1:30', 90],
    ['1:30:00', 90],
    ['0:20', 20],
    ['1h30', 90],
    ['1 h 30 min', 90],
    ['1h', 60],
    ['90 min', 90],
    ['90min.', 90],
    ['1.5 h', 90],
    ['1,5 Std.', 90],
    ['2 d', 2880],
    ['2 jours', 2880],
    ['1 Tag', 1440],
    ['1 day 2 hours', 1560],
    ['0 days 01:30:00', 90],
    ['1 wk', 10080],
    ['120 s', 2],
    ['', null],
    ['n/a', null],
  ];
  for (const [text, expected] of minutes)
    it(`reads ${text} as ${expected} minutes`, () => assert.deepEqual(values([text]), [expected]));

  it('reads plain numbers in the unit of their format, or of the header', () => {
    assert.deepEqual(values(['1.5', '0.25'], { plainSeconds: 3_600 }), [90, 15]);
    assert.deepEqual(values(['1,5', { type: 'number', text: '0.5', unit: 'd' }], { plainSeconds: 3_600 }), [90, 720]);
    assert.deepEqual(values(['120', '1:00'], { unit: 'hour' }), [2, 1]);
  });

  it('says how clock times and days are read', () => {
    const reading = read(['1:30', '0:20', '2 d']);
    assert.equal(reading.outcome, 'read');
    assert.match(
      reading.notes.join('\n'),
      /"1:30" in column "Duration" is read as 1 hour 30 minutes\.\nA day .* 24 hours \(1440 minutes\)/,
    );
  });

  it('asks how long a day is where a calendar has days of work', () => {
    const reading = read(['2 d'], { dayHours: null, openHours: 8 });
    assert.equal(reading.outcome, 'choice');
    assert.deepEqual(
      reading.choice.readings.map(({ label, option }) => [label, option]),
      [
        ['A day is 24 hours', { scale: { d: 24 } }],
        ['A day is 8 hours', { scale: { d: 8 } }],
      ],
    );
    assert.deepEqual(values(['2 d'], { dayHours: 8 }), [960]);
    assert.deepEqual(values(['90', '1:00'], { dayHours: null }), [90, 60]);
  });

  it('asks about a mark before three digits', () => {
    assert.equal(read(['1.500 h', '2 h']).outcome, 'choice');
    assert.deepEqual(values(['1.500 h', '2 h'], { decimal: '.' }), [90, 120]);
    assert.deepEqual(values(['1,500', '2'], { decimal: '.' }), [1500, 2]);
  });

  const faults: readonly (readonly [cells: string[], options: Partial<DurationOptions>, expected: RegExp, rows: number[]])[] = [
    [['30', '4O', '3O', '2O', 'l5'], {}, /letters/, [3, 4, 5, 6]],
    [['30', 'soon'], {}, /text, not a duration/, [3]],
    [['1:30'], { unit: 'hour' }, /not whole hours Plan in minutes\./, [2]],
    [['36 h', '1 d'], { unit: 'day' }, /not whole days Plan in hours\./, [2]],
    [['0:00:30'], {}, /not whole minutes Round them/, [2]],
    [['1:75'], {}, /no duration/, [2]],
    [['30 min 2 h'], {}, /no duration/, [2]],
    [['-5'], {}, /no duration/, [2]],
  ];
  for (const [cells, options, expected, rows] of faults) {
    it(`refuses ${cells.join(' | ')}`, () => {
      const reading = read(cells, options);
      assert.equal(reading.outcome, 'faulty');
      const [fault] = reading.faults;
      assert.match(`${fault?.cause} ${fault?.advice}`, expected);
      assert.deepEqual(fault?.rows, rows);
    });
  }
});
