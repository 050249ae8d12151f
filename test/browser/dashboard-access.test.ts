/** Every page of the dashboard for everybody: no accessibility fault in either theme, 320 pixels, French, the keyboard alone. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible } from '../support/console/accessibility.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { ask, brokenWhenNarrow, fits, hasNone, loaded, openAll, structured, until, words } from './console-given.js';
import { dashboardForSuite, kinds, succeeded, sweepOfEntropy, swept, type Signed } from './dashboard-given.js';
import { assertNone } from '../support/lists.js';

const english = /\b(the|this|and|with|your|of|run was|Waiting|Succeeded|Year|Sector|years|runs)\b/;
/** What the page says in its own words, to eyes and to screen readers. */
const own = `(() => {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll('[lang=en], noscript, code, pre, .mono, .command').forEach((each) => each.remove());
  const labels = [...document.querySelectorAll('[aria-label], [title]')].map((each) => (each.getAttribute('aria-label') ?? '') + ' ' + (each.title ?? ''));
  return copy.textContent + ' ' + labels.join(' ');
})()`;

real('chromium', 'the dashboard: access', () => {
  const suite = dashboardForSuite();
  const pages: Record<string, string> = { new: '#/', runs: '#/runs', 'no run': '#/runs?state=failed', nowhere: '#/nowhere' };
  before(async () => {
    const one = await succeeded(suite, { horizon: 12, sectors: kinds, pop_size: 40, generations: 10, samples: 50, seed: 1 });
    const other = await succeeded(suite, { horizon: 9, sectors: kinds.slice(1), curve: 'exponential', seed: 2 });
    pages['run'] = `#/run/${one.id}`;
    pages['compare'] = `#/compare?ids=${one.id},${other.id}`;
    pages['insight'] = `#/insight?ids=${one.id},${other.id}`;
    pages['sweep'] = `#/sweep/${await swept(suite, sweepOfEntropy)}`;
    pages['missing'] = '#/run/0123456789abcdef';
  });

  /** @param turn of the language, in which every other page is looked at when it is narrow; at full effort every page is in both */
  async function eachPage(visit: Signed, turn: 0 | 1, look: (name: string, page: Page) => Promise<void>): Promise<void> {
    for (const [i, [name, hash]] of Object.entries(pages).entries()) {
      await visit.go(hash);
      if (name === 'run') await visit.page.locator('.quick button').first().click();
      await openAll(visit.page);
      await look(name, visit.page);
      if (fullEffort || i % 2 === turn) assert.deepEqual(await brokenWhenNarrow(visit.page), [], name);
    }
  }

  it('has no accessibility fault, light or dark, and breaks no word of a header at 390 pixels', async () => {
    const { page: first } = await suite.open();
    await accessible(first, 'sign-in');
    // Without motion: a colour on its way from one theme to the other has any contrast.
    const visit = await suite.signIn({ reducedMotion: 'reduce' });
    await eachPage(visit, 0, (name, page) => accessible(page, name));
  });

  it('fits 320 pixels on every page, charts and all, in French, with names for a screen reader, and breaks no header at 390', async () => {
    const visit = await suite.signIn({ viewport: { width: 320, height: 640 }, locale: 'fr-FR' });
    await eachPage(visit, 1, async (name, page) => {
      await fits(page, name);
      await structured(page, name);
      await hasNone(page, english, own, name);
    });
    assertNone(visit.complaints, (text) => !/status of 404/.test(text));
    await visit.go(pages['compare'] ?? '');
    assert.match(await words(visit.page), /Taux de mutation 0,10,1/);
    await visit.page.getByRole('button', { name: 'English' }).click();
    assert.match(await words(visit.page), /Mutation rate 0\.10\.1/);
    await until(visit.page, `document.title.startsWith('Compare runs')`);
  });

  it('works by keyboard alone: a run is started, its population browsed, runs are compared', async () => {
    const { page } = await suite.signIn();
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    const at = (): Promise<string> =>
      ask(page, `document.activeElement.textContent + (document.activeElement.dataset.path ?? '')`);
    const tabTo = async (what: string, key = 'Tab'): Promise<void> => {
      for (let i = 0; i < 80; i++) {
        await press(key);
        if ((await at()).trim() === what) return;
      }
      throw new Error(`the keyboard does not reach ${what}`);
    };
    await tabTo('horizon');
    await press('Control+a');
    await page.keyboard.type('6');
    await press('Enter');
    await until(page, `document.querySelector('.population .reader') !== null`);
    await until(page, `document.activeElement.tagName === 'H1'`);
    await tabTo('Most effective');
    await press('Enter');
    await page.waitForSelector('.chosen-one table');
    await press('Shift+Tab');
    await press('ArrowRight');
    await until(page, `/^2 of /.test(document.activeElement.getAttribute('aria-valuetext'))`);
    await ask(page, `document.querySelector('.skip').focus()`);
    await tabTo('Runs');
    await press('Enter');
    await page.waitForSelector('.list-runs');
    await loaded(page);
    await tabTo('Cancelled');
    for (let i = 0; i < 2; i++) {
      await press('Tab');
      while ((await ask(page, 'document.activeElement.type')) !== 'checkbox') await press('Tab');
      await press('Space');
    }
    await tabTo('Compare', 'Shift+Tab');
    await press('Enter');
    await until(page, `document.querySelectorAll('.chart svg[role=img] .line').length === 2`);
  });

  it('moves nothing for a reader who wants no motion', async () => {
    const { page, go } = await suite.signIn({ reducedMotion: 'reduce' });
    await go(pages['run'] ?? '');
    const moving = `[...document.querySelectorAll('*')].filter((each) => getComputedStyle(each).transitionDuration !== '0s' || getComputedStyle(each).animationName !== 'none').length`;
    assert.equal(await ask(page, moving), 0);
  });
});
