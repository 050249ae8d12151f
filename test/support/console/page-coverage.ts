/** What the scripts of visited pages ran, in V8's own format, among the files that Node writes where a run measures coverage. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { root } from '../cli/cli-run.js';

const folder = process.env.NODE_V8_COVERAGE;

/** Starts to record a page, before its first script runs. Nothing happens in a run without coverage. */
export async function recordPage(page: Page): Promise<void> {
  if (folder !== undefined) await page.coverage.startJSCoverage({ resetOnNavigation: false });
}

/** Writes what a page recorded; one that the test has closed keeps nothing. */
export async function keepPage(page: Page): Promise<void> {
  if (folder === undefined || page.isClosed()) return;
  const scripts = await page.coverage.stopJSCoverage();
  const result = scripts.flatMap(({ url, scriptId, functions }) => {
    const file = scriptFile(url);
    return file === undefined ? [] : [{ scriptId, url: pathToFileURL(file).href, functions }];
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `page-${randomUUID()}.json`), JSON.stringify({ result }));
}

/** Returns the built script that a server of pages serves at this address, if it is one. */
function scriptFile(url: string): string | undefined {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  if (!path.endsWith('.js')) return undefined;
  return ['console', 'dashboard'].map((room) => join(root, 'dist', room, path)).find((file) => existsSync(file));
}
