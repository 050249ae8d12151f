/** Sweeps and names on the dashboard, names and figures that nobody expects, and a hostile text in every name, on every page. */
import assert from 'node:assert/strict';
import { faults } from '../support/console/accessibility.js';
import { altering } from '../support/console/browser.js';
import { forgotten, hostile, hostileShown } from '../support/console/hidden.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { ask, enter, loaded, openAll, rowsOf, words } from './console-given.js';
import { dashboardForSuite, kinds, succeeded, sweepOfEntropy, swept } from './dashboard-given.js';

const blank = '\u3000 ';
const sectors = [
  { name: '<b>bold</b>', energy: 1e12, entropy: 1e12, growth: 10 },
  { name: 'W'.repeat(100), energy: 1e-12, entropy: 1e-12, growth: -0.5 },
  { name: '\u0637\u0627\u0642\u0629 3', energy: 1, entropy: 3, growth: 0 },
  { name: blank, energy: 1e6, entropy: 4e6, growth: 0 },
];

const hostileRequest = {
  horizon: 12,
  x0: 0.5,
  // Names of runs have no control characters; those of sectors may.
  name: hostile.replaceAll(/\p{Cc}/gu, ''),
  sectors: kinds.map((sector) => ({ ...sector, name: `${hostile} ${sector.name}` })),
};

real('chromium', 'the dashboard: sweeps, and odd names and figures', () => {
  const suite = dashboardForSuite();
  const isWithin = `document.documentElement.scrollWidth <= document.documentElement.clientWidth`;

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
    assert.equal(influence.map(([name]) => name).join(), 'Disrupted sectors,Best effectiveness,Hypervolume');
    assert.ok(Number(influence[0]?.[1]) > 0);
    await page.getByRole('button', { name: 'Hypervolume' }).click();
    await page.getByText('Hypervolume by Entropy').first().waitFor();
  });

  it('lists a sweep as one thing, and its runs on demand', async () => {
    const id = await swept(suite, { ...sweepOfEntropy, name: 'how much entropy' });
    const { id: single } = await succeeded(suite, { seed: 9 });
    const { page, go } = await suite.signIn({}, '#/insight');
    await altering(page, '**/sweeps?limit=5', (body) => ({ ...body, next_cursor: '2' }));
    await go('#/runs');
    await page.getByText('how much entropy').waitFor();
    assert.deepEqual(await page.locator('.list-runs tbody th a').allInnerTexts(), [single]);
    await page.getByRole('button', { name: 'Older sweeps' }).click();
    await page.getByRole('button', { name: 'Older sweeps' }).waitFor({ state: 'detached' });
    await altering(page, `**/sweeps/${id}`, (body) => ({ ...body, counts: { ...body.counts, failed: 1, cancelled: 2 } }));
    await page.getByRole('link', { name: id }).click();
    await page.getByText('Runs that failed or were cancelled: 3. No figure below counts them.').waitFor();
    assert.deepEqual(await page.locator('g.line text').allTextContents(), ['1', '1.5', '2', '2.5', '3']);
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
    const { id } = await succeeded(suite, { seed: 10, curve: 'linear' });
    const { page, go } = await suite.signIn({}, `#/run/${id}`);
    await page.getByText('linear', { exact: true }).waitFor();
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

  it('shows names as text that can be seen and breaks nothing', async () => {
    const { id } = await succeeded(suite, { horizon: 12, x0: 0.5, sectors: [...sectors, ...'56789'] });
    const { page, complaints } = await suite.signIn({ viewport: { width: 320, height: 640 } }, `#/run/${id}`);
    await page.getByRole('button', { name: 'Most effective' }).click();
    await page.waitForSelector('.chosen-one table');
    await openAll(page);
    assert.equal(await ask(page, `document.querySelectorAll('main b').length`), 0);
    assert.ok((await page.locator('.list-sectors th[scope=row]').allTextContents()).includes(`\u201c${blank}\u201d`));
    assert.deepEqual(await faults(page, { only: ['empty-table-header'] }), []);
    assert.ok(await ask<boolean>(page, isWithin));
    const dot = `(({ width, height }) => width + height)(getComputedStyle(document.querySelector('.key-dot'), '::before'))`;
    assert.match(await ask<string>(page, dot), /^(.+)\1$/);
    assert.deepEqual(complaints, []);
  });

  it('leaves room for figures of any size', async () => {
    const { id } = await succeeded(suite, { horizon: 200, x0: 0.5, sectors });
    const { page } = await suite.signIn({}, `#/run/${id}`);
    await openAll(page);
    assert.ok(await ask<boolean>(page, isWithin));
    assert.doesNotMatch(await words(page), /(?:\d{3},){6}/);
    const slider = page.locator('.reader input').first();
    const lefts = [];
    for (const key of ['Home', 'ArrowRight', 'End']) {
      await slider.press(key);
      lefts.push((await slider.boundingBox())?.x);
    }
    assert.equal(new Set(lefts).size, 1, lefts.join());
  });

  it('prints years and counts on an axis as whole numbers', async () => {
    const ids = await Promise.all([2, 3].map((horizon) => succeeded(suite, { horizon, entropy: 2, x0: 0.5 })));
    const { page, go } = await suite.signIn({}, `#/compare?ids=${ids.map(({ id }) => id).join(',')}`);
    await page.getByRole('button', { name: 'Disrupted sectors' }).click();
    const labels = (): Promise<string[]> => page.locator('.axis text:not(.axis-name)').allTextContents();
    const compared = await labels();
    assert.match(compared.join(), /^[\d,]+$/);
    assert.deepEqual(compared.slice(-3), ['1', '2', '3']);
    await go('#/insight');
    assert.doesNotMatch((await labels()).join(' '), /(?:^| )[1-9]\d*\.\d/);
  });

  it('shows what is selected in the forced colours of the reader', async () => {
    const { page } = await suite.signIn({ forcedColors: 'active' });
    const outline = `getComputedStyle(document.querySelector('form .segmented [aria-pressed=true]')).outlineStyle`;
    assert.equal(await ask(page, outline), 'solid');
  });

  for (const [nth, locale] of ['en-GB', 'fr-FR'].entries()) {
    it(`shows no hidden character and lets none order others, on any page: ${locale}`, async () => {
      const ids = [];
      for (const horizon of [10, 12]) ids.push((await succeeded(suite, { ...hostileRequest, horizon })).id);
      const { page, go, complaints } = await suite.signIn({ locale });
      const [first = ''] = ids;
      const both = ids.join(',');
      const hashes = ['runs', `run/${first}`, `compare?ids=${both}`, `insight?ids=${both}`, `new?from=${first}`];
      // Each page in one of the languages; at full effort in both.
      const all = [...hashes, `nothing${encodeURIComponent(hostile)}`];
      for (const hash of all.filter((_, i) => fullEffort || i % 2 === nth)) {
        await go(`#/${hash}`);
        await openAll(page);
        assert.deepEqual(await forgotten(page), [], hash);
      }
      await go(`#/run/${first}`);
      assert.ok((await page.locator('.list-sectors').textContent())?.includes(hostileShown));
      assert.deepEqual(complaints, []);
    });
  }
});
