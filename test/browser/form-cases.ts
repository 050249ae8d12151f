/** What the form of a new mission does, for the suite that serves the console: labels, examples, pasted tables, switching kinds. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { kinds } from '../../src/codec/kinds.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { missionKind } from '../../src/kinds/table.js';
import { faults } from '../support/console/accessibility.js';
import { ask, openAll, recordOf, saved, until, type Suite } from './console-given.js';
import { cell, cellTexts, focusedCell, paste, typeCell } from './grid.js';

const at = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);
const choose = (page: Page, kind: (typeof kinds)[number]): Promise<void> =>
  page.getByRole('radio', { name: kindWords[kind].en.name }).check();

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
    const { page } = await suite.at('#/new?kind=allocation');
    await typeCell(page, 0, 0, 'roof top');
    await typeCell(page, 1, 1, 'Door');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    const named = await listed(page, '.problem[role=alert] li button');
    assert.ok(named.includes('Item 1, Id') && named.includes('Item 2, Cost') && named.includes('Budget'), named.join('; '));
    assert.equal(await page.locator('.problem[role=alert] code').count(), 0);
    // Once it is drawn, the summary takes the focus.
    await until(page, `document.activeElement.matches('.problem[role=alert]')`);
    assert.equal(await cell(page, 0, 0).getAttribute('aria-invalid'), 'true');
    await page.getByRole('button', { name: 'Item 2, Cost' }).click();
    assert.deepEqual(await focusedCell(page), [1, 2]);
    assert.match((await page.textContent('.grid-fault')) ?? '', /^Cost, row 2: /);
    await page.keyboard.type('6');
    await page.keyboard.press('Enter');
    assert.equal(await cell(page, 1, 2).inputValue(), '6');
    assert.equal(await cell(page, 1, 2).getAttribute('aria-invalid'), 'false');
  });

  it('begins the form of another kind without the faults of the one before', async () => {
    const { page, go } = await suite.at('#/new?kind=allocation');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.problem[role=alert]');
    await choose(page, 'forecast');
    assert.equal(await page.locator('.problem, .field-bad').count(), 0);
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.problem[role=alert]');
    await go('#/new?kind=schedule');
    await page.locator('[data-path="work.jobs"]').waitFor();
    assert.equal(await page.locator('.problem, .field-bad, .grid-bad').count(), 0);
  });

  it('shows in the form only the settings that the engine uses, and sends only those', async () => {
    const { page } = await suite.at('#/new?kind=schedule');
    await page.getByText('Search settings').click();
    await at(page, 'seed').fill('7');
    await at(page, 'population').fill('8');
    assert.equal(await at(page, 'generations').count(), 0);
    for (const kind of ['research', 'allocation', 'forecast'] as const) {
      await choose(page, kind);
      assert.equal(await page.getByText('Search settings').count(), 0, kind);
    }
    await choose(page, 'forecast');
    const { bytes } = await saved(page, () => page.getByRole('button', { name: 'Save as mission file' }).click());
    assert.deepEqual(Object.keys(JSON.parse(bytes.toString()) as object), ['goal', 'work']);
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
    await page.getByRole('button', { name: /^Undo:/ }).click();
    assert.equal(await at(page, 'goal').inputValue(), 'My own goal');
    await page.getByRole('button', { name: 'Load an example' }).click();
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    const { goal, work } = (await requestOf(suite, page)) as { goal: string; work: { jobs: unknown[] } };
    assert.equal(goal, missionKind('schedule').example.goal);
    assert.equal(work.jobs.length, (missionKind('schedule').example.work['jobs'] as unknown[]).length);
    assert.deepEqual(complaints, []);
  });

  it('takes cells that are pasted where they belong, undoes and repeats that, and deletes rows', async () => {
    const { page } = await suite.at('#/new?kind=allocation');
    await cell(page, 0, 0).focus();
    await paste(page, { 'text/plain': 'roof\tRoof repair\t6\t9\r\ndoor\t\t3\t4.5\r\nwall\t\t4\t5\r\n' });
    assert.equal(await cell(page, 2, 2).inputValue(), '4');
    await page.keyboard.press('Control+z');
    assert.deepEqual((await cellTexts(page)).length, 1);
    await page.keyboard.press('Control+y');
    assert.equal(await cell(page, 1, 3).inputValue(), '4.5');
    await cell(page, 1, 0).focus();
    await page.getByRole('button', { name: 'Delete row' }).click();
    assert.deepEqual(await cellTexts(page).then((rows) => rows.map(([id]) => id)), ['roof', 'wall', '']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await at(page, 'goal').fill('Choose repairs');
    await at(page, 'work.budget').fill('10');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    const { work } = (await requestOf(suite, page)) as { work: { items: unknown[] } };
    assert.deepEqual(work.items[1], { id: 'door', cost: 3, value: 4.5, risk: 0 });
  });

  it('is edited by keyboard alone, lets go of it, and replaces the text of a cell that was clicked', async () => {
    const { page } = await suite.at('#/new?kind=schedule');
    await cell(page, 0, 0).focus();
    await page.keyboard.type('Oar blade');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('saw');
    await page.keyboard.press('Tab');
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    assert.deepEqual(await focusedCell(page), [1, 3]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('7');
    await page.keyboard.press('Escape');
    assert.equal(await cell(page, 0, 3).inputValue(), '12');
    await page.keyboard.press('End');
    await page.keyboard.type('0');
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual(await focusedCell(page), [0, 3]);
    await page.keyboard.press('Enter');
    assert.deepEqual((await cellTexts(page))[0]?.slice(0, 4), ['Oar blade', '', 'saw', '120']);
    await page.keyboard.press('Control+Home');
    assert.deepEqual(await focusedCell(page), [0, 0]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await focusedCell(page), null);
    await page.keyboard.press('Shift+Tab');
    assert.deepEqual(await focusedCell(page), [0, 0]);
    await cell(page, 0, 3).click();
    await page.keyboard.type('90');
    assert.equal(await cell(page, 0, 3).inputValue(), '90');
  });

  it('scrolls to any of 2000 rows, of which few are in the page', async () => {
    const { page } = await suite.at('#/new?kind=forecast');
    await cell(page, 0, 0).focus();
    await paste(page, { 'text/plain': Array.from({ length: 2_000 }, (_, i) => String(i)).join('\n') });
    await page.keyboard.press('Control+End');
    assert.deepEqual(await focusedCell(page), [1_999, 0]);
    assert.equal(await cell(page, 1_999, 0).inputValue(), '1999');
    assert.ok(await cell(page, 1_999, 0).isVisible());
    assert.ok((await cellTexts(page)).length < 60);
    await page.keyboard.press('PageUp');
    assert.deepEqual(await focusedCell(page), [1_985, 0]);
  });

  it('has no accessibility fault in the form with everything open, in both languages and themes', async () => {
    for (const [kind, locale, colorScheme] of [
      ['forecast', 'fr-FR', 'dark'],
      ['schedule', 'en-GB', 'light'],
    ] as const) {
      const { page } = await suite.at(`#/new?kind=${kind}`, { locale, colorScheme, viewport: { width: 320, height: 720 } });
      await page.locator('button[type=submit]').click();
      await page.waitForSelector('.problem[role=alert]');
      await openAll(page);
      assert.deepEqual(await faults(page), [], kind);
      assert.ok(await ask(page, 'document.documentElement.scrollWidth <= innerWidth'), `${kind} is wider than the screen`);
    }
  });
}
