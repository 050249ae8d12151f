/** The dates that a table is read with are those that the mission gives its steps. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type DateStep, dateOfStep, instantAfter, stepsBetween } from '../../../src/kinds/forecast/calendar.js';
import { instantText, periodOf, periodStart, stepOf } from '../../../src/intake/mapping/series.js';

const ms_per_day = 86_400_000;
const day = fc.integer({ min: Date.UTC(1950, 0, 1) / ms_per_day, max: Date.UTC(2090, 0, 1) / ms_per_day });
const units = fc.constantFrom('hour', 'day', 'business_day', 'week', 'month', 'month_end', 'quarter', 'year');

/** Moves a day to one on which a series of the unit may begin. */
function startOf(days: number, { unit }: DateStep): number {
  const date = new Date(days * ms_per_day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'month_end') return Date.UTC(year, month + 1, 0);
  // The last days of a month are those of month ends too.
  if (unit === 'month' || unit === 'quarter' || unit === 'year') return Date.UTC(year, month, Math.min(date.getUTCDate(), 27));
  const weekday = (date.getUTCDay() + 6) % 7;
  return (unit === 'business_day' ? days - Math.max(0, weekday - 4) : days) * ms_per_day;
}

describe('series over dates', () => {
  it('find the step of a series in which dates are missing, and count its dates as the mission does', () => {
    fc.assert(
      fc.property(day, units, fc.array(fc.boolean(), { minLength: 20, maxLength: 60 }), (days, unit, kept) => {
        const step: DateStep = { unit, count: 1 };
        const start = startOf(days, step);
        // The first eight are there, so that the distance is known, and that days have a weekend.
        const positions = kept.flatMap((isKept, i) => (isKept || i < 8 || i === kept.length - 1 ? [i] : []));
        const instants = positions.map((i) => instantAfter(start, step, i));
        if (unit === 'hour') instants.push(instantAfter(start, step, kept.length + 1));
        assert.deepEqual(stepOf(instants), step);
        positions.forEach((i, k) => {
          const at = instants[k] ?? 0;
          assert.equal(stepsBetween(start, at, step), i);
          const expected = dateOfStep(instantText(start), step, i);
          assert.equal(unit === 'hour' ? new Date(at).toISOString().replace('.000', '') : instantText(at), expected);
        });
      }),
    );
  });

  it('reads other distances', () => {
    const dates = (...texts: string[]): DateStep | null => stepOf(texts.map((text) => Date.parse(`${text}Z`)));
    assert.deepEqual(dates('2024-01-01T00:00', '2024-01-01T06:00', '2024-01-01T18:00'), { unit: 'hour', count: 6 });
    assert.deepEqual(dates('2024-01-01', '2024-01-03', '2024-01-07'), { unit: 'day', count: 2 });
    assert.deepEqual(dates('2024-01-15', '2024-03-15', '2024-07-15'), { unit: 'month', count: 2 });
    assert.deepEqual(dates('2024-12-31', '2025-12-31', '2026-12-31'), { unit: 'year', count: 1 });
    assert.deepEqual(dates('2024-01-01', '2024-01-02', '2024-01-05'), { unit: 'day', count: 1 });
    assert.equal(dates('2024-01-01T00:00', '2024-01-01T00:15'), null);
    assert.equal(dates('2024-01-01'), null);
  });

  it('knows periods by their words, and where they begin', () => {
    assert.deepEqual(['month', 'Months', 'monthly', 'daily', 'weekly', 'hours', 'fortnight'].map(periodOf), [
      'month',
      'month',
      'month',
      'day',
      'week',
      'hour',
      null,
    ]);
    const begin = (period: 'hour' | 'week' | 'quarter' | 'year'): string =>
      instantText(periodStart(Date.parse('2024-05-16T13:45Z'), period));
    assert.deepEqual(
      [begin('hour'), begin('week'), begin('quarter'), begin('year')],
      ['2024-05-16 13:00', '2024-05-13', '2024-04-01', '2024-01-01'],
    );
  });
});
