/** What axe finds wrong with a page. */
import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { atEffort } from '../effort.js';

export interface Fault {
  readonly id: string;
  readonly nodes: readonly string[];
}

/** The rules of axe that depend on colours: all that another theme of the same document can break. */
const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** The rules of axe that depend on names and languages: all that another language of the same document can break. */
export const nameRules: readonly string[] = [
  'aria-command-name',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'button-name',
  'document-title',
  'html-lang-valid',
  'input-button-name',
  'label',
  'label-content-name-mismatch',
  'link-name',
  'select-name',
  'svg-img-alt',
  'valid-lang',
];

export interface FaultOptions {
  /** Checks these rules only. */
  readonly only?: readonly string[];
  /** Checks these rules too, which axe leaves out by default. */
  readonly also?: readonly string[];
}

/** Rows of a table are alike, and the contrast of a text takes longest: at the usual effort the first rows of each are checked. */
const leftOut = atEffort([['tbody tr:nth-child(n+6)'], ['.grid-body [role=row]:nth-child(n+6)']], []);

/** Returns the faults of a page without frames: the broken rules with the start of each element. */
export async function faults(page: Page, { only, also = [] }: FaultOptions = {}): Promise<Fault[]> {
  // Each document is given axe once: it is larger than all scripts of the pages together.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(also.map((rule) => [rule, { enabled: true }])),
    ...(only === undefined ? {} : { runOnly: { type: 'rule', values: [...only] } }),
  };
  return page.evaluate<Fault[]>(
    `axe.run(${JSON.stringify({ exclude: leftOut })}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) })))`,
  );
}

const themes = ['light', 'dark'] as const;
let checked = 0;

/** Fails on any accessibility fault of a page without motion: in the light and the dark theme by turns, and at full effort in both. */
export async function accessible(page: Page, name: string): Promise<void> {
  const first = checked++ % themes.length;
  for (let i = 0; i < atEffort(1, themes.length); i++) {
    const colorScheme = themes[(first + i) % themes.length] ?? 'light';
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await faults(page, i === 0 ? {} : { only: colourRules }), [], `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
