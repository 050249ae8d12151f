/** Columns of a series that are known beforehand: promotions and prices beside the values, with rows for the steps ahead. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unwrap } from '../../../src/base/result.js';
import { decode } from '../../../src/codec/kit.js';
import { compareFiles } from '../../../src/intake/compare/compare.js';
import type { IntakeOptions } from '../../../src/codec/api-intake.js';
import { missionRequest } from '../../../src/kinds/request.js';
import { choicesOf, counted, lines, messagesOf, paste, two, workOf } from './paste.js';

const day = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
const promo = (i: number): number => (i % 5 === 3 ? 1 : 0);
const [count, ahead] = [20, 6];
/** Twenty days with sales, and six ahead. */
const sheet = (row: (i: number) => string = (i) => `${day(i)},${i < count ? 100 + i : ''},${promo(i)},9.${i}`): string =>
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
      sheet((i) => `${day(i)},${i},${promo(i)},9.${i}`),
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
    assert.deepEqual(
      outcome.preview?.columns.map(({ member }) => member),
      ['date', 'value', 'regressor', null],
    );
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
      const text = sheet((i) => `${day(i)},${i < count ? i : ''},${marks[1 - promo(i)]},1`);
      assert.deepEqual(
        (await workOf('forecast', text, options))['regressors'],
        { Promo: counted(count + ahead, promo) },
        marks[0],
      );
    }
    const mixed = sheet((i) => `${day(i)},${i < count ? i : ''},${i === 3 ? 'maybe' : 'x'},1`);
    assert.match(await messagesOf('forecast', mixed, options), /Promo" has text, not a number/);
  });

  it('are joined by month as the values are', async () => {
    const text = `Date,Sales,Promo\n${lines(425, (i) => `${day(i)},${i < 366 ? 2 : ''},${promo(i)}`)}`;
    const { regressors, horizon } = await workOf('forecast', text, { ...options, every: 'month', sum: true });
    const inMonth = (m: number): number =>
      counted(425, (i) => (day(i).startsWith(m < 12 ? `2024-${two(m + 1)}` : `2025-${two(m - 11)}`) ? promo(i) : 0)).reduce(
        (a, b) => a + b,
      );
    assert.deepEqual([horizon, regressors], [2, { Promo: counted(14, inMonth) }]);
  });

  it('are refused with a step without a value, and where they end with the series', async () => {
    const blank = (i: number): string => `${day(i)},${i < count ? i : ''},${i === 7 ? '' : promo(i)},1`;
    assert.match(await messagesOf('forecast', sheet(blank), options), /^Column "Promo" has no value for 2024-01-08\./);
    const undated = sheet(blank).replaceAll(/^[^,]+,/gm, '');
    assert.match(await messagesOf('forecast', undated, options), /^Column "Promo" has no value in row 9\./);
    const short = `Date,Sales,Promo\n${lines(count, (i) => `${day(i)},${i},${promo(i)}`)}`;
    assert.match(
      await messagesOf('forecast', short, options),
      /Promo" ends with the series.* the value of the series left blank\.$/,
    );
    const constant = sheet((i) => `${day(i)},${i < count ? i : ''},0,1`);
    assert.match(await messagesOf('forecast', constant, options), /regressors\.Promo is the same at every observed step/);
  });
});
