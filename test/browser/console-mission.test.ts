/** The page of a mission on wide and narrow screens, the next mission in review, commands to copy, and what the agent cannot do. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { program, root } from '../support/cli/cli-run.js';
import { real } from '../support/real.js';
import { hang_ms } from '../support/wait.js';
import { ask, consoleForSuite, example, executed, openAll, recordOf, small, told, until, words } from './console-given.js';

real('chromium', 'the console: the page of a mission', () => {
  let research = '';
  const suite = consoleForSuite(async (server) => {
    research = (await executed(server, example('research'))).id;
  });
  const wide = { width: 1440, height: 900 };
  const boxOf = (page: Page, selector: string): Promise<{ top: number; bottom: number; left: number; right: number }> =>
    ask(page, `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`);

  it('has the decision beside the result on a wide screen, and keeps it in view', async () => {
    const { page } = await suite.at(`#/missions/${research}`, { viewport: wide });
    const [evidence, decision] = [await boxOf(page, '.mission-evidence'), await boxOf(page, '.review')];
    assert.ok(evidence.right <= decision.left, 'the decision is at the right of the result');
    assert.ok(decision.top < evidence.top, 'it begins beside the head of the page');
    await ask(page, 'scrollTo(0, document.documentElement.scrollHeight)');
    assert.ok(Number(await ask(page, 'scrollY')) > 400);
    const sign = await boxOf(page, '.review button[type=submit]');
    assert.ok(sign.top >= 0 && sign.bottom <= wide.height, JSON.stringify(sign));
  });

  it('opens by the beginning of its id, and leads to the list where there is no such mission', async () => {
    const { page, go } = await suite.at(`#/missions/${research.slice(0, 8).toUpperCase()}`);
    await page.waitForURL(`**/#/missions/${research}`);
    await go('#/missions/ffff-');
    await page.waitForURL('**/#/missions?q=ffff-');
  });

  it('has the decision below the result on a narrow screen', async () => {
    const { page } = await suite.at(`#/missions/${research}`, { viewport: { width: 320, height: 640 } });
    const [evidence, decision] = [await boxOf(page, '.mission-evidence'), await boxOf(page, '.review')];
    assert.ok(evidence.bottom <= decision.top);
  });

  it('has stages, details and raw JSON as tabs, by keyboard too', async () => {
    const { page } = await suite.at(`#/missions/${research}`, { viewport: wide });
    const chosen = async (): Promise<unknown[]> => [
      await page.getByRole('tab', { selected: true }).textContent(),
      await page.getByRole('tabpanel').count(),
      await ask(
        page,
        `document.querySelector('[role=tabpanel]:not([hidden])').getAttribute('aria-labelledby') ===
        document.querySelector('[aria-selected=true]').id`,
      ),
    ];
    assert.deepEqual(await page.getByRole('tab').allTextContents(), ['Stages', 'Details', 'Raw JSON']);
    assert.deepEqual(await chosen(), ['Stages', 1, true]);
    await page.getByRole('tab', { name: 'Stages' }).focus();
    for (const [key, expected] of [
      ['ArrowRight', 'Details'],
      ['End', 'Raw JSON'],
      ['ArrowRight', 'Stages'],
      ['ArrowLeft', 'Raw JSON'],
      ['Home', 'Stages'],
    ] as const) {
      await page.keyboard.press(key);
      assert.deepEqual(await chosen(), [expected, 1, true], key);
      assert.equal(await ask(page, 'document.activeElement.textContent'), expected);
    }
    await page.keyboard.press('Tab');
    assert.equal(await ask(page, `document.activeElement.getAttribute('role')`), 'tabpanel');
  });

  it('groups the findings by source, with the numbers of their ranks', async () => {
    const { page } = await suite.at(`#/missions/${research}`, { viewport: wide });
    const { work } = JSON.parse(readFileSync(example('research'), 'utf8')) as {
      work: { sources: { id: string; title: string }[] };
    };
    const { findings: found } = (await recordOf(suite.server(), research)).result as {
      findings: { source_id: string; score: number }[];
    };
    const findings = found.toSorted((a, b) => b.score - a.score);
    await page.getByRole('button', { name: 'By source' }).click();
    const groups = await ask<{ title: string; numbers: string[] }[]>(
      page,
      `[...document.querySelectorAll('.finding-group')].map((group) => ({
        title: group.querySelector('h4').firstChild.textContent.trim(),
        numbers: [...group.querySelectorAll('li')].map((each) => each.dataset.number),
      }))`,
    );
    const expected = [...new Set(findings.map(({ source_id }) => source_id))].map((id) => ({
      title: work.sources.find((source) => source.id === id)?.title,
      numbers: findings.flatMap(({ source_id }, i) => (source_id === id ? [String(i + 1)] : [])),
    }));
    assert.ok(expected.length > 1);
    assert.deepEqual(groups, expected);
    await page.getByRole('button', { name: 'By rank' }).click();
    assert.equal(await page.locator('.finding-group').count(), 0);
    assert.equal(await page.locator('.findings li').count(), findings.length);
  });

  it('leads to the next mission in review after a decision, the oldest first, and reports when none is left', async () => {
    const server = suite.server();
    const [first, second] = [(await executed(server, small)).id, (await executed(server, small)).id];
    const { page, go } = await suite.signIn({ role: 'reviewer', viewport: wide });
    const decide = async (): Promise<void> => {
      await page.getByRole('radio', { name: 'Approve' }).check();
      await page.getByLabel('Reason').fill('checked');
      await page.getByRole('button', { name: 'Review and sign' }).click();
      await page.getByRole('button', { name: 'Sign approval' }).click();
      await page.waitForSelector('.badge-completed');
      await page.waitForSelector('nav.next');
    };
    const nextIs = (id: string): Promise<void> =>
      until(page, `document.querySelector('nav.next a').getAttribute('href') === '#/missions/${id}'`);
    await go(`#/missions/${second}`);
    await decide();
    await until(page, `/Approved by reviewer/.test(document.activeElement.textContent)`);
    await nextIs(research);
    await page.getByRole('link', { name: /Next in review/ }).click();
    await page.waitForSelector('.badge-review');
    await decide();
    await nextIs(first);
    await page.getByRole('link', { name: /Next in review/ }).click();
    await page.waitForSelector('.badge-review');
    await decide();
    await until(page, `document.querySelector('nav.next')?.textContent.includes('No mission needs review') === true`);
    await go(`#/missions/${second}`);
    assert.doesNotMatch(await words(page), /No mission needs review/, 'only after a decision');
  });

  it('names its column in no cell of a table that scrolls, in French on a narrow screen', async () => {
    const { id } = await executed(suite.server(), example('schedule'));
    const { page } = await suite.at(`#/missions/${id}`, { locale: 'fr-FR', viewport: { width: 390, height: 800 } });
    await openAll(page);
    const cells = `[...document.querySelectorAll('table.data:not(.stack) td')]`;
    assert.ok(await ask<boolean>(page, `${cells}.length > 0`));
    const named = `${cells}.filter((each) => getComputedStyle(each, '::before').content !== 'none').length`;
    assert.equal(await ask(page, named), 0);
  });

  it('shows every column of inputs and results without scrolling on a phone', async () => {
    for (const kind of ['allocation', 'schedule'] as const) {
      const { id } = await executed(suite.server(), example(kind));
      const { page } = await suite.at(`#/missions/${id}`, { viewport: { width: 390, height: 800 } });
      const wide = `[...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)`;
      assert.deepEqual(await ask(page, wide), [], kind);
    }
  });

  it('keeps the column that names the row while wide tables scroll at 320 pixels', async () => {
    const schedule = (await executed(suite.server(), example('schedule'))).id;
    const { page } = await suite.at(`#/missions/${schedule}`, { viewport: { width: 320, height: 640 } });
    await openAll(page);
    const gone = await ask<{ wide: number; gone: string[] }>(
      page,
      `(() => {
        const wide = [...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth && each.querySelector('tbody th'));
        const gone = wide.filter((each) => {
          each.scrollLeft = each.scrollWidth;
          const [name, place] = [each.querySelector('tbody th').getBoundingClientRect(), each.getBoundingClientRect()];
          return name.left < place.left - 1 || name.right > place.right || name.width > place.width * 0.7;
        });
        return { wide: wide.length, gone: gone.map((each) => each.getAttribute('aria-label')) };
      })()`,
    );
    assert.ok(gone.wide > 0);
    assert.deepEqual(gone.gone, []);
  });

  it('copies commands that work unchanged, in another directory and without AGENT_HOME', async () => {
    const { cli } = suite.server();
    const { page } = await suite.at(`#/missions/${research}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await told(page, 'Copied', () => page.getByRole('button', { name: `Copy command agent-cli show ${research}` }).click());
    const command = await ask<string>(page, 'navigator.clipboard.readText()');
    assert.equal(command, `agent-cli show ${research} --home ${cli.env['AGENT_HOME']}`);
    const { AGENT_HOME: _, ...env } = cli.env;
    const bin = join(cli.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'agent-cli'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
    const there = { cwd: root, env: { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` } };
    const ran = spawnSync('sh', ['-c', `${command} --json`], { ...there, encoding: 'utf8', timeout: hang_ms });
    assert.equal((JSON.parse(ran.stdout) as { id: string }).id, research, ran.stderr);
  });

  it('disables a kind that this agent cannot execute, with the reason', async () => {
    const { page } = await suite.at('#/new');
    const { capabilities } = suite.server().cli.json('doctor') as {
      capabilities: { kind: string; available: boolean; detail: string }[];
    };
    for (const { kind, available, detail } of capabilities) {
      const radio = page.locator(`input[name=kind][value=${kind}]`);
      assert.equal(await radio.isDisabled(), !available, kind);
      const why = await radio.getAttribute('aria-describedby');
      assert.equal(why !== null && (await page.locator(`[id="${why}"]`).textContent())?.includes(detail), !available, kind);
    }
    assert.ok(capabilities.some(({ available }) => !available));
  });

  it('has words for every check of the doctor', async () => {
    const { page } = await suite.at('#/doctor', { locale: 'fr-FR' });
    const { checks } = suite.server().cli.json('doctor') as { checks: { name: string }[] };
    const shown = await page.locator('.checks').first().locator('strong').allTextContents();
    for (const [i, { name }] of checks.entries()) assert.match(shown[i] ?? '', /^\p{Lu}/u, name);
    assert.equal(shown[checks.findIndex(({ name }) => name === 'sandbox')], 'Bac à sable');
  });
});
