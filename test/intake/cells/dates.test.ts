import assert from 'node:assert/strict';
import fc from 'fast-check';
import { civilText, dayText, readDates } from '../../../src/intake/cells/dates.js';
import type { Cell } from '../../../src/intake/types.js';
import { columnOf } from './column-of.js';

function dates(cells: readonly (string | Cell)[], dateOrder?: 'dmy' | 'mdy'): (string | null)[] {
  const reading = readDates(columnOf('Date', cells), { dateOrder });
  if (reading.outcome !== 'read') return assert.fail(JSON.stringify(reading));
  return reading.values.map((date) => (date === null ? null : `${civilText(date)}${date.zone ?? ''}`));
}

describe('dates of a column', () => {
  const forms: readonly (readonly [text: string, expected: string])[] = [
    ['2024/1/31', '2024-01-31'],
    ['2024-01', '2024-01-01'],
    ['2024M01', '2024-01-01'],
    ['202401', '2024-01-01'],
    ['2024', '2024-01-01'],
    ['31.01.2024', '2024-01-31'],
    ['1.2.24', '2024-02-01'],
    ['01.2024', '2024-01-01'],
    ['01/2024', '2024-01-01'],
    ['01/31/2024', '2024-01-31'],
    ['1/31/99', '1999-01-31'],
    ['31-01-2024', '2024-01-31'],
    ['Jan 2024', '2024-01-01'],
    ['Jan-24', '2024-01-01'],
    ["Jan '24", '2024-01-01'],
    ['January 2024', '2024-01-01'],
    ['janv. 2024', '2024-01-01'],
    ['févr. 2024', '2024-02-01'],
    ['Août 2024', '2024-08-01'],
    ['mars 2024', '2024-03-01'],
    ['mar 2024', '2024-03-01'],
    ['März 2024', '2024-03-01'],
    ['Mrz 24', '2024-03-01'],
    ['Dez. 2024', '2024-12-01'],
    ['2024 Jan', '2024-01-01'],
    ['31 Jan 2024', '2024-01-31'],
    ['31-Jan-24', '2024-01-31'],
    ['31. Januar 2024', '2024-01-31'],
    ['1er février 2024', '2024-02-01'],
    ['January 31st, 2024', '2024-01-31'],
    ['Wed 31 Jan 2024', '2024-01-31'],
    ['Mi, 31.01.2024', '2024-01-31'],
    ['mar. 30 janvier 2024', '2024-01-30'],
    ['mar 30, 2024', '2024-03-30'],
    ['31.01.2024 08:00 Uhr', '2024-01-31 08:00'],
    ['31/01/2024 à 14h30', '2024-01-31 14:30'],
    ['Semaine 5 - 2020', '2020-01-27'],
    ['Q1 2020', '2020-01-01'],
    ['2020-Q3', '2020-07-01'],
    ['T2 2020', '2020-04-01'],
    ['3. Quartal 2020', '2020-07-01'],
    ['2020-W05', '2020-01-27'],
    ['2021-W01', '2021-01-04'],
    ['2020W53', '2020-12-28'],
    ['KW 5 2020', '2020-01-27'],
    ['Week 5, 2020', '2020-01-27'],
    ['2024-01-31 08:00', '2024-01-31 08:00'],
    ['2024-01-31T08:00:30', '2024-01-31 08:00:30'],
    ['2024-01-31T08:00:00Z', '2024-01-31 08:00Z'],
    ['2024-01-31T08:00:00.000+0200', '2024-01-31 08:00+02:00'],
    ['2023-02-28 00:00:00', '2023-02-28 00:00'],
    ['31.12.2023 24:00', '2024-01-01 00:00'],
    ['31.01.2024 08:00 - 09:00', '2024-01-31 08:00'],
    ['31.01.2024 08:00', '2024-01-31 08:00'],
    ['1/31/2024 8:05 PM', '2024-01-31 20:05'],
    ['1/31/2024 12:05 am', '2024-01-31 00:05'],
  ];
  for (const [text, expected] of forms) it(`reads ${text}`, () => assert.deepEqual(dates([text, 'n/a']), [expected, null]));

  const nothing = [
    '31.02.2024',
    '2023-02-29',
    '2024-13',
    'Foo 2024',
    '32/01/2024',
    '2021-W53',
    '2024-01-31 25:00',
    'Q5 2020',
    '24-Jan',
    '240101',
    'Total',
    '5',
    '13:00',
  ];
  for (const text of nothing) {
    it(`refuses ${text}`, () => {
      const reading = readDates(columnOf('Date', ['2024-01-01', text]), {});
      assert.equal(reading.outcome, 'faulty');
      assert.deepEqual([reading.faults[0]?.rows, reading.faults[0]?.cell], [[3], text]);
    });
  }

  it('decides the order of day and month by the column', () => {
    assert.deepEqual(dates(['1/1/2024', '1/13/2024']), ['2024-01-01', '2024-01-13']);
    assert.deepEqual(dates(['1/2/2024', '13/1/2024']), ['2024-02-01', '2024-01-13']);
    assert.deepEqual(dates(['1/1/2024', '2/2/2024']), ['2024-01-01', '2024-02-02']);
    assert.deepEqual(dates(['1/2/2024', '3/4/2024'], 'mdy'), ['2024-01-02', '2024-03-04']);
  });

  it('takes midnight in a workbook as a time where another cell has one', () => {
    const cells = ['31T00', '31T08'].map((end): Cell => ({ type: 'date', text: `2024-01-${end}:00:00` }));
    assert.deepEqual(dates(cells), ['2024-01-31 00:00', '2024-01-31 08:00']);
    assert.deepEqual(dates(cells.slice(0, 1)), ['2024-01-31']);
  });

  it('asks where both orders fit, with the first cell in which they differ', () => {
    const reading = readDates(columnOf('Date', ['01/01/2024', '01/02/2024', '01/03/2024']), {});
    assert.deepEqual(reading, {
      outcome: 'choice',
      choice: {
        about: 'date',
        cell: '01/02/2024',
        row: 3,
        readings: [
          { label: 'Read 01/02/2024 as 2024-02-01 (day first)', option: { dateOrder: 'dmy' } },
          { label: 'Read 01/02/2024 as 2024-01-02 (month first)', option: { dateOrder: 'mdy' } },
        ],
      },
    });
  });

  it('lists the cells of the other order where neither fits', () => {
    const reading = readDates(columnOf('Date', ['13/1/2024', '1/13/2024', '14/1/2024']), {});
    assert.equal(reading.outcome, 'faulty');
    assert.deepEqual(reading.faults[0]?.rows, [3]);
  });

  it('refuses two digits as a year where the order of the rows says that they are a day', () => {
    const unclear = [
      ['24-01-01', '24-02-01', '24-03-01', '24-12-01', '25-01-01', '25-02-01'],
      ['Jan 30', 'Jan 31'],
    ];
    for (const cells of unclear) assert.equal(readDates(columnOf('Date', cells), {}).outcome, 'faulty');
    assert.deepEqual(dates(['31-12-20', '31-12-21', '31-12-22']), ['2020-12-31', '2021-12-31', '2022-12-31']);
  });

  it('reads back every day that it writes, in each form', () => {
    const day = fc.integer({ min: Date.UTC(1900, 0, 1) / 86_400_000, max: Date.UTC(2199, 11, 31) / 86_400_000 });
    const months = ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'];
    const print: readonly ((date: Date) => string)[] = [
      (date) => date.toISOString().slice(0, 10),
      (date) => date.toISOString().replace('.000Z', ''),
      (date) => date.toLocaleDateString('de-DE', { timeZone: 'UTC' }),
      (date) => `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`,
      (date) => date.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' }),
      (date) => date.toLocaleDateString('en-GB', { timeZone: 'UTC', dateStyle: 'full' }),
      (date) => date.toLocaleDateString('fr-FR', { timeZone: 'UTC', dateStyle: 'full' }),
      (date) => date.toISOString().slice(0, 10).replaceAll('-', ''),
    ];
    fc.assert(
      fc.property(day, fc.constantFrom(...print), (days, form) => {
        const date = new Date(days * 86_400_000);
        const [text] = dates([form(date)]);
        assert.equal(
          text?.slice(0, 10),
          dayText({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }),
        );
      }),
    );
  });
});
