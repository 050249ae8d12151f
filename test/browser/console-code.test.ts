/** The page of a code mission: the candidate in colours, its cases with their verdicts, and the runs of candidates. */
import assert from 'node:assert/strict';
import { accessible } from '../support/console/accessibility.js';
import { prints } from '../support/console/paper.js';
import { real } from '../support/real.js';
import { ask, consoleForSuite, example, queued, rowsOf, until, words } from './console-given.js';
import { startWithSandbox } from './console-sandbox.js';

const wrong = {
  goal: 'Double a number',
  work: {
    kind: 'code',
    language: 'javascript',
    examples: [{ args: [2], expected: 4 }],
    heldout: [{ args: [3], expected: 6 }],
    candidate: '// squares\nconst solve = (n) => n * n;\n',
  },
};

real(['chromium', 'container'], 'the console: code missions', () => {
  const ids = { right: '', wrong: '' };
  const suite = consoleForSuite(async (server) => {
    ids.right = (await queued(server, example('code'))).id;
    ids.wrong = (await queued(server, wrong)).id;
  }, startWithSandbox);

  it('shows a verdict for each case once the candidate has run', async () => {
    const { page } = await suite.at(`#/missions/${ids.right}`);
    assert.equal(await page.locator('.verdict-good').count(), 0);
    await ask(
      page,
      `new MutationObserver(() => (window.isFull ||= document.querySelector('progress')?.value === 1)).observe(document, { subtree: true, childList: true, attributes: true }), 0`,
    );
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await page.waitForSelector('.verdict-good');
    await until(page, `document.querySelectorAll('.verdict-good').length === 10 && window.isFull === false`);
    assert.deepEqual((await rowsOf(page, 'table.data', 2))[0]?.slice(0, 5), ['1', 'given', 'by itself', '3 / 3', '7 / 7']);
    assert.match(await words(page), /7 of 7 passed/);
    assert.ok((await page.locator('.code-word').allTextContents()).includes('def'));
    assert.ok((await page.locator('.code-text').allTextContents())[0]?.startsWith('"""Total time'));
    await prints(page, 'code', [ids.right, 'def solve', '7 of 7 passed']);
  });

  it('shows a failed mission with what its candidate gave', async () => {
    assert.equal(suite.server().cli.run('execute', ids.wrong).code, 1);
    const { page } = await suite.at(`#/missions/${ids.wrong}`, { reducedMotion: 'reduce' });
    await page.waitForSelector('.verdict-bad');
    assert.deepEqual(await rowsOf(page, 'table.data', 3), [['Held-out cases 1', '3', 'wrong value', '6', '9']]);
    assert.deepEqual(await page.locator('.code-comment').allTextContents(), ['// squares']);
    assert.match(
      await words(page),
      /The same inputs would fail again\. Change them and run the mission again\.[^]*Result ?No result\./,
    );
    assert.equal(await page.getByRole('button', { name: 'Recover', exact: true }).count(), 0);
    assert.equal(await page.locator('a.primary', { hasText: 'Change and run again' }).count(), 1);
    await accessible(page, 'failed');
  });
});
