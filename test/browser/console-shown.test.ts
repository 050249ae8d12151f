/** The console shows what is signed: a hostile text in every member that takes one, on every page. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { kinds } from '../../src/codec/kinds.js';
import { accessible } from '../support/console/accessibility.js';
import { forgotten, hostile, hostileIn, hostileShown } from '../support/console/hidden.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import type { ConsoleServer } from './console-daemon.js';
import { consoleForSuite, example, openAll, send, until } from './console-given.js';

interface Refused {
  readonly errors: readonly { readonly path: string }[];
}

/** Queues the example of a kind with the hostile text in every member where the agent accepts it. */
async function hostileMission(server: ConsoleServer, kind: string): Promise<MissionRecord> {
  const document = JSON.parse(readFileSync(example(kind), 'utf8')) as Parameters<typeof hostileIn>[0];
  const without = ['work.kind'];
  for (let tries = 0; tries < 20; tries++) {
    const response = await send(server, 'missions', hostileIn(document, without));
    if (response.ok) return (await response.json()) as MissionRecord;
    const { errors } = (await response.json()) as Refused;
    assert.ok(errors.length > 0, `${kind}: ${response.status}`);
    without.push(...errors.map(({ path }) => path));
  }
  return assert.fail(`${kind} is not accepted without ${without.join(', ')}`);
}

real('chromium', 'the console: hostile texts', () => {
  const missions: MissionRecord[] = [];
  const suite = consoleForSuite(async (server) => {
    for (const kind of kinds) {
      const queued = await hostileMission(server, kind);
      if (kind === 'code') {
        missions.push(queued);
        continue;
      }
      const executed = (await (await send(server, `missions/${queued.id}/execute?wait=1`, '')).json()) as MissionRecord;
      missions.push(executed);
    }
    const [first] = missions;
    const { id, revision, result_hash } = first ?? assert.fail();
    const decided = await send(server, `missions/${id}/review`, { revision, result_hash, approve: true, note: hostile });
    assert.ok(decided.ok);
  });

  /** Looks at everything of a page that can be opened. */
  async function looked(page: Page): Promise<readonly string[]> {
    const found = [];
    const tabs = await page.getByRole('tab').all();
    for (const tab of [null, ...tabs]) {
      await tab?.click();
      await openAll(page);
      found.push(...(await forgotten(page)));
    }
    return found;
  }

  for (const [nth, locale] of ['en-GB', 'fr-FR'].entries()) {
    it(`shows no hidden character and lets none order others, on any page: ${locale}`, async () => {
      const { page, go, complaints } = await suite.signIn({ locale });
      const pages = ['missions', 'journal', 'payments', 'doctor', 'tools', 'new', `nothing${encodeURIComponent(hostile)}`];
      // Each page in one of the languages; at full effort in both.
      const all = [...missions.map(({ id }) => `missions/${id}`), ...pages];
      for (const hash of all.filter((_, i) => fullEffort || i % 2 === nth)) {
        await go(`#/${hash}`);
        assert.deepEqual(await looked(page), [], hash);
      }
      assert.deepEqual(complaints, []);
    });
  }

  it('fits 320 pixels and has no accessibility fault with marks', async () => {
    const { page, go } = await suite.signIn({ viewport: { width: 320, height: 640 } });
    for (const hash of ['missions', `missions/${missions[0]?.id ?? ''}`]) {
      await go(`#/${hash}`);
      await accessible(page, hash);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, hash);
    }
  });

  it('says below a field what in it is not seen', async () => {
    const { page } = await suite.at('#/new?kind=research', { locale: 'fr-FR' });
    await page.fill('[data-path=goal]', hostile);
    const said = page.getByText('Contient des caractères qui ne se voient pas : U+202E, U+202C, U+200B, U+3164, U+E0041, U+0085');
    await said.waitFor();
    await page.fill('[data-path=goal]', 'שלום 👩\u200d👧');
    await said.waitFor({ state: 'detached' });
  });

  it('shows the goal with the code points, each with what it is, in both languages', async () => {
    const [first] = missions;
    for (const [locale, hint] of [
      ['en-GB', 'A hidden character that changes the direction of text'],
      ['fr-FR', 'Un caractère caché qui change le sens du texte'],
    ] as const) {
      const { page } = await suite.at(`#/missions/${first?.id ?? ''}`, { locale });
      assert.ok((await page.textContent('article'))?.includes(hostileShown));
      await until(page, `document.title.startsWith('pay <U+202E>0001<U+202C>')`);
      assert.equal(await page.locator('mark.point', { hasText: 'U+202E' }).first().getAttribute('title'), hint);
    }
  });
});
