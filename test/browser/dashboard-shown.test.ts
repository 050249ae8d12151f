/** The dashboard shows names as they are given: a hostile text in each, on every page. */
import assert from 'node:assert/strict';
import { forgotten, hostile, hostileShown } from '../support/console/hidden.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { openAll } from './console-given.js';
import { dashboardForSuite, kinds, succeeded } from './dashboard-given.js';

const request = {
  horizon: 12,
  x0: 0.5,
  // Names of runs have no control characters; those of sectors may.
  name: hostile.replaceAll(/\p{Cc}/gu, ''),
  sectors: kinds.map((sector) => ({ ...sector, name: `${hostile} ${sector.name}` })),
};

real('chromium', 'the dashboard: hostile texts', () => {
  const suite = dashboardForSuite();

  for (const [nth, locale] of ['en-GB', 'fr-FR'].entries()) {
    it(`shows no hidden character and lets none order others, on any page: ${locale}`, async () => {
      const ids = [];
      for (const horizon of [10, 12]) ids.push((await succeeded(suite, { ...request, horizon })).id);
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
