/** Chromium for tests of pages: one for a suite, a fresh context for each visit, and a record of what the page asked for and said. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page, type Request } from 'playwright-core';
import { keepPage, recordPage } from './page-coverage.js';
import { hang_ms } from '../wait.js';

/** Parts of the window that cost more than the page in it: Chromium loads the suggestions below its address bar as pages of their own. */
const unused = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** What Playwright switches off, repeated because Chromium reads the last list only. */
const unwanted = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * No sandbox, because tests run as root in containers; no process of its own for drawing, which only copies pictures here; nothing that talks
 * to a network of its own accord.
 */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-extensions',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...unused, ...unwanted].join()}`,
];

/** Options of `route.fetch`, whose connections are kept and used again: one that the server has closed meanwhile is no failure. */
export const overResets = { maxRetries: 5, timeout: hang_ms } as const;

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

/** A browser for the suite that calls this; `open` visits an address in a context of its own. */
export function browserForSuite(): { readonly open: (url: string, options?: VisitOptions) => Promise<Visit> } {
  let browser: Browser | null = null;
  let pages: Page[] = [];
  after(async () => browser?.close());
  afterEach(async () => {
    await Promise.all(pages.map(keepPage));
    pages = [];
    await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
  });
  return {
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
      const [requests, complaints]: [string[], string[]] = [[], []];
      page.on('request', (request) => requests.push(request.url()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(url);
      return { page, requests, complaints };
    },
  };
}

/** Chromium without a window draws the same pages and takes a fifth less of the processor. */
const names = ['chromium-headless-shell', 'chromium'];

/** The path of Chromium, which the driver needs. */
export function executable(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = found.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (path === undefined) throw new Error(`neither of these is on the PATH: ${names.join(', ')}`);
  return path;
}
