/** What axe finds wrong with a page. */
import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { atEffort, fullEffort } from '../effort.js';

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

/**
 * The texts of a page, two of those that have the same colours, behind them too, and the same size and weight: all that the contrast of a text
 * depends on, which takes longer to compute than everything else together.
 */
const differentTexts = `(() => {
  const counts = new Map();
  const behind = (element) => {
    if (element === null) return '';
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const own = backgroundColor + backgroundImage + opacity;
    return own === 'rgba(0, 0, 0, 0)none1' ? behind(element.parentElement) : own + behind(element.parentElement);
  };
  return [...document.body.querySelectorAll('*')].filter((element) => {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && !element.matches('input, select, textarea')) return false;
    if (!element.checkVisibility()) return false;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const key = [element.tagName, color, fontSize, fontWeight, behind(element)].join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) <= 2;
  });
})()`;
const contrast = 'color-contrast';

/** Returns the faults of a page without frames: the broken rules with the start of each element. */
export async function faults(page: Page, { only, also = [] }: FaultOptions = {}): Promise<Fault[]> {
  // Each document is given axe once: it is larger than all scripts of the pages together.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const isSampled = only === undefined && !fullEffort;
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries([
      ...also.map((rule) => [rule, { enabled: true }]),
      ...(isSampled ? [[contrast, { enabled: false }]] : []),
    ]),
    ...(only === undefined ? {} : { runOnly: { type: 'rule', values: [...only] } }),
  };
  const found = async (context: string, how: axe.RunOptions): Promise<Fault[]> =>
    page.evaluate<Fault[]>(
      `axe.run(${context}, ${JSON.stringify(how)}).then(({ violations }) =>
        violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) })))`,
    );
  const all = await found('document', options);
  if (!isSampled) return all;
  const values = [contrast];
  return [
    ...all,
    ...(await found(`{ include: ${differentTexts} }`, { resultTypes: ['violations'], runOnly: { type: 'rule', values } })),
  ];
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
