/** The dates that a table is read with are those that the mission gives its steps; columns that are known beforehand. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type DateStep, dateOfStep, instantAfter, stepsBetween } from '../../../src/kinds/forecast/calendar.js';
import { instantText, periodOf, periodStart, stepOf } from '../../../src/intake/mapping/series.js';
import { unwrap } from '../../../src/base/refusal.js';
import { decode } from '../../../src/codec/kit.js';
import { compareFiles } from '../../../src/intake/compare/compare.js';
import type { IntakeOptions } from '../../../src/codec/api-intake.js';
import { missionRequest } from '../../../src/kinds/request.js';
import { choicesOf, counted, lines, messagesOf, paste, two, workOf } from './paste.js';
import { membersOf } from '../../support/lists.js';

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

const dayOf = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
const promo = (i: number): number => (i % 5 === 3 ? 1 : 0);
const [count, ahead] = [20, 6];
/** Twenty days with sales, and six ahead. */
const sheet = (row: (i: number) => string = (i) => `${dayOf(i)},${i < count ? 100 + i : ''},${promo(i)},9.${i}`): string =>
  `Date,Sales,Promo,Price\n${lines(count + ahead, row)}`;
const options: IntakeOptions = { column: 'Sales', map: { Promo: 'regressor' } };

describe('regressors of a file', () => {
  it('are offered where the rows go on after the values', async () => {
    const [choice] = await choicesOf('forecast', sheet());
    assert.deepEqual(choice?.readings[0], {
      label: 'Sales, with "Promo", "Price" as regressors',
      option: { column: 'Sales', map: { Promo: 'regressor', Price: 'regressor' } },
    });
    const [without] = await choicesOf(
      'forecast',
      sheet((i) => `${dayOf(i)},${i},${promo(i)},9.${i}`),
    );
    assert.equal(without?.readings.length, 3);
  });

  it('have a value for each observation and each step ahead, which is the horizon', async () => {
    const work = await workOf('forecast', sheet(), options);
    assert.deepEqual(
      [work['observations'], work['horizon'], work['regressors']],
      [counted(count, (i) => 100 + i), ahead, { Promo: counted(count + ahead, promo) }],
    );
    const shorter = await workOf('forecast', sheet(), { ...options, set: { horizon: 2 } });
    assert.deepEqual([shorter['horizon'], shorter['regressors']], [2, { Promo: counted(count + 2, promo) }]);
  });

  it('are read without dates and newest first, and recorded as columns that can be mapped again', async () => {
    const undated = sheet().replaceAll(/^[^,]+,/gm, '');
    assert.deepEqual((await workOf('forecast', undated, options))['regressors'], { Promo: counted(count + ahead, promo) });
    const [head, ...rows] = sheet().split('\n');
    const outcome = await paste('forecast', [head, ...rows.reverse()].join('\n'), options);
    assert.ok(outcome.outcome === 'draft');
    const { work, provenance } = outcome.draft as {
      work: { regressors: unknown };
      provenance: { files: { mapping: unknown }[] };
    };
    assert.deepEqual(work.regressors, { Promo: counted(count + ahead, promo) });
    assert.deepEqual(provenance.files[0]?.mapping, { Date: 'date', Sales: 'value', Promo: 'regressor' });
    assert.deepEqual(membersOf(outcome.preview?.columns ?? [], 'member'), ['date', 'value', 'regressor', null]);
  });

  it('are compared with the file that a request was made from', async () => {
    const outcome = await paste('forecast', sheet(), { ...options, set: { horizon: 4 } });
    assert.ok(outcome.outcome === 'draft');
    const request = unwrap(decode(missionRequest, outcome.draft));
    const compared = async (text: string) =>
      await compareFiles({ request, quotes: [] }, [{ name: 'paste.txt', bytes: Buffer.from(text) }]);
    const [same] = await compared(sheet());
    assert.deepEqual([same?.values, same?.difference], [{ same: 2 * count + 4, all: 2 * count + 4 }, null]);
    const [other] = await compared(sheet().replace('2024-01-05,104,0', '2024-01-05,104,1'));
    assert.deepEqual(other?.difference, { place: 'work.regressors.Promo[4]', recorded: '0', found: '1' });
  });

  it('are 1 and 0 where the column has marks', async () => {
    for (const marks of [
      ['x', ''],
      ['yes', 'no'],
      ['WAHR', 'FALSCH'],
      ['1', ''],
    ]) {
      const text = sheet((i) => `${dayOf(i)},${i < count ? i : ''},${marks[1 - promo(i)]},1`);
      assert.deepEqual(
        (await workOf('forecast', text, options))['regressors'],
        { Promo: counted(count + ahead, promo) },
        marks[0],
      );
    }
    const mixed = sheet((i) => `${dayOf(i)},${i < count ? i : ''},${i === 3 ? 'maybe' : 'x'},1`);
    assert.match(await messagesOf('forecast', mixed, options), /Promo" has text, not a number/);
  });

  it('are joined by month as the values are', async () => {
    const text = `Date,Sales,Promo\n${lines(425, (i) => `${dayOf(i)},${i < 366 ? 2 : ''},${promo(i)}`)}`;
    const { regressors, horizon } = await workOf('forecast', text, { ...options, every: 'month', sum: true });
    const inMonth = (m: number): number =>
      counted(425, (i) => (dayOf(i).startsWith(m < 12 ? `2024-${two(m + 1)}` : `2025-${two(m - 11)}`) ? promo(i) : 0)).reduce(
        (a, b) => a + b,
      );
    assert.deepEqual([horizon, regressors], [2, { Promo: counted(14, inMonth) }]);
  });

  it('are refused with a step without a value, and where they end with the series', async () => {
    const blank = (i: number): string => `${dayOf(i)},${i < count ? i : ''},${i === 7 ? '' : promo(i)},1`;
    assert.match(await messagesOf('forecast', sheet(blank), options), /^Column "Promo" has no value for 2024-01-08\./);
    const undated = sheet(blank).replaceAll(/^[^,]+,/gm, '');
    assert.match(await messagesOf('forecast', undated, options), /^Column "Promo" has no value in row 9\./);
    const short = `Date,Sales,Promo\n${lines(count, (i) => `${dayOf(i)},${i},${promo(i)}`)}`;
    assert.match(
      await messagesOf('forecast', short, options),
      /Promo" ends with the series.* the value of the series left blank\.$/,
    );
    const constant = sheet((i) => `${dayOf(i)},${i < count ? i : ''},0,1`);
    assert.match(await messagesOf('forecast', constant, options), /regressors\.Promo: is the same at every observed step/);
  });
});
