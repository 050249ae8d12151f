/** The charts of results: values by pointer and keyboard, units, dates, saved files. For the suite that serves the console. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { formatFor } from '../../src/console/kit/text/format.js';
import { words as forecastWords } from '../../src/console/operator/kinds/forecast/words.js';
import { words as scheduleWords } from '../../src/console/operator/kinds/schedule/words.js';
import { ask, loaded, recordOf, rowsOf, saved, type Signed, type Suite } from './console-given.js';

const f = formatFor('en-GB');
const t = forecastWords.en.result;

interface Forecast {
  readonly forecast: readonly number[];
  readonly forecast_dates?: readonly string[];
  readonly holdout_predictions: readonly number[];
  readonly intervals: readonly { readonly level: number; readonly lower: readonly number[]; readonly upper: readonly number[] }[];
}

const reading = (page: Page): Promise<string | null> => page.textContent('.reader .reading');
const slider = (page: Page, name: string): Locator => page.getByRole('slider', { name });

/** Whether the first match of one selector comes before that of another. */
const isBefore = (page: Page, first: string, second: string): Promise<boolean> =>
  ask(
    page,
    `(document.querySelector(${JSON.stringify(first)}).compareDocumentPosition(document.querySelector(${JSON.stringify(second)})) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0`,
  );

/** A shop that is open on Monday with a break at noon, and on Tuesday morning. */
const joinery = {
  kind: 'schedule',
  start: '2026-12-07 08:00',
  calendar: { weekly: { mon: ['08:00-12:00', '13:00-17:00'], tue: ['08:00-12:00'] } },
  machines: [{ id: 'm1', title: 'Panel saw' }],
  jobs: [
    { id: 'j1', title: 'Stairs', due: '2026-12-08', operations: [{ machine: 'm1', duration: 540 }] },
    { id: 'j2', title: 'Door', due: '2026-12-14 08:30', release: '2026-12-08', operations: [{ machine: 'm1', duration: 240 }] },
  ],
};

const months = Array.from({ length: 40 }, (_, i) => 100 + i + 12 * (i % 12));
const dated = {
  kind: 'forecast',
  observations: months,
  horizon: 4,
  season: 12,
  start: '2022-10-31',
  step: { unit: 'month' },
  unit: 'pieces',
};

/** Missions of which the cases show more than the examples do, by name. */
export const chartMissions = {
  dated: { goal: 'Sales of the next four months', work: dated },
  shop: { goal: 'Two orders of a joinery', work: joinery },
  spiked: {
    goal: 'Sales with a wrong decimal point',
    work: { ...dated, observations: months.map((value, i) => (i === 17 ? 9_000 : value)) },
  },
};

/** @param ids of the missions that are the examples of their kinds, and of those above */
export function chartCases(suite: Suite, ids: Readonly<Record<string, string>>): void {
  const open = (kind: string, options = {}): Promise<Signed> => suite.at(`#/missions/${ids[kind]}`, options);
  const resultOf = async (kind: string): Promise<unknown> => (await recordOf(suite.server(), ids[kind] ?? '')).result;

  it('show the next values of a forecast first, with the ends of the widest interval, and its accuracy below', async () => {
    const { forecast, intervals } = (await resultOf('forecast')) as Forecast;
    const { page, complaints } = await open('forecast');
    const rounded = (value: number | undefined): string => f.number(Number((value ?? Number.NaN).toPrecision(4)));
    const widest = intervals.toSorted((a, b) => b.level - a.level)[0];
    const first = page.locator('.figures').first().locator('> div').first();
    assert.equal(await first.locator('dt').textContent(), 'Step +1');
    assert.equal(await first.locator('.figure-value').textContent(), `${rounded(forecast[0])} visitors per day`);
    assert.equal(
      await first.locator('.figure-below').textContent(),
      `95% interval: ${rounded(widest?.lower[0])} to ${rounded(widest?.upper[0])}`,
    );
    assert.ok(await isBefore(page, '.figures', 'figure.chart'));
    assert.ok(await isBefore(page, 'figure.chart', '.figures:last-of-type'));
    assert.equal(await page.getByRole('heading', { name: t.accuracy }).count(), 1);
    assert.equal((await rowsOf(page, `[aria-label="${t.nextValues}"] table`)).length, 7);
    assert.deepEqual(complaints, []);
  });

  it('mark an outlier, name it with its date, and keep the scale for the other values', async () => {
    const { page } = await open('spiked');
    const texts = await page.locator('figure.chart .axis text').allTextContents();
    assert.ok(
      texts.every((text) => !/\d,\d{3}/.test(text)),
      texts.join(' | '),
    );
    assert.equal(await page.locator('.outlier circle').count(), 1);
    assert.equal(await page.locator('.outlier text').textContent(), '9,000');
    assert.match(
      (await page.textContent('.outliers li')) ?? '',
      /^Outlier of 9,000, 31 Mar 2024 \(step 18\): the forecast takes [\d.]+ in its place\. It lies beyond the scale, which is broken there\.$/,
    );
    const means = await page.locator('.outliers .explained').getAttribute('aria-description');
    assert.match(means ?? '', /^A value far from/);
  });

  it('show every interval of the next values without scrolling, on wide and on narrow screens', async () => {
    const { page } = await open('dated');
    for (const width of [1280, 740, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await loaded(page);
      const hidden = await ask(
        page,
        `(() => { const box = document.querySelector('[aria-label="${t.nextValues}"]'); return box.scrollWidth - box.clientWidth; })()`,
      );
      assert.equal(hidden, 0, `${width} pixels`);
      assert.match(
        (await page.locator(`[aria-label="${t.nextValues}"] tbody tr`).first().textContent()) ?? '',
        /from.*from.*from/,
      );
    }
  });

  it('read the values of the fan chart by keys and by pointer', async () => {
    const { forecast, intervals } = (await resultOf('forecast')) as Forecast;
    const { page } = await open('forecast');
    const ahead = (i: number): string => `Step +${i + 1}: forecast ${f.number(forecast[i] ?? Number.NaN)} visitors per day`;
    assert.ok((await reading(page))?.startsWith(ahead(0)), (await reading(page)) ?? '');
    await slider(page, 'Step').focus();
    await page.keyboard.press('ArrowRight');
    const said = (await slider(page, 'Step').getAttribute('aria-valuetext')) ?? '';
    assert.ok(said.startsWith(ahead(1)), said);
    assert.equal(said, await reading(page));
    for (const { level, lower, upper } of intervals)
      assert.ok(said.includes(`${level}% interval: ${f.number(lower[1] ?? NaN)} to ${f.number(upper[1] ?? NaN)}`), said);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.match((await reading(page)) ?? '', /^Step 119: observed 640 visitors per day, predicted [\d.]+ while held out$/);
    await page.keyboard.press('End');
    assert.ok((await reading(page))?.startsWith(ahead(forecast.length - 1)));
    const room = (await page.locator('.pointer-room').boundingBox()) ?? assert.fail('the chart has no room for the pointer');
    await page.mouse.move(room.x + 1, room.y + room.height / 2);
    assert.match((await reading(page)) ?? '', /^Step \d+: observed \d+ visitors per day$/);
    await page.mouse.move(room.x + room.width - 1, room.y + room.height / 2);
    assert.ok((await reading(page))?.startsWith(ahead(forecast.length - 1)));
  });

  it('show the clock times of a schedule, its days and where it is closed', async () => {
    const { page } = await open('shop');
    const axis = await page.locator('figure.chart .axis text').allTextContents();
    assert.deepEqual(axis, [
      '7 Dec, 08:00',
      '7 Dec, 13:00',
      '7 Dec, 15:00',
      '8 Dec, 08:00',
      '8 Dec, 10:00',
      '14 Dec, 08:00',
      'Open hours',
    ]);
    assert.deepEqual(await page.locator('.closed title').allTextContents(), [
      'Closed from 7 Dec 2026, 12:00 to 7 Dec 2026, 13:00',
      'Closed from 7 Dec 2026, 17:00 to 8 Dec 2026, 08:00',
      'Closed from 8 Dec 2026, 12:00 to 14 Dec 2026, 08:00',
    ]);
    assert.equal(await reading(page), 'Stairs on Panel saw: from 7 Dec 2026, 08:00 to 8 Dec 2026, 09:00');
    assert.deepEqual(await rowsOf(page, `[aria-label="${scheduleWords.en.result.jobs}"] table`), [
      ['Stairs', '7 Dec 2026, 08:00', '8 Dec 2026, 09:00', '8 Dec 2026', 'on time'],
      ['Door', '8 Dec 2026, 09:00', '14 Dec 2026, 09:00', '14 Dec 2026, 08:30', '30'],
    ]);
    assert.match((await page.locator('.figures').first().textContent()) ?? '', /minutes, until 14 Dec 2026, 09:00/);
  });

  it('read the operations of the Gantt chart along a machine and across machines', async () => {
    const { operations } = (await resultOf('schedule')) as {
      operations: { job: string; machine: string; start: number; end: number }[];
    };
    const machines = [...new Set(operations.map(({ machine }) => machine))];
    const lane = (n: number) => operations.filter(({ machine }) => machine === machines[n]).toSorted((a, b) => a.start - b.start);
    const { page } = await open('schedule');
    const said = ({ job, machine, start, end }: (typeof operations)[number]): string =>
      `${job} on ${machine}: from ${f.number(start)} to ${f.number(end)} minutes`;
    await slider(page, 'Operation').focus();
    assert.equal(await reading(page), said(lane(0)[0]!));
    await page.keyboard.press('ArrowRight');
    assert.equal(await reading(page), said(lane(0)[1]!));
    await page.keyboard.press('ArrowDown');
    const below = (await reading(page)) ?? '';
    assert.ok(lane(1).map(said).includes(below), below);
    await page.keyboard.press('ArrowUp');
    assert.ok(
      lane(0)
        .map(said)
        .includes((await reading(page)) ?? ''),
    );
    await page.locator('.operation').last().hover();
    assert.equal(await reading(page), said(lane(machines.length - 1).at(-1)!));
    const cursor = (await page.locator('.operation-cursor').boundingBox()) ?? assert.fail('there is no cursor');
    const bar = (await page.locator('.operation').last().boundingBox()) ?? assert.fail('there is no operation');
    assert.ok(Math.abs(cursor.x - bar.x) < 3 && Math.abs(cursor.y - bar.y) < 3, JSON.stringify([cursor, bar]));
  });

  it('read the options of the Pareto chart by rising cost, and name the one that was selected', async () => {
    const { pareto, value, cost, risk } = (await resultOf('allocation')) as {
      pareto: { value: number; cost: number; risk: number }[];
      value: number;
      cost: number;
      risk: number;
    };
    const { page } = await open('allocation');
    const said = (point: { value: number; cost: number; risk: number }): string =>
      `Value ${f.number(point.value)}, cost ${f.number(point.cost)} `;
    assert.ok((await reading(page))?.startsWith(said({ value, cost, risk })));
    assert.match((await reading(page)) ?? '', /\(this selection\)$/);
    await slider(page, 'Option').focus();
    await page.keyboard.press('Home');
    const cheapest = pareto.toSorted((a, b) => a.cost - b.cost || a.value - b.value)[0]!;
    assert.ok((await reading(page))?.startsWith(said(cheapest)));
    const dot = (await page.locator('.chosen-dot').boundingBox()) ?? assert.fail('nothing is selected');
    await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
    assert.match((await reading(page)) ?? '', /\(this selection\)$/);
  });

  it('have a unit on every axis', async () => {
    const { page, go } = await suite.signIn();
    const names = async (kind: string): Promise<string[]> => {
      await go(`#/missions/${ids[kind]}`);
      return (await page.locator('.axis-name').allTextContents()).toSorted();
    };
    assert.deepEqual(await names('forecast'), [t.axis, 'visitors per day'].toSorted());
    assert.deepEqual(await names('dated'), ['Date', 'pieces']);
    assert.deepEqual(await names('schedule'), ['Machine and the share of time that it works', 'Time, minutes']);
    const [cost, value] = await names('allocation');
    assert.match(cost ?? '', /^Cost, \S/);
    assert.match(value ?? '', /^Value, in the unit of the items$/);
  });

  it('show the dates of a mission at the axis, in its figures and in its tables', async () => {
    const { forecast_dates: dates = [] } = (await resultOf('dated')) as Forecast;
    assert.deepEqual(dates, ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
    const { page } = await open('dated');
    assert.equal(await page.locator('.figures dt').first().textContent(), '28 Feb 2026 (step +1)');
    const axis = await page.locator('.axis text').allTextContents();
    assert.ok(axis.includes('Feb 2026'), axis.join());
    assert.match((await reading(page)) ?? '', /^28 Feb 2026 \(step \+1\): forecast [\d.]+ pieces; /);
    const rows = await rowsOf(page, `[aria-label="${t.nextValues}"] table`);
    assert.deepEqual(
      rows.map(([step, date]) => [step, date]),
      dates.map((date, i) => [`+${i + 1}`, f.date(date)]),
    );
    await page.getByText('Show as a table').click();
    const held = await rowsOf(page, `[aria-label="${t.holdoutTable}"] table`);
    assert.deepEqual(held[0]?.slice(0, 2), ['37', '31 Oct 2025']);
  });

  it('save a chart as an SVG with its own styles, title and legend, and as a PNG of twice the size', async () => {
    const { page, complaints } = await open('forecast');
    const save = async (type: string) => {
      await page.locator('summary', { hasText: 'Save chart' }).click();
      return saved(page, () => page.getByRole('button', { name: type, exact: true }).click());
    };
    const svg = await save('SVG');
    assert.equal(svg.name, 'history-holdout-and-forecast-visitors-per-day.svg');
    const text = svg.bytes.toString();
    const [, width = '', height = ''] = /^<svg [^>]*?width="(\d+)" height="(\d+)"/.exec(text) ?? [];
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.doesNotMatch(text, /class=|style=|var\(|pointer-room|color\(/);
    for (const part of ['History, holdout and forecast', 'visitors per day', '95% interval', 'predicted for the holdout'])
      assert.ok(text.includes(part), part);
    const png = await save('PNG');
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [2 * Number(width), 2 * Number(height)]);
    // Alone, as an image, it has the colours of the page: the ground, the line of the forecast, and the signs of the legend.
    const seen = await ask<Record<string, number>>(
      page,
      `(async () => {
        const image = new Image();
        image.src = 'data:image/svg+xml;base64,${svg.bytes.toString('base64')}';
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.width;
        canvas.height = image.height;
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const count = {};
        for (let i = 0; i < data.length; i += 4) {
          const colour = data[i] + ',' + data[i + 1] + ',' + data[i + 2];
          count[colour] = (count[colour] ?? 0) + 1;
        }
        return count;
      })()`,
    );
    const area = Number(width) * Number(height);
    assert.ok((seen['246,246,243'] ?? 0) > area / 2, 'the ground of the light theme');
    assert.ok((seen['29,78,216'] ?? 0) > 100, 'the line of the forecast');
    assert.ok((seen['0,0,0'] ?? 0) < 50, 'nothing falls back to black');
    assert.deepEqual(complaints, []);
  });
}
