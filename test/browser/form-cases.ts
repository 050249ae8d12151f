/** What the form of a new mission does, for the suite that serves the console: labels, examples, pasted tables, switching kinds. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { kinds } from '../../src/codec/kinds.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { missionKind } from '../../src/kinds/table.js';
import { faults } from '../support/console/accessibility.js';
import { ask, recordOf, until, type Suite } from './console-given.js';
import { openAll } from './dashboard-given.js';

const at = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);
const choose = (page: Page, kind: (typeof kinds)[number]): Promise<void> =>
  page.getByRole('radio', { name: kindWords[kind].en.name }).check();

async function paste(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Rows of a spreadsheet');
  if (!(await field.isVisible())) await page.getByText('Paste from a spreadsheet').click();
  await field.fill(text);
  await page.getByRole('button', { name: 'Use these rows' }).click();
}

const listed = (page: Page, selector: string): Promise<string[]> =>
  ask(
    page,
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.textContent.replace(/\\s+/g, ' ').trim())`,
  );

/** The request of the mission that the page shows. */
const requestOf = async (suite: Suite, page: Page): Promise<unknown> => {
  const [, id = ''] = /missions\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
  return (await recordOf(suite.server(), id)).request;
};

export function formCases(suite: Suite): void {
  it('names fields and faults of the form as people read them', async () => {
    const { page, go } = await suite.signIn();
    await go('#/new?kind=allocation');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    const named = await listed(page, '.problem[role=alert] li button');
    assert.ok(named.includes('Item 1, Id') && named.includes('Item 2, Cost') && named.includes('Budget'), named.join('; '));
    assert.equal(await page.locator('.problem[role=alert] code').count(), 0);
    await page.getByRole('button', { name: 'Item 2, Cost' }).click();
    assert.equal(await ask(page, 'document.activeElement.dataset.path'), 'work.items[1].cost');
    await page.getByRole('textbox', { name: 'Item 2, Cost' }).fill('6');
    assert.equal(await at(page, 'work.items[1].cost').inputValue(), '6');
  });

  it('begins the form of another kind without the faults of the one before', async () => {
    const { page, go } = await suite.signIn();
    await go('#/new?kind=allocation');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.problem[role=alert]');
    await choose(page, 'forecast');
    assert.equal(await page.locator('.problem, .field-bad').count(), 0);
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.problem[role=alert]');
    await go('#/new?kind=schedule');
    await until(page, `document.querySelector('[data-path="work.jobs[0].id"]') !== null`);
    assert.equal(await page.locator('.problem, .field-bad').count(), 0);
  });

  it('shows in the form only the settings that the engine uses, and sends only those', async () => {
    const { page, go } = await suite.signIn();
    await go('#/new?kind=schedule');
    await page.getByText('Search settings').click();
    await at(page, 'seed').fill('7');
    await at(page, 'population').fill('8');
    assert.equal(await at(page, 'generations').count(), 0);
    for (const kind of ['research', 'allocation', 'forecast'] as const) {
      await choose(page, kind);
      assert.equal(await page.getByText('Search settings').count(), 0, kind);
    }
    await choose(page, 'forecast');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as mission file' }).click(),
    ]);
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(await download.path(), 'utf8')) as object), ['goal', 'work']);
  });

  it('loads an example of each kind into the form, takes it back, and queues it unchanged', async () => {
    const { page, go, complaints } = await suite.signIn();
    for (const kind of kinds) {
      // By its address: a kind that this agent does not execute cannot be chosen.
      await go(`#/new?kind=${kind}`);
      await until(page, `document.querySelector('input[name=kind][value=${kind}]')?.checked`);
      await page.getByRole('button', { name: 'Load an example' }).click();
      assert.equal(await at(page, 'goal').inputValue(), missionKind(kind).example.goal);
    }
    await choose(page, 'schedule');
    await at(page, 'goal').fill('My own goal');
    await page.getByRole('button', { name: 'Load an example' }).click();
    await page.getByRole('button', { name: /^Undo/ }).click();
    assert.equal(await at(page, 'goal').inputValue(), 'My own goal');
    await page.getByRole('button', { name: 'Load an example' }).click();
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    const { goal, work } = (await requestOf(suite, page)) as { goal: string; work: { jobs: unknown[] } };
    assert.equal(goal, missionKind('schedule').example.goal);
    assert.equal(work.jobs.length, (missionKind('schedule').example.work['jobs'] as unknown[]).length);
    assert.deepEqual(complaints, []);
  });

  it('accepts items pasted into the form from a spreadsheet, or refuses them with every fault by row and column', async () => {
    const { page, go } = await suite.signIn();
    await go('#/new?kind=allocation');
    await paste(page, 'Id\tCost\tValue\nroof\tsix\t9\n\t3\t4');
    assert.deepEqual(await listed(page, '.problem li'), [
      'Row 2, Cost: must be a number from 0 to 1000000000000',
      'Row 3, Id: is blank',
    ]);
    assert.equal(await at(page, 'work.items[0].id').inputValue(), '');
    assert.deepEqual(await faults(page), []);
    await paste(page, 'Id\tValue\tCost\nroof\t9\t6\ndoor\t4.5\t3\nwall\t5\t4');
    assert.equal(await page.locator('.problem').count(), 0);
    assert.equal(await at(page, 'work.items[2].cost').inputValue(), '4');
    await at(page, 'goal').fill('Choose repairs');
    await at(page, 'work.budget').fill('10');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    const { work } = (await requestOf(suite, page)) as { work: { items: unknown[] } };
    assert.deepEqual(work.items[1], { id: 'door', cost: 3, value: 4.5, risk: 0 });
  });

  it('accepts jobs pasted into the form with a row for each operation', async () => {
    const { page, go } = await suite.signIn();
    await go('#/new?kind=schedule');
    await paste(page, 'job;machine;duration;due\nA;saw;3;9\nB;saw;2;\nA;drill;4;9');
    assert.equal(await at(page, 'work.jobs[0].operations').inputValue(), 'saw 3\ndrill 4');
    assert.deepEqual([await at(page, 'work.jobs[0].due').inputValue(), await page.locator('.row').count()], ['9', 2]);
  });

  it('accepts a series pasted into the form with its dates, and the mission keeps them', async () => {
    const { page, go } = await suite.signIn();
    await go('#/new?kind=forecast');
    const rows = Array.from(
      { length: 24 },
      (_, i) => `20${24 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01\t${i}.5`,
    );
    await paste(page, ['Month\tSales', ...rows.slice(0, 5), '2024-07-01\t9'].join('\n'));
    assert.deepEqual(await listed(page, '.problem li'), [
      'Row 7, Date: does not follow the rows before: with their step it would be 2024-06-01',
    ]);
    await paste(page, ['Month\tSales', ...rows].join('\n'));
    assert.equal(await at(page, 'work.start').inputValue(), '2024-01-01');
    assert.deepEqual(
      [await at(page, 'work.step.unit').inputValue(), await at(page, 'work.step.count').inputValue()],
      ['month', '1'],
    );
    await at(page, 'goal').fill('Sales of the next months');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    const { work } = (await requestOf(suite, page)) as { work: Record<string, unknown> };
    assert.deepEqual([work['start'], work['step']], ['2024-01-01', { unit: 'month', count: 1 }]);
    await go('#/new?kind=forecast');
    await paste(page, ['Month\tSales', ...rows].join('\n'));
    await at(page, 'goal').fill('Sales of the next months');
    await at(page, 'work.start').fill('2026-02-30');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.problem[role=alert]');
    const named = await listed(page, '.problem[role=alert] li');
    assert.ok(
      named.some((text) => text.startsWith('Date of the first observation: must be a date of the calendar')),
      named.join(),
    );
  });

  it('has no accessibility fault in the form with everything open, in both languages and themes', async () => {
    for (const [kind, locale, colorScheme] of [
      ['forecast', 'fr-FR', 'dark'],
      ['schedule', 'en-GB', 'light'],
    ] as const) {
      const { page, go } = await suite.signIn({ locale, colorScheme, viewport: { width: 320, height: 720 } });
      await go(`#/new?kind=${kind}`);
      await page.locator('button[type=submit]').click();
      await page.waitForSelector('.problem[role=alert]');
      await openAll(page);
      await until(page, `document.querySelector('textarea[aria-describedby$="-faults"]') !== null`);
      assert.deepEqual(await faults(page), [], kind);
      assert.ok(await ask(page, 'document.documentElement.scrollWidth <= innerWidth'), `${kind} is wider than the screen`);
    }
  });
}
