/** docs/console has a picture of every page of the console; UPDATE_DOCS=1 takes them again from a running daemon. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VisitOptions } from '../support/console/browser.js';
import { root } from '../support/cli/cli-run.js';
import { writePicture } from '../support/console/picture.js';
import { real } from '../support/real.js';
import { startWithSandbox } from './console-sandbox.js';
import { consoleForSuite, example, executed, loaded } from './console-given.js';
import { paymentsForSuite } from './payments-given.js';

const folder = join(root, 'docs', 'console');
const wide: VisitOptions = { viewport: { width: 1_440, height: 900 } };
const narrow: VisitOptions = { viewport: { width: 320, height: 640 } };

interface Picture {
  readonly name: string;
  readonly hash: string;
  readonly options?: VisitOptions;
  /** Only what fits on the screen. */
  readonly visibleOnly?: boolean;
}

const paymentPictures = ['payments', 'invoice', 'receipt'];

const kinds = ['research', 'allocation', 'schedule', 'forecast', 'code'] as const;

const takes = process.env.UPDATE_DOCS === '1';

real(['chromium', 'anvil'], 'the console: pictures of payments', () => {
  if (!takes) return;
  const suite = paymentsForSuite({ isBound: true });

  it('are taken', async () => {
    const id = await suite.invoiced();
    const { page, go } = await suite.signIn(wide);
    const take = async (name: string, selector: string): Promise<void> => {
      await loaded(page);
      await writePicture(page, join(folder, `${name}.webp`), { selector });
    };
    await go(`#/missions/${id}`);
    await page.waitForSelector('svg.qr');
    await take('invoice', 'section[aria-labelledby=payment]');
    await page.locator('[data-path="transaction"]').fill(await suite.paid());
    await page.getByRole('button', { name: 'Check payment' }).click();
    await page.getByRole('button', { name: 'Verify receipt' }).click();
    await page.waitForSelector('.receipt .outcome');
    await take('receipt', 'section[aria-labelledby=payment]');
    await go('#/payments');
    await take('payments', 'body');
  });
});

real(takes ? ['chromium', 'container'] : 'chromium', 'the console: pictures', () => {
  const ids: Partial<Record<(typeof kinds)[number], string>> = {};
  const suite = takes
    ? consoleForSuite(async (server) => {
        for (const kind of kinds) ids[kind] = (await executed(server, example(kind))).id;
      }, startWithSandbox)
    : null;
  const pictures = (): readonly Picture[] => [
    {
      name: 'overview',
      hash: `#/missions/${ids.schedule ?? ''}`,
      visibleOnly: true,
    },
    { name: 'missions', hash: '#/missions' },
    ...kinds.map((kind) => ({ name: kind, hash: `#/missions/${ids[kind] ?? ''}` })),
    ...kinds.map((kind) => ({ name: `new-${kind}`, hash: `#/new?kind=${kind}` })),
    { name: 'journal', hash: '#/journal' },
    { name: 'doctor', hash: '#/doctor' },
    { name: 'tools', hash: '#/tools' },
    { name: 'tool', hash: '#/tools/mission_schedule' },
    { name: 'schedule-dark', hash: `#/missions/${ids.schedule ?? ''}`, options: { colorScheme: 'dark' } },
    { name: 'missions-320', hash: '#/missions', options: narrow },
    { name: 'missions-320-dark', hash: '#/missions', options: { ...narrow, colorScheme: 'dark' } },
    { name: 'schedule-320', hash: `#/missions/${ids.schedule ?? ''}`, options: narrow },
    { name: 'schedule-320-dark', hash: `#/missions/${ids.schedule ?? ''}`, options: { ...narrow, colorScheme: 'dark' } },
    { name: 'forecast-french', hash: `#/missions/${ids.forecast ?? ''}`, options: { locale: 'fr-FR' } },
  ];

  it('exist, one for each page', async () => {
    if (suite !== null) {
      mkdirSync(folder, { recursive: true });
      const { page } = await suite.open(wide);
      await page.waitForSelector('#token');
      await writePicture(page, join(folder, 'sign-in.webp'));
      for (const { name, hash, options, visibleOnly = false } of pictures()) {
        const visit = await suite.at(hash, { ...wide, ...options });
        await loaded(visit.page);
        await writePicture(visit.page, join(folder, `${name}.webp`), { fullPage: !visibleOnly });
        // Its feed takes one of the daemon's places.
        await visit.page.context().close();
      }
    }
    const missing = ['sign-in', ...pictures().map(({ name }) => name), ...paymentPictures].filter(
      (name) => !existsSync(join(folder, `${name}.webp`)),
    );
    assert.deepEqual(missing, []);
  });
});
