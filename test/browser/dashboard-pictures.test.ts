/** docs/dashboard has a picture of every page of the dashboard; UPDATE_DOCS=1 takes them again from a running server. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VisitOptions } from '../support/console/browser.js';
import { root } from '../support/cli/cli-run.js';
import { writePicture } from '../support/console/picture.js';
import { real } from '../support/real.js';
import { dashboardForSuite, endless, kinds, started, succeeded, sweepOfEntropy, swept } from './dashboard-given.js';
import { assertNone } from '../support/lists.js';

const folder = join(root, 'docs', 'dashboard');
const wide: VisitOptions = { viewport: { width: 1_440, height: 900 } };
const narrow: VisitOptions = { viewport: { width: 320, height: 640 } };
const sectors = [
  ...kinds,
  { name: 'finance', energy: 1.2, entropy: 3, growth: 0.02 },
  { name: 'education', energy: 2.5, entropy: 3.2, growth: 0.01 },
  { name: 'housing', energy: 3, entropy: 3.5, growth: 0 },
  { name: 'media', energy: 0.8, entropy: 1.8, growth: 0.04 },
];
const scenario = { horizon: 15, x0: 0.5, sectors, pop_size: 150, generations: 8, mut_rate: 0.3, samples: 500, seed: 7 };
interface Shown {
  readonly hash: string;
  readonly options?: VisitOptions;
  readonly chooses?: boolean;
  readonly visibleOnly?: boolean;
}

function pagesOf(ids: readonly string[], running: string, sweep: string): Readonly<Record<string, Shown>> {
  const run = { hash: `#/run/${ids[0]}`, chooses: true };
  return {
    new: { hash: '#/' },
    running: { hash: `#/run/${running}` },
    run,
    overview: { ...run, visibleOnly: true },
    'run-dark': { ...run, options: { colorScheme: 'dark' } },
    'run-320': { ...run, options: narrow },
    'run-320-dark': { ...run, options: { ...narrow, colorScheme: 'dark' } },
    'run-french': { ...run, options: { locale: 'fr-FR' } },
    runs: { hash: '#/runs' },
    'runs-320': { hash: '#/runs', options: narrow },
    compare: { hash: `#/compare?ids=${ids.join(',')}` },
    insight: { hash: '#/insight' },
    sweep: { hash: `#/sweep/${sweep}` },
    'sweep-320': { hash: `#/sweep/${sweep}`, options: narrow },
  };
}

real('chromium', 'the dashboard: pictures', () => {
  if (process.env.UPDATE_DOCS === '1') {
    const suite = dashboardForSuite();
    it('are taken', async () => {
      const ids: string[] = [];
      for (const part of [{}, { horizon: 20, curve: 'exponential', x0: 0 }, { horizon: 10, curve: 'linear' }])
        ids.push((await succeeded(suite, { ...scenario, ...part })).id);
      const sweep = await swept(suite, { ...sweepOfEntropy, name: 'how much entropy' });
      const running = await started(suite, endless);
      mkdirSync(folder, { recursive: true });
      const { page: first } = await suite.open(wide);
      await first.waitForSelector('#token');
      await writePicture(first, join(folder, 'sign-in.webp'));
      for (const [name, { hash, options, chooses = false, visibleOnly = false }] of Object.entries(
        pagesOf(ids, running, sweep),
      )) {
        const { page } = await suite.signIn({ ...wide, ...options }, hash);
        if (chooses) await page.locator('.quick button').first().click();
        await page.waitForTimeout(500);
        await writePicture(page, join(folder, `${name}.webp`), { fullPage: !visibleOnly });
      }
      await suite.api('DELETE', `/runs/${running}`);
    });
  }
  it('exist, one for each page', () => {
    assertNone(['sign-in', ...Object.keys(pagesOf([], '', ''))], (name) => !existsSync(join(folder, `${name}.webp`)));
  });
});
