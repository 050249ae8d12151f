/** Sweeps, names and the search of runs on the dashboard, as its user meets them. */
import assert from 'node:assert/strict';
import { real } from '../support/real.js';
import { enter, loaded, rowsOf } from './console-given.js';
import { dashboardForSuite, succeeded, sweepOfEntropy, swept } from './dashboard-given.js';

real('chromium', 'the dashboard: sweeps and names', () => {
  const suite = dashboardForSuite();

  it('starts a sweep from the form, and shows a line for each value and the influence of the field', async () => {
    const { page } = await suite.signIn({}, '#/');
    await page.getByText('Sweep: run this for several values of a field').click();
    await page.getByLabel('Step').fill('x');
    await page.getByRole('button', { name: 'Start sweep' }).click();
    await page.getByText('Could not start the sweep').waitFor();
    await page.getByLabel('Step').fill('1');
    await page.getByLabel('Seeds for each value').fill('2');
    await page.getByRole('button', { name: 'Start sweep' }).click();
    await page.waitForSelector('h1:has-text("Sweep")');
    await page.locator('.eyebrow').getByText('Completed').waitFor();
    assert.match(await page.locator('.lead').innerText(), /^3 values of “Entropy”, each with the same 2 seeds\.$/);
    assert.equal(await page.locator('figure').first().locator('g.line').count(), 3);
    const influence = await rowsOf(page, 'table.data', 0);
    assert.deepEqual(
      influence.map(([name]) => name),
      ['Disrupted sectors', 'Best effectiveness', 'Hypervolume'],
    );
    assert.ok(Number(influence[0]?.[1]) > 0);
    await page.getByRole('button', { name: 'Hypervolume' }).click();
    await page.getByText('Hypervolume by Entropy').first().waitFor();
  });

  it('lists a sweep as one thing, and its runs on demand', async () => {
    const id = await swept(suite, { ...sweepOfEntropy, name: 'how much entropy' });
    const { id: single } = await succeeded(suite, { seed: 9 });
    const { page, go } = await suite.signIn({}, '#/runs');
    await page.getByText('how much entropy').waitFor();
    assert.deepEqual(
      (await page.locator('.list-runs tbody th a').allInnerTexts()).filter((text) => text === single),
      [single],
    );
    assert.equal(await page.locator('.list-runs tbody tr').count(), 1);
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('link', { name: 'Show the runs' }).click();
    await page.waitForSelector('h1:has-text("Runs")');
    await loaded(page);
    assert.equal(await page.locator('.list-runs tbody tr').count(), 25);
    const [one = '', other = ''] = await page.locator('.list-runs tbody th a').allInnerTexts();
    await page.locator('.list-runs tbody th a').first().click();
    await page.getByRole('link', { name: 'Part of a sweep' }).waitFor();
    await go(`#/compare?ids=${one},${single},${other}`);
    await page.waitForSelector('.run-legend');
    assert.deepEqual(await page.locator('.run-legend > div').count(), 2);
    assert.deepEqual(await page.locator('.run-legend a').allInnerTexts(), [id, one, other, single]);
  });

  it('lets a viewer read and stay signed in, and says why nothing is started', async () => {
    const { id } = await succeeded(suite, { seed: 11 });
    const { page } = await suite.open({}, `#/run/${id}`);
    await enter(page, suite.server().viewer());
    await page.waitForSelector(`h1:has-text("${id}")`);
    await page.getByText('Rename').click();
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('this needs a token of the role reviewer').waitFor();
    assert.equal(await page.locator('header.top').count(), 1);
  });

  it('renames a run, and finds it by a part of the name', async () => {
    const { id } = await succeeded(suite, { seed: 10 });
    const { page, go } = await suite.signIn({}, `#/run/${id}`);
    await page.getByText('Rename').click();
    await page.getByLabel('Name (optional)').fill('Quite Steep');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.locator('.eyebrow').getByText('Quite Steep').waitFor();
    await go('#/runs');
    await page.getByRole('searchbox').fill('steep');
    await page.waitForFunction(() => location.hash === '#/runs?search=steep');
    await loaded(page);
    assert.deepEqual(await page.locator('.list-runs tbody th a').allInnerTexts(), [id]);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.waitForFunction(() => location.hash === '#/runs');
  });
});
