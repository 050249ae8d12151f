/** The cases of test/vectors/intake on the page: their files dropped or pasted, their options as a person gives them, and what is shown. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import type { IntakeOutcome, IntakeChoice, IntakeOptions } from '../../src/codec/api-intake.js';
import type { InputFile, Outcome } from '../../src/intake/types.js';
import { differences, type IntakeCase, intakeCases } from '../intake/expected.js';
import { atEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { ask, consoleForSuite, until } from './console-given.js';
import { drop, paste } from './grid.js';

/** Returns what the agent says of the files after an act on the page. */
async function outcomeAfter(page: Page, act: () => Promise<unknown>): Promise<IntakeOutcome> {
  const read = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/api\/intake\/[^/]+$/.test(response.url()),
  );
  await act();
  return (await (await read).json()) as IntakeOutcome;
}

/** Returns an outcome with the blocks of documents, which the page is sent only as parts of the draft. */
function withBlocks(outcome: IntakeOutcome): Outcome {
  if (outcome.outcome !== 'draft' || outcome.documents === undefined) return outcome as Outcome;
  const { sources } = Object(Object(outcome.draft).work);
  const documents = sources.map(({ title, text, blocks }: { title: string; text: string; blocks: readonly never[] }) => ({
    title,
    blocks: blocks.map((block: { start: number; end: number }) => ({ ...block, text: text.slice(block.start, block.end) })),
  }));
  return { ...outcome, documents };
}

/** Returns the button that gives one of the options, or null. */
function answerTo(
  choices: readonly IntakeChoice[],
  options: IntakeOptions,
): { readonly choice: number; readonly reading: number } | null {
  for (const [choice, { readings }] of choices.entries()) {
    const reading = readings.findIndex(({ option }) =>
      Object.entries(option).every(([name, value]) =>
        name === 'scale' ? options.scale !== undefined : isDeepStrictEqual(options[name as keyof IntakeOptions], value),
      ),
    );
    if (reading >= 0) return { choice, reading };
  }
  return null;
}

/** Gives the options of a case where the page takes them, and returns the last outcome. */
async function give(page: Page, first: IntakeOutcome, options: IntakeOptions): Promise<IntakeOutcome> {
  const menu = (label: string, value: string) => page.getByLabel(label, { exact: true }).selectOption(value);
  let outcome = first;
  if (options.sheet !== undefined) outcome = await outcomeAfter(page, () => menu('Sheet', options.sheet ?? ''));
  if (options.every !== undefined) outcome = await outcomeAfter(page, () => menu('One value for each', options.every ?? ''));
  for (const [column, member] of Object.entries(options.map ?? {}))
    outcome = await outcomeAfter(page, () => menu(`What the column ${column} is`, member));
  while (outcome.outcome === 'choice_needed') {
    const answer = answerTo(outcome.choices, options);
    if (answer === null) break;
    const group = page.locator('.intake-choice').nth(answer.choice);
    for (const [word, number] of Object.entries(options.scale ?? {})) await group.getByLabel(word).fill(String(number));
    outcome = await outcomeAfter(page, () => group.locator('button').nth(answer.reading).click());
  }
  return outcome;
}

/** Whether the page shows what came of the files: a table or documents to queue, a question, or what is wrong with them. */
async function isShown(page: Page, outcome: IntakeOutcome): Promise<void> {
  const texts = (selector: string): Promise<string[]> =>
    ask(page, `[...document.querySelectorAll('${selector}')].map((node) => node.textContent)`);
  await until(page, `document.querySelector('.intake > [role=status]') === null`);
  if (outcome.outcome === 'draft') {
    await page.waitForSelector(outcome.documents === undefined ? '.grid' : '.intake-documents');
    if (outcome.documents !== undefined) assert.equal((await texts('.intake-documents > li')).length, outcome.documents.length);
  } else if (outcome.outcome === 'choice_needed')
    assert.deepEqual(
      await texts('.intake-choice p.help'),
      outcome.choices.map(({ message }) => message),
    );
  else
    assert.deepEqual(
      await texts('.intake .problem li'),
      outcome.errors.map(({ message }) => message),
    );
  assert.deepEqual(await texts('.intake-notes > li'), outcome.notes);
  assert.equal(await page.locator('.intake', { hasText: /(?:^|\s)--[a-z]/ }).count(), 0);
}

/** Returns the text of a file that can be pasted. */
const textOf = ({ name, bytes }: InputFile): string | null => {
  const text = Buffer.from(bytes).toString('utf8');
  return /\.(?:csv|tsv|txt)$/.test(name) && text !== '' && Buffer.from(text).equals(bytes) && !text.startsWith('\ufeff')
    ? text
    : null;
};

/** Members that no file has are fields of the form. */
const withoutSet = ({ expected, options: { set = {} } }: IntakeCase): IntakeCase['expected'] =>
  expected.draft === undefined
    ? expected
    : {
        ...expected,
        draft: Object.fromEntries(Object.entries(expected.draft).filter(([name]) => !Object.hasOwn(set, name))),
      };

/** Returns what is not as it must be after a drop or a paste of the files of a case. */
async function faultsOf(page: Page, each: IntakeCase, act: () => Promise<unknown>): Promise<string[]> {
  const first = await outcomeAfter(page, act);
  const sheets = page.getByLabel('Sheet', { exact: true });
  // A sheet that is not there cannot be chosen.
  const { sheet } = each.options;
  if (sheet === '2025') {
    assert.deepEqual(await sheets.locator('option').allTextContents(), ['2023', '2024']);
    return [];
  }
  const outcome = await give(page, first, each.options);
  await isShown(page, outcome);
  return differences(withBlocks(outcome), withoutSet(each));
}

/** Every eighth case is dropped, and of the texts every sixteenth is pasted as well; test/intake reads all of them. */
const [dropped_every, pasted_every] = atEffort([8, 16], [1, 1]);

real('chromium', 'the console: files of people that are kept for tests', () => {
  const suite = consoleForSuite();
  const cases = intakeCases(() => true);
  for (const kind of ['forecast', 'schedule', 'allocation', 'research']) {
    const own = cases.filter((each) => each.kind === kind);
    it(`gives what must come out of it: ${kind}, ${Math.ceil(own.length / dropped_every)} of ${own.length} cases`, async () => {
      const { page } = await suite.at(`#/new?kind=${kind}`);
      const wrong: string[] = [];
      const check = async (title: string, each: IntakeCase, act: () => Promise<unknown>): Promise<void> => {
        const faults = await faultsOf(page, each, act).catch((error: unknown) => [String(error)]);
        wrong.push(...faults.map((fault) => `${title}: ${fault}`));
      };
      for (const [i, each] of own.entries()) {
        if (i % dropped_every > 0) continue;
        await check(each.title, each, () => drop(page, each.files));
        const [file] = each.files;
        const text = file === undefined || each.files.length > 1 || i % pasted_every > 0 ? null : textOf(file);
        if (text === null) continue;
        await check(`${each.title}, pasted`, each, async () => {
          await page.locator('textarea').first().focus();
          await paste(page, { 'text/plain': text });
        });
      }
      assert.deepEqual(wrong, []);
    });
  }
});
