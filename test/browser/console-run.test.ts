/** A mission's life by the console: made by form or by file, executed, followed, stopped, recovered, exported. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { labelOf, type Labels } from '../../src/console/kit/forms/labels.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { words as operatorWords } from '../../src/console/operator/text/all.js';
import { root } from '../support/cli/cli-run.js';
import { real } from '../support/real.js';
import {
  approved,
  consoleForSuite,
  enter,
  example,
  executed,
  goTo,
  queued,
  recordOf,
  saved,
  small,
  until,
  words,
} from './console-given.js';
import { cell, focusedCell, paste, typeCell } from './grid.js';

const { en } = operatorWords;

const missionFile = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
const idIn = (url: string): string => new URL(url).hash.split('/').at(-1) ?? '';

real('chromium', 'the console: a mission\u2019s life', () => {
  const suite = consoleForSuite();
  const shown = (id: string): Promise<MissionRecord> => recordOf(suite.server(), id);

  it('shows faults of the form at their fields in the words of the command, then queues the mission', async () => {
    const { page } = await suite.at('#/new?kind=allocation');
    const at = (path: string): Locator => page.locator(`[data-path="${path}"]`);
    await at('goal').fill('ab');
    await at('work.budget').fill('ten');
    await typeCell(page, 0, 0, 'roof top');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.problem');
    const bad = { goal: 'ab', work: { kind: 'allocation', budget: 'ten', items: [{ id: 'roof top' }] } };
    const bad_file = join(suite.server().cli.directory, 'bad.json');
    writeFileSync(bad_file, JSON.stringify(bad));
    const { errors } = JSON.parse(suite.server().cli.run('run', bad_file, '--json').stderr) as {
      errors: { path: string; message: string }[];
    };
    const labels: Labels = { ...en.create.fields, work: { label: '', members: kindWords.allocation.en.fields } };
    const summary = await page.locator('.problem li').allTextContents();
    assert.deepEqual(
      summary,
      errors.map(({ path, message }) => `${labelOf(path, labels)}: ${message}`),
    );
    assert.equal(await at('work.budget').getAttribute('aria-invalid'), 'true');
    // Once it is drawn, the summary takes the focus.
    await until(page, `document.activeElement.matches('.problem')`);
    await page.locator('.problem').getByRole('button', { name: 'Item 1, Cost' }).click();
    assert.deepEqual(await focusedCell(page), [0, 2]);
    await at('goal').fill('Choose repairs');
    await at('work.budget').fill('10');
    for (const [i, id, cost, value] of [
      [0, 'roof', '6', '9'],
      [1, 'door', '3', '4.5'],
    ] as const) {
      await typeCell(page, i, 0, id);
      await typeCell(page, i, 2, cost);
      await typeCell(page, i, 3, value);
    }
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    const { request, state } = await shown(idIn(page.url()));
    assert.equal(state, 'queued');
    assert.deepEqual((request as { work: unknown }).work, {
      kind: 'allocation',
      budget: 10,
      unit: 'planning units',
      items: [
        { id: 'roof', cost: 6, value: 9, risk: 0 },
        { id: 'door', cost: 3, value: 4.5, risk: 0 },
      ],
    });
  });

  it('refuses a decimal comma at its cell, and shows what was read of a list of numbers', async () => {
    const { page, go } = await suite.at('#/new?kind=forecast', { locale: 'fr-FR' });
    await cell(page, 0, 0).focus();
    await paste(page, { 'text/plain': ['12,5', ...Array.from({ length: 23 }, (_, i) => `${i + 1.5}`)].join('\n') });
    await page.locator('[data-path="work.levels"]').fill('50,80');
    assert.match((await page.textContent('.read')) ?? '', /^«\s50,80\s» n’est pas un nombre/);
    await page.locator('[data-path="goal"]').fill('Continue the series');
    await page.getByRole('button', { name: 'Mettre la mission en file' }).click();
    await page.waitForSelector('.problem');
    assert.match((await page.locator('.problem li').first().textContent()) ?? '', /^Observations, 1/);
    await until(page, `document.activeElement.matches('.problem')`);
    assert.equal(await cell(page, 0, 0).getAttribute('aria-invalid'), 'true');
    await typeCell(page, 0, 0, '0.5');
    await page.locator('[data-path="work.levels"]').fill('50 80');
    assert.equal(await page.textContent('.read'), '2 valeurs lues\u00a0: 50 … dernière 80');
    await page.getByRole('button', { name: 'Mettre la mission en file' }).click();
    await page.waitForSelector('.badge-queued');
    const { observations } = ((await shown(idIn(page.url()))).request as { work: { observations: number[] } }).work;
    assert.deepEqual([observations.length, observations[0], observations.at(-1)], [24, 0.5, 23.5]);
    await go('#/new?kind=code');
    await page.locator('[data-path="work.heldout"]').fill('[{ "args": [1], "expected": 2.0 }]');
    assert.match((await page.textContent('.read')) ?? '', /où 5 ne s’écrit pas 5\.0/);
  });

  it('refuses a file that is not a mission with its faults, and queues a good one unchanged', async () => {
    const { page } = await suite.at('#/new');
    await page.setInputFiles('input[type=file]', missionFile('x.json', '{"goal":'));
    await page.waitForSelector('.problem');
    assert.match((await page.textContent('.problem')) ?? '', /is not valid JSON/);
    await page.setInputFiles('input[type=file]', { ...missionFile('z.json', ''), buffer: Buffer.from([0x7b, 0xff]) });
    await until(page, `/is not UTF-8 text/.test(document.querySelector('.problem')?.textContent ?? '')`);
    await page.setInputFiles('input[type=file]', missionFile('y.json', '{"goal":"x"}'));
    await until(page, `/work\\s*required/.test(document.querySelector('.problem')?.textContent ?? '')`);
    await page.setInputFiles('input[type=file]', example('forecast'));
    await page.waitForSelector('.notice-good');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    assert.equal((await sent).postData(), readFileSync(example('forecast'), 'utf8'));
    await page.waitForSelector('.badge-queued');
  });

  it('executes, shows progress, and a tab that was closed finds the run again', async () => {
    const server = suite.server();
    const { id } = await queued(server, example('schedule'));
    const first = await suite.at(`#/missions/${id}`);
    await first.page.getByRole('button', { name: 'Execute', exact: true }).click();
    await first.page.waitForSelector('.badge-running, .badge-review');
    await first.page.close();
    const second = await suite.open();
    await enter(second.page, server.tokens.viewer);
    await goTo(second.page, `#/missions/${id}`);
    const state = (await shown(id)).state;
    if (state === 'running')
      await until(second.page, `document.querySelector('progress') !== null || document.querySelector('.badge-review') !== null`);
    await second.page.waitForSelector('[role=status] .badge-review');
    await until(second.page, `document.querySelectorAll('.timeline .done').length === 7`);
  });

  it('cancels a queued mission and recovers it: attempt 2, never by itself', async () => {
    const { id } = await queued(suite.server(), small);
    const { page } = await suite.at(`#/missions/${id}`);
    await page.getByRole('button', { name: 'Cancel mission' }).click();
    await page.waitForSelector('.badge-failed');
    assert.match(await words(page), /The mission failed.*cancelled/);
    await page.getByRole('button', { name: 'Recover', exact: true }).click();
    await page.waitForSelector('.badge-queued');
    const { attempt, state } = await shown(id);
    assert.deepEqual([attempt, state], [2, 'queued']);
  });

  it('pauses and resumes, and explains what a pause refuses', async () => {
    const { id } = await queued(suite.server(), small);
    const { page } = await suite.at(`#/missions/${id}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForSelector('.banner-paused');
    assert.equal((suite.server().cli.json('doctor') as { control: string }).control, 'paused');
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await page.waitForSelector('.problem');
    assert.match((await page.textContent('.problem')) ?? '', /agent-cli resume/);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.waitForSelector('.control-ready');
    assert.equal(await page.locator('.banner-paused, .problem').count(), 0);
  });

  it('shows on the page of a queued mission why it was not executed, and tries again', async () => {
    const { page, go } = await suite.signIn();
    suite.server().cli.json('pause');
    await go('#/new');
    await page.setInputFiles('input[type=file]', missionFile('small.json', JSON.stringify(small)));
    await page.getByRole('button', { name: 'Queue and execute' }).click();
    await page.waitForSelector('.badge-queued');
    assert.match((await page.textContent('.mission .problem')) ?? '', /agent-cli resume/);
    suite.server().cli.json('resume');
    await page.locator('.mission .problem').getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('.badge-review');
    assert.equal(await page.locator('.mission .problem').count(), 0);
  });

  it('downloads the export, the report and the calendar byte for byte, and they verify', async () => {
    const { cli } = suite.server();
    const jobs = [{ id: 'door', operations: [{ machine: 'saw', duration: 90 }] }];
    const work = { kind: 'schedule', start: '2026-12-07 08:00', unit: 'minutes', jobs };
    const mission = await executed(suite.server(), { goal: 'A door by noon', work });
    await approved(suite.server(), mission);
    const { page } = await suite.at(`#/missions/${mission.id}`, { role: 'viewer' });
    const { identity } = cli.json('doctor') as { identity: string };
    const verified = (name: string, ...options: readonly string[]) =>
      cli.json('verify-export', join(cli.directory, name), '--public-key', identity.slice(-64), ...options);
    for (const [button, command, ending] of [
      ['Download export', 'export', 'export.json'],
      ['Report', 'report', 'html'],
      ['Calendar', 'report', 'ics'],
    ] as const) {
      const { name, bytes } = await saved(page, () => page.getByRole('button', { name: button, exact: true }).click());
      assert.equal(name, `${mission.id.slice(0, 8)}.${ending}`);
      cli.json(command, mission.id, '--output', `by-command.${ending}`);
      assert.deepEqual(bytes, readFileSync(join(cli.directory, `by-command.${ending}`)));
    }
    const verifier = await saved(page, () => page.getByRole('button', { name: 'Download the page that verifies' }).click());
    assert.deepEqual(verifier, { name: 'verify-export.html', bytes: readFileSync(join(root, 'docs', 'verify-export.html')) });
    assert.equal(await page.locator('.downloads code').textContent(), identity.slice(-64));
    assert.match(readFileSync(join(cli.directory, 'by-command.ics'), 'utf8'), /DTSTART:20261207T080000\r\nDTEND:20261207T093000/);
    assert.equal((await page.locator('figure.chart .axis text').allTextContents()).at(-1), 'Date and time');
    const { valid, recomputed } = verified('by-command.export.json', '--recompute');
    assert.deepEqual([valid, recomputed], [true, true]);
    assert.equal(verified('by-command.html')['report'], true);
  });
});
