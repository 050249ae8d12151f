/** "Shows when done": the values of each page equal those that the command prints with `--json` on the same home. For the suite that serves the console. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { formatFor } from '../../src/console/kit/text/format.js';
import { words as allocationWords } from '../../src/console/operator/kinds/allocation/words.js';
import { words as forecastWords } from '../../src/console/operator/kinds/forecast/words.js';
import { words as researchWords } from '../../src/console/operator/kinds/research/words.js';
import { words as scheduleWords } from '../../src/console/operator/kinds/schedule/words.js';
import { words as sharedWords } from '../../src/console/operator/kinds/shared/words.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { words as operatorWords } from '../../src/console/operator/text/all.js';
import { ask, rowsOf, type Suite, type WeighedModels, weightsOf } from './console-given.js';

const { en } = operatorWords;

const f = formatFor('en-GB');
const { result: allocation } = allocationWords.en;
const { result: forecast } = forecastWords.en;
const { result: research } = researchWords.en;
const { result: schedule } = scheduleWords.en;
const results = sharedWords.en;
type Shape = 'research' | 'allocation' | 'schedule' | 'forecast';

interface Allocation extends Readonly<Record<'value' | 'cost', number>> {
  readonly baseline: { readonly value: number };
  readonly sensitivity: Readonly<Record<'budget_minus_10' | 'budget_plus_10', Readonly<Record<string, number>>>>;
}
type Numbers = Readonly<Record<string, number>>;

/** The figures by name, with the line below each. */
const figures = (page: Page): Promise<string[][]> =>
  ask(
    page,
    `[...document.querySelectorAll('.figures > div')].map((each) => [each.querySelector('dt').textContent, each.querySelector('.figure-value').textContent, each.querySelector('.figure-below')?.textContent ?? ''])`,
  );
const textsOf = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents();
/** Name and value of the facts of the page. */
const facts = async (page: Page): Promise<Record<string, string>> =>
  ask(
    page,
    `Object.fromEntries([...document.querySelectorAll('main dl.facts > div')].map((each) => [each.querySelector('dt').textContent, each.querySelector('dd').textContent]))`,
  );

/** @param ids of the missions that are the examples of their kinds */
export function parityCases(suite: Suite, ids: Readonly<Partial<Record<Shape, string>>>): void {
  const json = (...args: readonly string[]): Record<string, unknown> => suite.server().cli.json(...args);
  const at = async (hash: string): Promise<Page> => (await suite.at(hash)).page;
  const mission = async (kind: Shape): Promise<{ page: Page; result: unknown; record: Record<string, unknown> }> => {
    const record = json('show', ids[kind] ?? '');
    return { page: await at(`#/missions/${ids[kind] ?? ''}`), result: record['result'], record };
  };

  it('shows the list of missions', async () => {
    const { items } = json('list') as { items: { id: string; goal: string; kind: Shape; state: 'review'; updated_at: string }[] };
    const page = await at('#/missions');
    const shown = await ask(
      page,
      `[...document.querySelectorAll('.list tbody tr')].map((row) => [row.querySelector('a').getAttribute('href').split('/').at(-1), row.querySelector('a').textContent, row.children[1].textContent, row.children[2].textContent.slice(2), row.querySelector('time').dateTime, row.querySelector('time').title])`,
    );
    assert.deepEqual(
      shown,
      items.map(({ id, goal, kind, state, updated_at: updated }) => [
        id,
        goal,
        kindWords[kind].en.name,
        en.states[state],
        updated,
        f.dateTime(updated),
      ]),
    );
    assert.ok(items.length >= 4, `${items.length} missions`);
  });

  it('shows the facts and hashes of a mission', async () => {
    const { page, record } = await mission('schedule');
    await page.getByRole('tab', { name: en.mission.details }).click();
    const shown = await facts(page);
    const { id, revision, attempt, created_at, updated_at, request_hash, result_hash } = record as Record<string, string>;
    assert.deepEqual(
      [en.mission.id, en.mission.revision, en.mission.attempt, en.mission.created].map((name) => shown[name]),
      [id, f.number(Number(revision)), f.number(Number(attempt)), f.dateTime(created_at ?? '')],
    );
    assert.deepEqual(
      [en.mission.updated, en.mission.requestHash, en.mission.resultHash].map((name) => shown[name]),
      [f.dateTime(updated_at ?? ''), request_hash, result_hash],
    );
  });

  it('shows coverage, places and scores of research', async () => {
    const { page, result } = await mission('research');
    const { coverage, findings } = result as {
      coverage: { terms: string[]; uncovered: string[] };
      findings: { source_id: string; start: number; end: number; score: number }[];
    };
    const { terms, uncovered } = coverage;
    // Words of a disclaimer.
    assert.deepEqual(uncovered.slice(-6), ['6', 'sourc', 'construct', 'illustration', 'describ', 'real']);
    const covered = research.covered(f.number(terms.length - uncovered.length), f.number(terms.length - 6));
    assert.deepEqual(await textsOf(page, '.against-text'), [covered]);
    const places = await ask(
      page,
      `[...document.querySelectorAll('.finding-place')].map((each) => [...each.childNodes].filter(({ nodeName }) => nodeName !== 'BUTTON').map(({ textContent }) => textContent).join('').trim())`,
    );
    const ranked = findings.toSorted((a, b) => b.score - a.score);
    const expected = ranked.map(({ source_id: source, start, end, score }) => {
      const place = research.place(f.number(start), f.number(end));
      return `${source} · ${place} · ${research.score} ${f.number(Math.round(score * 10) / 10)}`;
    });
    assert.deepEqual(places, expected);
  });

  it('shows the figures of an allocation, and the effect of another budget', async () => {
    const { page, result, record } = await mission('allocation');
    const { value, cost, baseline, sensitivity } = result as Allocation;
    assert.deepEqual(
      (await figures(page)).map(([name, shown]) => [name, shown]),
      [
        [allocation.value, f.number(value)],
        [results.optimality, results.proven],
        [results.baseline, f.number(baseline.value)],
      ],
    );
    const { budget } = (record['request'] as { work: { budget: number } }).work;
    const [used = ''] = await textsOf(page, '.against-text');
    assert.equal(used, `${allocation.of(f.number(cost), f.number(budget), f.percent(cost / budget))} euros`);
    const rows = await rowsOf(page, 'table.data', (await page.locator('table.data').count()) - 1);
    const row = (name: string, other: Numbers): string[] => {
      const numbers = [other['budget'], other['value'], other['cost'], other['risk']].map((each) => f.number(each ?? Number.NaN));
      return [name, ...numbers.toSpliced(2, 0, f.signed((other['value'] ?? Number.NaN) - value))];
    };
    assert.deepEqual(rows, [
      row(allocation.less, sensitivity.budget_minus_10),
      row(allocation.extra, sensitivity.budget_plus_10),
    ]);
  });

  it('shows the figures of a schedule with gap and improvement', async () => {
    const { page, result } = await mission('schedule');
    const { makespan, tardiness, baseline, improvement } = result as Numbers;
    const shown = (await figures(page)).map(([name, value, below]) =>
      name === schedule.makespan || name === schedule.tardiness ? [name, value] : [name, value, below],
    );
    const text = (value: number | undefined): string => f.number(value ?? Number.NaN);
    assert.deepEqual(shown, [
      [schedule.makespan, text(makespan)],
      [schedule.tardiness, text(tardiness)],
      [results.optimality, results.proven, results.noGap],
      [results.baseline, text(baseline), `minutes; ${results.better(f.percent(improvement ?? Number.NaN))}`],
    ]);
  });

  it('shows errors, coverage and weights of a forecast', async () => {
    const { page, result } = await mission('forecast');
    const numbers = result as Numbers;
    const lists = result as WeighedModels & { coverage: { level: number; share: number }[] };
    const value = (name: string): number => numbers[name] ?? Number.NaN;
    assert.deepEqual(
      (await figures(page)).slice(-4).map(([name, shown]) => [name, shown]),
      [
        [forecast.mae, f.number(value('holdout_mae'))],
        [forecast.mase, f.number(value('holdout_mase'))],
        [forecast.smape, f.percent(value('holdout_smape') / 100)],
        [forecast.baseline, f.number(value('baseline_mae'))],
      ],
    );
    assert.deepEqual(
      await textsOf(page, '.against-text'),
      lists.coverage.map(({ share }) => f.percent(share)),
    );
    const models = page.getByRole('region', { name: forecast.models }).locator('tbody tr');
    assert.deepEqual(
      await models.allTextContents(),
      weightsOf(lists).map(({ name, weight }) => `${name}${f.percent(weight)}`),
    );
  });

  it('shows the report of doctor', async () => {
    const { version, identity, checks, capabilities } = json('doctor') as {
      version: string;
      identity: string;
      checks: { name: string; status: 'ok'; detail: string }[];
      capabilities: { kind: Shape; available: boolean; detail: string }[];
    };
    const page = await at('#/doctor');
    const shown = await facts(page);
    assert.deepEqual([shown[en.doctor.version], shown[en.journal.identity]], [version, identity]);
    const lines = (await textsOf(page, '.checks li > div')).map((text) => text.replace(/\s+/g, ' '));
    const said = [
      ...checks.map(({ name, status, detail }) => `${en.doctor.names[name] ?? name} ${en.doctor.status[status]}${detail}`),
      ...capabilities.map(({ kind, available, detail }) => {
        return `${kindWords[kind].en.name} ${available ? en.doctor.available : en.doctor.unavailable}${detail}`;
      }),
    ];
    for (const [i, text] of said.entries()) assert.ok(lines[i]?.startsWith(text), `${lines[i]} / ${text}`);
    assert.equal(lines.length, said.length);
  });

  it('shows the facts of the journal', async () => {
    const { events, head, root, identity } = json('verify') as Record<string, string>;
    const page = await at('#/journal');
    await page.getByText(en.journal.facts).click();
    await page.waitForSelector('main dl.facts-wide');
    const shown = await facts(page);
    const names = [en.journal.events, en.journal.head, en.journal.root, en.journal.identity];
    assert.deepEqual(
      names.map((name) => shown[name]),
      [f.number(Number(events)), head, root, identity],
    );
    const newest = page.locator('.list tbody tr').first();
    await newest.locator('summary').click();
    assert.equal(await newest.locator('.mono').textContent(), head);
    assert.equal(await page.locator('.list tbody tr').count(), 25);
    await page.getByText(en.journal.checkpoint).click();
    // The entry that was opened shows its content as JSON too, which may arrive first.
    await page.locator('dt', { hasText: en.journal.origin }).waitFor();
    const { origin, size, vkey, note } = json('checkpoint') as Record<string, string>;
    const point = await facts(page);
    assert.deepEqual(
      [en.journal.origin, en.journal.size, en.journal.vkey].map((name) => point[name]),
      [origin, f.number(Number(size)), vkey],
    );
    assert.equal(await page.textContent('pre.json'), note);
  });

  it('shows the tools', async () => {
    const { items } = json('tool', 'list') as {
      items: { id: string; status: 'active'; own: boolean; manifest: Record<string, string> }[];
    };
    const page = await at('#/tools');
    assert.deepEqual(
      await rowsOf(page, '.list'),
      items.map(({ id, status, own, manifest }) => [
        `${manifest['tool_name']}${id}`,
        en.tools.statuses[status],
        en.tools.risks[manifest['risk_class'] ?? ''],
        `${manifest['provider']} (${own ? en.tools.own : en.tools.foreign})`,
      ]),
    );
    const { manifest } = json('tool', 'show', items[0]?.id ?? '') as { manifest: Record<string, unknown> };
    await page.evaluate(`location.hash = '#/tools/${items[0]?.id}'`);
    await page.getByText(en.mission.raw).click();
    assert.deepEqual(JSON.parse((await page.textContent('pre.json')) ?? ''), manifest);
  });
}
