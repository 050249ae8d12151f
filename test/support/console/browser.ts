/** Chromium for tests of pages: one for a process, a fresh context for each visit, and a record of what the page asked for and said. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { executable, flags } from './chromium.js';
import type { Loose } from '../http/schema-check.js';
import { hang_ms } from '../wait.js';
import { root } from '../cli/cli-run.js';

const folder = process.env.NODE_V8_COVERAGE;

/** Starts to record a page, before its first script runs. Nothing happens in a run without coverage. */
async function recordPage(page: Page): Promise<void> {
  if (folder !== undefined) await page.coverage.startJSCoverage({ resetOnNavigation: false });
}

/** Writes what a page recorded; one that the test has closed keeps nothing. */
async function keepPage(page: Page): Promise<void> {
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

/** Options of `route.fetch`, whose connections are kept and used again: one that the server has closed meanwhile is no failure. */
const overResets = { maxRetries: 5, timeout: hang_ms } as const;

/** Alters the JSON of the responses from an address before the page has them. */
export const altering = (page: Page, url: string, alter: (body: Loose) => Loose): Promise<unknown> =>
  page.route(url, async (route) => {
    const response = await route.fetch(overResets);
    await route.fulfill({ response, json: alter(await response.json()) });
  });

export interface Visit {
  readonly page: Page;
  /** Addresses of all requests so far, the page's own first. */
  readonly requests: readonly string[];
  /** Uncaught errors and what the console calls errors or warnings, refusals of the page's policy among them. */
  readonly complaints: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Runs in the page before its own scripts. */
  readonly before?: string;
}

const unanswered = new WeakMap<Page, Set<Request>>();

/** Returns whether a page waits for a response; streams, and records that come when they have changed, are waited for without end. */
export const isWaiting = (page: Page): boolean =>
  [...(unanswered.get(page) ?? [])].some(
    (request) => request.headers()['accept'] !== 'text/event-stream' && !/[?&]wait=/.test(request.url()),
  );

function recordWaiting(page: Page): void {
  const waiting = new Set<Request>();
  unanswered.set(page, waiting);
  page.on('request', (request) => waiting.add(request));
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  // What the document before it asked for is given up.
  page.on('domcontentloaded', () => waiting.clear());
}

/** What Chromium says when an interface of this machine comes or goes, as where another test makes a container: the page asks again. */
const network_changed = 'net::ERR_NETWORK_CHANGED';

function recordsOf(page: Page): Omit<Visit, 'page'> {
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !text.endsWith(network_changed)) complaints.push(text);
  });
  return { requests, complaints };
}

/** All suites of a process share it. */
let browser: Browser | null = null;
after(() => browser?.close());

/** A page that a later test of the suite may use. */
interface Kept {
  readonly key: string;
  readonly page: Page;
  /** Leaves it as a test finds it; false, or an error, if it cannot be used again. */
  readonly leave: () => Promise<boolean>;
}

export interface SuiteBrowser {
  /** Visits an address in a context of its own. */
  readonly open: (url: string, options?: VisitOptions) => Promise<Visit>;
  /** Returns a page that an earlier test has left under this key, with records that begin now. */
  readonly again: (key: string) => Visit | undefined;
  /** Leaves a page of the running test, if that passes, to the next that asks for the key. */
  readonly keep: (kept: Kept) => void;
}

async function closePage(page: Page): Promise<void> {
  await keepPage(page);
  await page.context().close();
}

/** A browser for the suite that calls this. */
export function browserForSuite(): SuiteBrowser {
  let [pages, left]: [Page[], Kept[]] = [[], []];
  const idle = new Map<string, Kept>();
  afterEach(async function () {
    const hasPassed = this.currentTest?.state === 'passed';
    for (const kept of hasPassed ? left : [])
      if (!idle.has(kept.key) && (await kept.leave().catch(() => false))) idle.set(kept.key, kept);
    const stay = new Set([...idle.values()].map(({ page }) => page));
    await Promise.all(pages.filter((page) => !stay.has(page)).map(closePage));
    [pages, left] = [[], []];
  });
  after(() => Promise.all([...idle.values()].map(({ page }) => closePage(page))));
  return {
    again: (key) => {
      const kept = idle.get(key);
      if (kept === undefined) return undefined;
      idle.delete(key);
      left.push(kept);
      pages.push(kept.page);
      return { page: kept.page, ...recordsOf(kept.page) };
    },
    keep: (kept) => left.push(kept),
    open: async (url, { before, ...options } = {}) => {
      browser ??= await chromium.launch({ executablePath: executable(), args: flags, timeout: hang_ms });
      const context = await browser.newContext(options);
      context.setDefaultTimeout(hang_ms);
      context.setDefaultNavigationTimeout(hang_ms);
      const page = await context.newPage();
      pages.push(page);
      await recordPage(page);
      recordWaiting(page);
      if (before !== undefined) await page.addInitScript({ content: before });
      const records = recordsOf(page);
      await page.goto(url);
      return { page, ...records };
    },
  };
}
