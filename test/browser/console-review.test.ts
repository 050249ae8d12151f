/** The decision: what is shown is what is sent, and nothing else is ever signed. And a mission that is changed and run again. */
import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import type { MissionEntries, MissionRecord } from '../../src/codec/api-missions.js';
import { altering } from '../support/console/browser.js';
import { real } from '../support/real.js';
import {
  ask,
  consoleForSuite,
  decide,
  decided,
  drawn,
  enter,
  executed,
  failing,
  goTo,
  recordOf,
  rowsOf,
  send,
  small,
  until,
  words,
} from './console-given.js';

real('chromium', 'the console: review', () => {
  const suite = consoleForSuite();
  const inReview = async (): Promise<MissionRecord & { readonly result_hash: string }> => {
    const record = await executed(suite.server(), small);
    return { ...record, result_hash: record.result_hash ?? assert.fail('there is no result') };
  };
  const shown = (id: string): Promise<MissionRecord> => recordOf(suite.server(), id);

  it('fills the form with a rejected mission, keeps what is typed over a reload, and says what was changed', async () => {
    const { id, revision, result_hash } = await executed(suite.server(), small);
    const decision = { revision, result_hash, approve: false, note: 'the saw is free from noon' };
    const { reviewer } = suite.server().tokens;
    assert.equal((await send(suite.server(), `missions/${id}/review`, decision, reviewer)).status, 200);
    const { page } = await suite.at(`#/missions/${id}`, { role: 'reviewer' });
    await page.getByRole('link', { name: 'Change and run again' }).click();
    await page.waitForSelector('form');
    await drawn(page);
    assert.match(await words(page), /the saw is free from noon/);
    const goal = page.getByLabel('Goal');
    assert.equal(await goal.inputValue(), small.goal);
    await goal.fill('Plan two repairs after noon');
    await page.reload();
    await page.waitForSelector('form');
    if ((await page.locator('input[type=password]').count()) > 0) await enter(page, suite.server().tokens.reviewer);
    await page.waitForSelector('fieldset.kinds');
    assert.equal(await goal.inputValue(), 'Plan two repairs after noon');
    await page.getByLabel('Effort').fill('thorough');
    assert.match(await words(page), /Would take at most about 2 h: .* ends after 8 min .*choose an effort of at most 60,000\./);
    await page.getByLabel('Effort').fill('quick');
    assert.match(await words(page), /Takes at most about 8 s/);
    const kept = await page.evaluate('JSON.stringify({ ...sessionStorage })');
    const form = Object.entries(JSON.parse(String(kept)) as Record<string, string>).find(([name]) => name.includes('form'));
    assert.ok(form !== undefined && !form[1].includes(suite.server().tokens.reviewer));
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    assert.match(await words(page), /Takes at most about 8 s[^]*Inputs[^]*Finish as early as possible/);
    assert.match(await words(page), /goal Plan two repairs → Plan two repairs after noon/);
  });

  it('keeps a form through a revoked token, and lets the browser ask before it is closed', async () => {
    const { page, go } = await suite.at('#/new?kind=allocation', { role: 'reviewer' });
    // The page listens once it is drawn, which is after what is typed is in its field.
    const asks = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
    assert.equal(await page.evaluate(asks), false);
    await page.getByLabel('Goal').fill('Choose the pumps');
    await until(page, asks);
    await failing(page, '**/api/**', { status: 401, code: 'unauthorized', title: 'Unauthorized', detail: 'revoked' });
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.waitForSelector('#token');
    await page.unroute('**/api/**');
    await enter(page, suite.server().tokens.reviewer);
    await go('#/new?kind=allocation');
    assert.equal(await page.getByLabel('Goal').inputValue(), 'Choose the pumps');
    await until(page, asks);
  });

  it('notifies in the browser while nobody sees the page, once a person asked for it', async () => {
    const { page, go } = await suite.signIn({ role: 'reviewer' });
    await page.evaluate(`
      window.notices = [];
      window.Notification = class {
        static permission = 'default';
        static requestPermission = async () => (window.Notification.permission = 'granted');
        constructor(text) { window.notices.push(text); }
      };
      Object.defineProperty(document, 'hidden', { get: () => true });
    `);
    await go('#/journal');
    await go('#/missions');
    await executed(suite.server(), small);
    await page.waitForSelector('text=Needs you: 1');
    await drawn(page);
    assert.deepEqual(await page.evaluate('window.notices'), []);
    await page.getByRole('button', { name: 'Notify me in this browser' }).click();
    await page.waitForSelector('text=Notify me in this browser', { state: 'detached' });
    await executed(suite.server(), small);
    await page.waitForSelector('text=Needs you: 2');
    await until(page, `window.notices.join() === 'Needs you: 2'`);
  });

  it('approves: computes the hash, shows what will be signed, and sends exactly that', async () => {
    const mission = await inReview();
    const { page } = await suite.at(`#/missions/${mission.id}`, { role: 'reviewer' });
    assert.equal(await page.getAttribute('[data-hash]', 'data-hash'), 'equal');
    const at = `${mission.id} --home ${suite.server().cli.env['AGENT_HOME']}`;
    assert.deepEqual(await page.locator('.command code').allTextContents(), [`agent-cli show ${at}`, `agent-cli review ${at}`]);
    assert.match(await words(page), /does not trade, send funds or operate equipment/);
    const note = 'checked against "the plan" <b>';
    await decide(page, 'Approve', note);
    const dialog = page.locator('dialog');
    for (const value of [mission.id, mission.result_hash, note, 'Approve', 'reviewer']) {
      assert.ok((await dialog.innerText()).includes(value), value);
    }
    const body = await dialog.locator('pre').textContent();
    const { id, revision, result_hash } = mission;
    assert.equal(body, JSON.stringify({ revision, result_hash, approve: true, note }));
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await dialog.getByRole('button', { name: 'Sign approval' }).click();
    assert.equal((await sent).postData(), body);
    await page.waitForSelector('.badge-completed');
    const { state, review } = await shown(id);
    assert.deepEqual([state, review?.approved, review?.note, review?.actor], ['completed', true, note, 'reviewer']);
    assert.equal(await page.locator('dialog[open]').count(), 0);
    assert.equal(await page.locator('.mission-head ~ .notice-warn').count(), 0, 'no notice about one\u2019s own decision');
  });

  it('rejects, with the reason', async () => {
    const { id } = await inReview();
    const { page } = await suite.at(`#/missions/${id}`);
    await decide(page, 'Reject', 'not what was asked');
    await page.getByRole('button', { name: 'Sign rejection' }).click();
    await page.waitForSelector('.badge-rejected');
    const { state, review } = await shown(id);
    assert.deepEqual([state, review?.approved, review?.note], ['rejected', false, 'not what was asked']);
    assert.match(await words(page), /Rejected by operator|Rejected by admin/);
  });

  it('asks for a decision and a reason before anything is shown to be signed', async () => {
    const { id, revision } = await inReview();
    const { page } = await suite.at(`#/missions/${id}`);
    const look = page.getByRole('button', { name: 'Review and sign' });
    await look.click();
    assert.match(await words(page), /Choose approve or reject\./);
    await page.getByRole('radio', { name: 'Approve' }).check();
    await page.getByLabel('Reason').fill('   ');
    await look.click();
    assert.match(await words(page), /Give a reason/);
    await page.getByLabel('Reason').fill('x'.repeat(2001));
    await look.click();
    assert.match(await words(page), /At most 2000 characters\./);
    assert.equal(await page.locator('dialog').count(), 0);
    assert.equal((await shown(id)).revision, revision);
  });

  it('keeps the reason that was typed while its author looks at another page, and forgets it once it is signed', async () => {
    const { id } = await inReview();
    const { page, go } = await suite.at(`#/missions/${id}`);
    await page.getByRole('radio', { name: 'Reject' }).check();
    await page.getByLabel('Reason').fill('the saw is free from noon');
    await go('#/journal');
    await page.goBack();
    await page.waitForSelector('[data-hash=equal]');
    assert.equal(await page.getByLabel('Reason').inputValue(), 'the saw is free from noon');
    assert.equal(await page.getByRole('radio', { name: 'Reject' }).isChecked(), false);
    await decide(page, 'Reject', 'the saw is free from one');
    await page.getByRole('button', { name: 'Sign rejection' }).click();
    await page.waitForSelector('.badge-rejected');
    assert.equal(await ask(page, `Object.keys(sessionStorage).filter((key) => key.includes('review'))`).then(String), '');
  });

  it('signs nothing in a stale review, and shows what was seen beside the current state', async () => {
    const mission = await inReview();
    const { id, revision, result_hash } = mission;
    const { page } = await suite.open();
    // Without the feed the page cannot know of the other decision before it sends its own.
    await page.route('**/api/events', (route) => route.abort());
    await enter(page, suite.server().tokens.admin);
    await goTo(page, `#/missions/${id}`);
    await page.waitForSelector('[data-hash=equal]');
    await decide(page, 'Approve', 'fine');
    decided(suite.server(), mission, '--reject', '--note', 'faster', '--as', 'somebody');
    await page.getByRole('button', { name: 'Sign approval' }).click();
    await page.waitForSelector('.conflict');
    const rows = await rowsOf(page, '.conflict table');
    assert.deepEqual(rows, [
      ['Journal entry', String(revision), String(revision + 1)],
      ['State', 'Needs review', 'Rejected'],
      ['Result hash', result_hash, result_hash],
    ]);
    assert.match(await words(page), /Nothing was signed/);
    assert.equal((await shown(id)).review?.actor, 'somebody');
    await page.locator('.conflict').getByRole('button', { name: 'Show current version' }).click();
    await page.waitForSelector('.badge-rejected');
    assert.match(await words(page), /faster/);
  });

  it('does not exchange a mission that changes while the reviewer reads it', async () => {
    const mission = await inReview();
    const { page } = await suite.at(`#/missions/${mission.id}`);
    await page.waitForSelector('.feed-live');
    await page.getByLabel('Reason').fill('half a thought');
    decided(suite.server(), mission, '--approve', '--note', 'me');
    await page.waitForSelector('text=changed after you opened it');
    assert.equal(await page.inputValue('textarea'), 'half a thought');
    assert.equal(await page.getByRole('button', { name: 'Review and sign' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Show current version' }).click();
    await page.waitForSelector('.badge-completed');
  });

  it('refuses a signature when the mission changes under the open dialog', async () => {
    const mission = await inReview();
    const { page } = await suite.at(`#/missions/${mission.id}`);
    await page.waitForSelector('.feed-live');
    await decide(page, 'Approve', 'fine');
    decided(suite.server(), mission, '--reject', '--note', 'me');
    await page.waitForSelector('dialog .notice-warn');
    assert.equal(await page.getByRole('button', { name: 'Sign approval' }).isDisabled(), true);
  });

  it('says that a signature was refused after its dialog was closed', async () => {
    const { id } = await inReview();
    const { page } = await suite.at(`#/missions/${id}`);
    await decide(page, 'Approve', 'fine');
    const sent = new Promise<Route>((resolve) => void page.route('**/review', resolve));
    await page.getByRole('button', { name: 'Sign approval' }).click();
    const route = await sent;
    await page.keyboard.press('Escape');
    await route.fulfill({ status: 507, json: { title: 'Storage full', detail: 'no space left' } });
    await page.waitForSelector('.toast p:has-text("Storage full: no space left")');
  });

  it('reports a result that is not the recorded one, and does not let it be approved', async () => {
    const { id } = await inReview();
    const { page, go } = await suite.signIn();
    await altering(page, `**/api/missions/${id}`, (record) => {
      const result = { makespan: record.result.makespan - 1, order: [{ job: 'roof' }], scores: { last: 1 } };
      return { ...record, result };
    });
    await go(`#/missions/${id}`);
    assert.match(await words(page), /order\s*{"job":"roof"}\s*scores\s*{"last":1}/);
    assert.equal(await page.getAttribute('[data-hash]', 'data-hash'), 'differs');
    assert.match((await page.textContent('[data-hash]')) ?? '', /the hashes differ/);
    assert.equal(await page.getByRole('radio', { name: 'Approve' }).isDisabled(), true);
    assert.equal(await page.getByRole('radio', { name: 'Reject' }).isDisabled(), false);
  });

  it('signs the hash that was computed here when another agent recorded a hash over its own text', async () => {
    const { id } = await inReview();
    const { page, go } = await suite.signIn();
    await altering(page, `**/api/missions/${id}`, (record) => ({ ...record, result_hash: 'f'.repeat(64) }));
    await altering(page, `**/api/missions/${id}/events`, ({ items, next_after }: MissionEntries) => ({
      items: items.map((entry) => ({ ...entry, type: 'reference.mission' })),
      next_after,
    }));
    await go(`#/missions/${id}`);
    await page.waitForSelector('[data-hash].notice-warn');
    await decide(page, 'Approve', 'fine');
    assert.ok(
      (await page.textContent('dialog pre'))?.includes((await shown(id)).result_hash ?? assert.fail('there is no result')),
    );
  });

  it('works by keyboard alone, from the sign-in page to the signature', async () => {
    const { id } = await inReview();
    const { page } = await suite.open();
    const tabTo = async (name: string | RegExp): Promise<void> => {
      for (let i = 0; i < 120; i++) {
        await page.keyboard.press('Tab');
        const label = await ask<string>(
          page,
          `document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? ''`,
        );
        if (typeof name === 'string' ? label.includes(name) : name.test(label)) return;
      }
      assert.fail(`no way by Tab to ${String(name)}`);
    };
    const atHeading = (): Promise<void> => until(page, `document.activeElement?.tagName === 'H1'`);
    await tabTo('Access token');
    await page.keyboard.type(suite.server().tokens.reviewer);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.list');
    await atHeading();
    await tabTo(small.goal);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.mission');
    await atHeading();
    await tabTo('Go to decision');
    await page.keyboard.press('Enter');
    await tabTo('Approve');
    await page.keyboard.press('Space');
    await tabTo('Reason');
    await page.keyboard.type('by keyboard');
    await tabTo('Review and sign');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] .actions');
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      const inside = await ask(
        page,
        `document.activeElement === document.body || document.activeElement.closest('dialog') !== null`,
      );
      assert.equal(inside, true, 'the focus stays in the dialog');
    }
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    await until(page, `document.activeElement?.textContent === 'Review and sign'`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] .actions');
    await tabTo('Sign approval');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.badge-completed');
    assert.equal((await shown(id)).review?.note, 'by keyboard');
  });
});
