/** Dates of the proleptic Gregorian calendar. The expected days are counted year by year, and not by the Date of the platform, which the program uses. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dateOfStep, dateUnits, parseMoment, type DateStep } from '../../../src/kinds/forecast/calendar.js';

const step = (unit: DateStep['unit'], count = 1): DateStep => ({ unit, count });
const series = (start: string, each: DateStep, count: number): (string | null)[] =>
  Array.from({ length: count }, (_, i) => dateOfStep(start, each, i));

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const lengths = (year: number): number[] => [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The date so many days after 0001-01-01, counted year by year. */
function day(days: number): string {
  let [year, left] = [1, days];
  for (; left >= (isLeap(year) ? 366 : 365); year++) left -= isLeap(year) ? 366 : 365;
  const months = lengths(year);
  let month = 0;
  for (; left >= (months[month] ?? 0); month++) left -= months[month] ?? 0;
  return [String(year).padStart(4, '0'), ...[month + 1, left + 1].map((part) => String(part).padStart(2, '0'))].join('-');
}
const last_day = 3_652_058;

describe('the calendar of forecasts', () => {
  it('counts days, weeks and hours as the calendar does, over leap years and centuries', () => {
    assert.equal(day(last_day), '9999-12-31');
    const days = fc.integer({ min: 0, max: last_day });
    fc.assert(
      fc.property(days, days, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        assert.equal(dateOfStep(day(from), step('day'), to - from), day(to));
        const hours = dateOfStep(day(from), step('hour'), (to - from) * 24 + 5);
        assert.equal(hours, `${day(to)}T05:00:00Z`);
        const weeks = Math.floor((to - from) / 7);
        assert.equal(dateOfStep(day(from), step('week'), weeks), day(from + 7 * weeks));
      }),
    );
  });

  it('counts months from the start, to the last day of a shorter month', () => {
    const months = '2023-10-31 2023-11-30 2023-12-31 2024-01-31 2024-02-29 2024-03-31';
    assert.equal(series('2023-10-31', step('month'), 6).join(' '), months);
    assert.equal(series('2025-11-30', step('quarter'), 3).join(' '), '2025-11-30 2026-02-28 2026-05-30');
    const years = '2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29';
    assert.equal(series('2024-02-29', step('year'), 5).join(' '), years);
    assert.equal(dateOfStep('2000-02-29', step('year', 100), 1), '2100-02-28');
    assert.equal(dateOfStep('2000-02-29', step('year', 400), 1), '2400-02-29');
    assert.equal(dateOfStep('2026-01-15', step('month', 18), 3), '2030-07-15');
  });

  it('keeps the given offset, and knows no daylight saving time', () => {
    const hours = [0, 1, 2, 3].map((hour) => `2026-03-29T0${hour}:30:00+01:00`);
    assert.deepEqual(series('2026-03-29T00:30:00+01:00', step('hour'), 4), hours);
    assert.equal(dateOfStep('2026-12-31T23:15:00.25-05:30', step('hour', 2), 1), '2027-01-01T01:15:00.25-05:30');
    assert.equal(dateOfStep('2026-01-31T08:00:00Z', step('month'), 1), '2026-02-28T08:00:00Z');
    assert.equal(dateOfStep('2026-01-31', step('hour', 36), 1), '2026-02-01T12:00:00Z');
  });

  it('ends with the year 9999', () => {
    assert.equal(dateOfStep('9999-12-30', step('day'), 1), '9999-12-31');
    assert.equal(dateOfStep('9999-12-30', step('day'), 2), null);
    assert.equal(dateOfStep('9999-12-31T22:59:59-12:00', step('hour'), 1), '9999-12-31T23:59:59-12:00');
    assert.equal(dateOfStep('9999-12-31T22:59:59-12:00', step('hour'), 2), null);
    assert.equal(dateOfStep('0001-01-31', step('month', 1000), 119), '9917-09-30');
    for (const unit of dateUnits) assert.equal(dateOfStep('9999-12-31T23:00:00Z', step(unit), 1), null);
    assert.equal(dateOfStep('0001-01-01', step('year', 1000), 21_000), null);
  });

  it('reads dates and times of RFC 3339 and nothing else', () => {
    const good = ['0001-01-01', '2024-02-29', '2026-01-01T00:00:00Z', '2026-01-01t23:59:59.123456789z'];
    for (const text of good) assert.notEqual(parseMoment(text), null, text);
    const bad = [
      ['', '0000-01-01', '2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-01-00', '2026-1-01'],
      ['2026-01-01T24:00:00Z', '2026-01-01T10:60:00Z', '2026-12-31T23:59:60Z', '2026-01-01T10:00Z', '2026-01-01T10:00:00'],
      ['2026-01-01 10:00:00Z', '+12026-01-01', ' 2026-01-01', '2026-01-01T10:00:00+24:00', '2026-01-01T10:00:00+0200'],
      ['2026-01-01T10:00:00,5Z', '2026-01-01T10:00:00.Z', '\u0662\u0660\u0662\u0666-01-01', '2026-01-01\n'],
    ].flat();
    for (const text of bad) assert.equal(parseMoment(text), null, text);
  });
});
