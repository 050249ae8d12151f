/** The page of each kind: what people read there is what the record of the mission says; with the same daemon, the charts, the form, and what commands print. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { formatFor } from '../../src/console/kit/text/format.js';
import { words as sharedWords } from '../../src/console/operator/kinds/shared/words.js';
import { altering } from '../support/console/browser.js';
import { real } from '../support/real.js';
import {
  ask,
  consoleForSuite,
  example,
  executed,
  queued,
  recordOf,
  rowsOf,
  saved,
  type Signed,
  told,
  until,
  words,
} from './console-given.js';
import { chartCases, chartMissions } from './chart-cases.js';
import { formCases } from './form-cases.js';
import { parityCases } from './parity-cases.js';

const number = (value: number): string => new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 6 }).format(value);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const integer = (value: number): string => new Intl.NumberFormat('en-GB').format(value);

const figures = async (page: Page): Promise<Record<string, string>> =>
  ask(
    page,
    `Object.fromEntries([...document.querySelectorAll('.figures > div')].map((each) => [each.querySelector('dt').textContent, each.querySelector('.figure-value').textContent]))`,
  );

interface Operation {
  readonly job: string;
  readonly machine: string;
  readonly start: number;
  readonly end: number;
}

real('chromium', 'the console: each kind', function () {
  const ids: Record<string, string> = {};
  const suite = consoleForSuite(async (server) => {
    for (const kind of ['research', 'allocation', 'schedule', 'forecast']) ids[kind] = (await executed(server, example(kind))).id;
    for (const [name, mission] of Object.entries(chartMissions)) ids[name] = (await executed(server, mission)).id;
    ids['code'] = (await queued(server, example('code'))).id;
  });
  describe('values of the commands', () => parityCases(suite, ids));
  describe('charts', () => chartCases(suite, ids));
  describe('the form', () => formCases(suite));
  const open = (kind: string): Promise<Signed> => suite.at(`#/missions/${ids[kind]}`);
  const record = async (kind: string): Promise<{ request: { work: Record<string, unknown> }; result: unknown }> =>
    (await recordOf(suite.server(), ids[kind] ?? '')) as never;

  it('shows every quote of research, and where it is in its source', async () => {
    const { findings: found } = (await record('research')).result as {
      findings: { quote: string; source_id: string; score: number }[];
    };
    const findings = found.toSorted((a, b) => b.score - a.score);
    const { page, complaints } = await open('research');
    assert.deepEqual(
      await page.locator('.findings blockquote').allTextContents(),
      findings.map(({ quote }) => quote),
    );
    assert.match(await words(page), /Every quote matches its source word for word/);
    await page
      .locator('.findings li')
      .nth(2)
      .getByRole('button', { name: /Show in source/ })
      .click();
    await page.waitForSelector('mark.shown');
    await until(page, `document.activeElement?.dataset.finding === '3'`);
    const marked = await page.evaluate(`document.querySelector('mark.shown').firstChild.textContent`);
    assert.equal(marked, findings[2]?.quote);
    const sources = (await record('research')).request.work['sources'] as { id: string; text: string }[];
    const text = sources.find(({ id }) => id === findings[2]?.source_id)?.text;
    const shown = await page.evaluate(
      `[...document.querySelector('.source[open] .source-text').childNodes].filter((node) => node.nodeName !== 'P').map((node) => node.nodeType === 3 ? node.textContent : node.firstChild.textContent).join('')`,
    );
    assert.equal(shown, text);
    assert.deepEqual(complaints, []);
  });

  it('reports a quote of research that its source does not hold', async () => {
    const { page, go } = await suite.signIn();
    await altering(page, `**/api/missions/${ids['research']}`, (body) => {
      body.result.findings[0].quote = 'Nobody said this.';
      return body;
    });
    await go(`#/missions/${ids['research']}`);
    assert.match(await words(page), /One quote does not match its source/);
  });

  it('shows the portfolio of an allocation against budget and risk, and every other choice', async () => {
    const { selected, value, cost, risk, pareto, excluded_because } = (await record('allocation')).result as {
      selected: string[];
      value: number;
      cost: number;
      risk: number;
      pareto: { value: number; cost: number; risk: number }[];
      excluded_because: { id: string }[];
    };
    const { budget, max_risk } = (await record('allocation')).request.work as { budget: number; max_risk: number };
    const { page } = await open('allocation');
    assert.deepEqual(await figures(page), { Value: number(value), Optimality: 'Optimal (proven)', 'Simple rule': '388' });
    const against = await page.locator('.against-text').allTextContents();
    assert.ok(against[0]?.startsWith(`${integer(cost)} of ${integer(budget)} (`), against[0]);
    assert.ok(against[1]?.startsWith(`${integer(risk)} of ${integer(max_risk)} (`), against[1]);
    const widths = await page.locator('.against .bar').evaluateAll((bars) => bars.map(({ clientWidth }) => clientWidth));
    assert.equal(widths[0], widths[1], 'their bars have one scale');
    assert.deepEqual((await rowsOf(page, 'table.data', 1)).map(([id]) => id ?? '').toSorted(byText), selected.toSorted(byText));
    const left = (await rowsOf(page, 'table.data', 2)).map(([id]) => id);
    assert.equal(left.join(), excluded_because.map(({ id }) => id).join());
    assert.equal(await page.locator('circle.point').count(), pareto.length);
    await page.getByText('Show as a table').click();
    assert.deepEqual(
      await rowsOf(page, 'figure table'),
      pareto.map((point) => [integer(point.value), integer(point.cost), integer(point.risk)]),
    );
  });

  it('shows a schedule as a chart by machine, with every operation in its table', async () => {
    const { operations, makespan } = (await record('schedule')).result as { operations: Operation[]; makespan: number };
    const { page } = await open('schedule');
    const shown = await figures(page);
    assert.deepEqual([shown['Makespan'], shown['Optimality']], [integer(makespan), 'Optimal (proven)']);
    assert.equal(await page.locator('.operation').count(), operations.length);
    assert.match((await page.getAttribute('svg[role=img]', 'aria-label')) ?? '', new RegExp(`6 machines.*ends at ${makespan}`));
    await page.getByText('Show as a table').click();
    const rows = await rowsOf(page, 'figure table');
    const expected = operations.map(({ machine, job, start, end }) => [machine, job, integer(start), integer(end)]);
    assert.deepEqual(rows.map(String).toSorted(byText), expected.map(String).toSorted(byText));
    await page.locator('.job-legend button').first().click();
    const ofJob = operations.filter(({ job }) => job === operations[0]?.job).length;
    assert.equal(await page.locator('.operation:not(.dimmed)').count(), ofJob);
    assert.equal(await page.getByRole('columnheader', { name: 'Late by, minutes', exact: true }).count(), 1);
  });

  it('shows intervals, holdout and errors of a forecast', async () => {
    const result = (await record('forecast')).result as {
      forecast: number[];
      holdout_mae: number;
      holdout_actual: number[];
      holdout_predictions: number[];
      intervals: { level: number; lower: number[]; upper: number[] }[];
    };
    const { page } = await open('forecast');
    assert.equal((await figures(page))['Mean absolute error'], number(result.holdout_mae));
    assert.equal(await page.locator('.band').count(), result.intervals.length);
    assert.equal(await page.locator('.guess').count(), result.holdout_predictions.length);
    await page.getByText('Show as a table').click();
    const rows = await rowsOf(page, 'figure table', 0);
    const at = (values: readonly number[], i: number): string => number(values[i] ?? 0);
    assert.deepEqual(
      rows,
      result.forecast.map((value, i) => [
        `+${i + 1}`,
        number(value),
        ...result.intervals.map(({ lower, upper }) => `from ${at(lower, i)} to ${at(upper, i)}`),
      ]),
    );
    assert.equal((await rowsOf(page, 'figure table', 1)).length, result.holdout_actual.length);
  });

  it('copies a table, and saves it as CSV, with exact numbers', async () => {
    const { forecast, intervals } = (await record('forecast')).result as {
      forecast: number[];
      intervals: { lower: number[]; upper: number[] }[];
    };
    const { page } = await suite.at(`#/missions/${ids['forecast']}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    const values = intervals.flatMap(({ lower, upper }) => [lower[0] ?? 0, upper[0] ?? 0]);
    const first = [1, forecast[0] ?? 0, ...values].map(String);
    await told(page, 'Copied', () => page.getByRole('button', { name: /^Copy table\s*: Next values$/ }).click());
    const [head = '', row = ''] = (await ask<string>(page, 'navigator.clipboard.readText()')).split('\n');
    assert.deepEqual(row.split('\t'), first);
    assert.equal(head.split('\t').length, first.length);
    const html = await ask<string>(
      page,
      `navigator.clipboard.read().then(([item]) => item.getType('text/html')).then((blob) => blob.text())`,
    );
    assert.ok(html.includes(`>${forecast[0]}</td>`));
    const csv = await saved(page, () => page.getByRole('button', { name: /^CSV\s*: Next values$/ }).click());
    assert.equal(csv.name, 'next-values.csv');
    assert.equal(csv.bytes.toString().split('\r\n')[1], first.join(','));
  });

  it('reports that a forecast is worse than the last value', async () => {
    // The series stops growing in its holdout.
    const observations = [...Array.from({ length: 20 }, (_, i) => 10 * i), 195, 196, 194, 195];
    ids['ending'] = (await executed(suite.server(), { goal: 'A trend that ends', work: { kind: 'forecast', observations } })).id;
    const { improvement } = (await record('ending')).result as { readonly improvement: number };
    assert.ok(improvement < 0);
    const { page } = await open('ending');
    const below = await page.locator('.figures > div:last-child .figure-below').last().textContent();
    assert.equal(below, `units; ${sharedWords.en.worse(formatFor('en-GB').percent(-improvement))}`);
  });

  it('shows what the regressors of a forecast add, and takes them back into a form', async () => {
    const promo = Array.from({ length: 45 }, (_, t) => (t % 7 === 2 ? 1 : 0));
    const work = { kind: 'forecast', observations: promo.slice(0, 42).map((p, t) => 50 + ((t * 31) % 9) + 30 * p), season: 1 };
    ids['promo'] = (
      await executed(suite.server(), { goal: 'Sales with promotions', work: { ...work, regressors: { promo } } })
    ).id;
    const { effects } = (await record('promo')).result as { effects: Record<string, number>[] };
    const { page, go } = await open('promo');
    const shown = ['effect', 'lower', 'upper', 'applied'].map((name) => number(effects[0]![name]!));
    const cells = page.getByRole('table', { name: 'Effects of the regressors' }).locator('tbody tr > *');
    assert.deepEqual(await cells.allTextContents(), ['promo', ...shown]);
    await go(`#/new?from=${ids['promo']}`);
    assert.equal(await page.getByLabel('Regressors').inputValue(), `promo: ${promo.join(' ')}`);
  });

  it('shows the candidate of a code mission and its cases, and why it cannot start', async () => {
    const { candidate, heldout, examples } = (await record('code')).request.work as {
      candidate: string;
      heldout: unknown[];
      examples: unknown[];
    };
    const { page, go } = await open('code');
    assert.equal((await page.textContent('pre.code'))?.trim(), candidate.trim());
    assert.equal(await page.locator('table.data tbody tr').count(), heldout.length + examples.length);
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await page.getByText('In the queue, place 1').waitFor();
    // The agent knows why once it has looked at its queue.
    let reason: string | undefined;
    while (reason === undefined) {
      ({ queue_reason: reason } = await recordOf(suite.server(), ids['code'] ?? ''));
      await page.waitForTimeout(50);
    }
    await go('#/missions');
    await go(`#/missions/${ids['code']}`);
    const said = (await page.textContent('.notice[role=status]')) ?? '';
    assert.ok(said.includes(reason), said);
  });

  it('shows the JSON that the command prints, for every kind', async () => {
    const { page } = await open('schedule');
    await page.getByRole('tab', { name: 'Raw JSON' }).click();
    await page.getByText('Raw JSON: result').click();
    assert.deepEqual(
      JSON.parse((await page.textContent('pre.json')) ?? ''),
      suite.server().cli.json('show', ids['schedule'] ?? '')['result'],
    );
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText('Signed entries').click();
    await page.waitForSelector('details table');
    await page.getByRole('button', { name: 'Proof' }).first().click();
    await page.waitForSelector('dialog .notice-good');
  });
});
