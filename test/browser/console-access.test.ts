/** Every page for everybody: no accessibility fault in either theme, no sideways scrolling at 320 pixels, and in French. @slow */
import assert from 'node:assert/strict';
import { sshKey } from '../support/base/ssh-keys.js';
import { accessible } from '../support/console/accessibility.js';
import { brokenHeaders } from '../support/console/headers.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import {
  ask,
  brokenWhenNarrow,
  consoleForSuite,
  example,
  executed,
  fits,
  hasNone,
  openAll,
  queued,
  send,
  type Signed,
  small,
  structured,
  until,
  words,
} from './console-given.js';
import { assertNone } from '../support/lists.js';

real('chromium', 'the console: access', function () {
  const pages: Record<string, string> = {
    missions: '#/missions',
    'nothing found': '#/missions?q=nothing-like-it',
    'new research': '#/new',
    'new allocation': '#/new?kind=allocation',
    'new schedule': '#/new?kind=schedule',
    'new forecast': '#/new?kind=forecast',
    'new code': '#/new?kind=code',
    payments: '#/payments',
    journal: '#/journal',
    doctor: '#/doctor',
    tools: '#/tools',
    approvers: '#/approvers',
    'a tool': '#/tools/mission_schedule',
    'no page': '#/nowhere',
    'no mission': '#/missions/00000000-0000-4000-8000-000000000000',
  };
  const suite = consoleForSuite(async (server) => {
    for (const kind of ['research', 'allocation', 'schedule', 'forecast'])
      pages[kind] = `#/missions/${(await executed(server, example(kind))).id}`;
    server.cli.json(
      'approver',
      'add',
      'alice',
      '--key',
      `${sshKey(server.cli.directory, 'key').file}.pub`,
      '--title',
      'Head of procurement',
    );
    pages['code'] = `#/missions/${(await queued(server, example('code'))).id}`;
  });

  /** @param turn of the language, in which every other page is looked at when it is narrow; at full effort every page is in both */
  async function eachPage(visit: Signed, turn: 0 | 1, look: (name: string) => Promise<void>): Promise<void> {
    for (const [i, [name, hash]] of Object.entries(pages).entries()) {
      await visit.go(hash);
      await openAll(visit.page);
      await look(name);
      if (fullEffort || i % 2 === turn) assert.deepEqual(await brokenWhenNarrow(visit.page), [], name);
    }
  }

  it('has no accessibility fault, light or dark, landmarks, a heading and names on every page, and breaks no header at 390 pixels', async () => {
    // Without motion the colours of the other theme are there at once.
    const how = { reducedMotion: 'reduce' } as const;
    await accessible((await suite.open(how)).page, 'sign-in');
    const visit = await suite.signIn(how);
    await eachPage(visit, 0, async (name) => {
      await structured(visit.page, name);
      await accessible(visit.page, name);
    });
    await visit.go('#/journal');
    await visit.page
      .getByRole('button', { name: /Prove entry/ })
      .first()
      .click();
    await visit.page.waitForSelector('dialog .notice-good');
    await accessible(visit.page, 'proof');
  });

  it('speaks French to a reader who prefers it, numbers and dates included, fits 320 pixels with its longer words, breaks no header at 390, and changes at a click', async () => {
    const visit = await suite.signIn({ locale: 'fr-FR', viewport: { width: 320, height: 640 }, colorScheme: 'dark' });
    const { page } = visit;
    await until(page, `document.documentElement.lang === 'fr'`);
    const english = /\b(the|this|and|with|your|mission was|Waits|Queued|Result|Details|Pause|Lock)\b/;
    const own = `(() => {
      const copy = document.body.cloneNode(true);
      copy.querySelectorAll('[lang=en], noscript, code, pre, .goal, .goal-rest, .mission-head h1, blockquote, .finding-source, .source summary span, .source-text, .lead[lang], .given, svg, .muted, .figure-below, .brand').forEach((each) => each.remove());
      return copy.innerText ?? copy.textContent;
    })()`;
    await eachPage(visit, 1, async (name) => {
      await fits(page, name);
      await hasNone(page, english, own, name);
    });
    await visit.go(pages['allocation'] ?? '');
    assert.match(await words(page), /419\s000 sur 420\s000 \(99,8\s%\)/);
    assert.match(await words(page), /Elle ne négocie rien/);
    await page.getByRole('button', { name: 'English' }).click();
    await until(page, `document.documentElement.lang === 'en'`);
    assert.match(await words(page), /419,000 of 420,000 \(99.8%\)/);
    await until(page, `/Operator console/.test(document.title)`);
    await fits(page, 'allocation in English');
    const expected = /status of 404/;
    assertNone(visit.complaints, (text) => !expected.test(text));
  });

  it('shows lists whole at 1024 pixels in French', async () => {
    const visit = await suite.signIn({ locale: 'fr-FR', viewport: { width: 1024, height: 800 } });
    for (const name of ['missions', 'journal', 'tools', 'approvers']) {
      await visit.go(pages[name] ?? '');
      assert.deepEqual(await brokenHeaders(visit.page), [], name);
      assert.equal(await ask(visit.page, 'document.documentElement.scrollWidth'), 1024, name);
    }
  });

  it('takes the keyboard past the navigation', async () => {
    const visit = await suite.at('#/missions');
    await visit.page.keyboard.press('Shift+Tab');
    await ask(visit.page, `document.querySelector('.skip').focus()`);
    await visit.page.keyboard.press('Enter');
    await until(visit.page, `document.activeElement.tagName === 'H1'`);
  });

  it('keeps the focus when what has it is disabled, or is gone by news', async () => {
    const { id, goal } = await queued(suite.server(), small);
    const { page } = await suite.at(`#/missions/${id}`);
    const kept = async (name: string, expected: string, act: () => Promise<unknown>): Promise<void> => {
      await page.getByRole('button', { name }).first().focus();
      await act();
      await until(page, `document.activeElement.textContent === '${expected}'`);
    };
    await kept('Pause', 'Resume', () => page.keyboard.press('Enter'));
    await kept('Resume', 'Pause', () => page.keyboard.press('Enter'));
    await kept('Execute', goal, () => send(suite.server(), `missions/${id}/execute?wait=1`, ''));
  });

  it('moves nothing for a reader who wants no motion', async () => {
    const { page } = await suite.signIn({ reducedMotion: 'reduce' });
    const moving = await ask(
      page,
      `[...document.querySelectorAll('*')].filter((each) => getComputedStyle(each).transitionDuration !== '0s' || getComputedStyle(each).animationName !== 'none').length`,
    );
    assert.equal(moving, 0);
  });
});
