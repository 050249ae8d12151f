/** The live feed of many tabs: a browser allows six connections to one host, so a page that nobody sees holds none. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { real } from '../support/real.js';
import { consoleForSuite, loaded, queued, small, until } from './console-given.js';

/** As a browser does it when another tab is brought to the front; a page that is driven by a test is always visible. */
const show = (page: Page, visible: boolean): Promise<unknown> =>
  page.evaluate(
    `(Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!visible} }), document.dispatchEvent(new Event('visibilitychange')))`,
  );

real('chromium', 'the console: the feed of many tabs', () => {
  const suite = consoleForSuite();

  it('works in eight tabs of one browser, and a tab that is shown again has missed nothing', async () => {
    const { page: first } = await suite.signIn();
    await first.waitForSelector('.feed-live');
    const pages = [first];
    while (pages.length < 8) {
      const before = pages.at(-1);
      if (before !== undefined) await show(before, false);
      const page = await first.context().newPage();
      await page.goto(suite.server().url);
      // Signed in through the tabs that are.
      await page.waitForSelector('.feed-live');
      pages.push(page);
    }
    const last = pages.at(-1) ?? first;
    await last.evaluate(`location.hash = '#/tools'`);
    await loaded(last);
    await first.waitForSelector('.feed-connecting');
    const { id } = await queued(suite.server(), small);
    await last.waitForTimeout(800);
    assert.equal(await first.locator(`a[href="#/missions/${id}"]`).count(), 0, 'a hidden page has no feed');
    await show(last, false);
    const resumed = first.waitForRequest('**/api/events');
    await show(first, true);
    assert.match((await resumed).headers()['last-event-id'] ?? '', /^\d+$/);
    await first.waitForSelector(`a[href="#/missions/${id}"]`);
    await until(first, `/1\\s*Queued/.test(document.querySelector('.counts').textContent)`);
    await first.waitForSelector('.feed-live');
  });
});
