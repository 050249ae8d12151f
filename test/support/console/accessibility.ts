/** What axe finds wrong with a page. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface Fault {
  readonly id: string;
  readonly nodes: readonly string[];
}

/** The rules of axe that depend on colours: all that another theme of the same document can break. */
export const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

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
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) })))`,
  );
}
