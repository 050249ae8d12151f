/** The console for a suite: where it is served, its tokens, and pages that are signed in. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { kind as kindCodec } from '../../src/codec/kinds.js';
import { browserForSuite, type Visit, type VisitOptions } from '../support/console/browser.js';
import { exampleFile } from '../support/kinds/example-file.js';
import { freshFetch } from '../support/http/fetch.js';
import { hang_ms } from '../support/wait.js';
import { startDaemon, type ConsoleServer, type Role } from './console-daemon.js';

export const example = (kind: string): string => exampleFile(kindCodec.is(kind) ? kind : assert.fail(kind));

/** Executed in a moment. */
export const small = {
  goal: 'Plan two repairs',
  work: {
    kind: 'schedule',
    jobs: ['roof', 'door'].map((id) => ({ id, operations: [{ machine: 'saw', duration: 3 }] })),
  },
};

export interface Signed extends Visit {
  /** Goes to an address of the console and waits until it has loaded. */
  readonly go: (hash: string) => Promise<void>;
}

export interface Suite {
  readonly server: () => ConsoleServer;
  readonly open: (options?: VisitOptions) => Promise<Visit>;
  readonly signIn: (options?: VisitOptions & { readonly role?: Role }) => Promise<Signed>;
}

/** Starts the server before the suite and ends it after. */
export function consoleForSuite(
  prepare: (server: ConsoleServer) => void | Promise<void> = () => undefined,
  start: () => Promise<ConsoleServer> = startDaemon,
): Suite {
  const browser = browserForSuite();
  let server: ConsoleServer | null = null;
  const running = (): ConsoleServer => {
    if (server === null) throw new Error('the console is not served');
    return server;
  };
  before(async () => {
    server = await start();
    await prepare(server);
  });
  after(() => server?.close());
  const open = (options: VisitOptions = {}): Promise<Visit> => browser.open(running().url, { locale: 'en-GB', ...options });
  return {
    server: running,
    open,
    signIn: async ({ role = 'admin', ...options } = {}) => {
      const visit = await open(options);
      await enter(visit.page, running().tokens[role]);
      return { ...visit, go: (hash) => goTo(visit.page, hash) };
    },
  };
}

export async function enter(page: Page, token: string): Promise<void> {
  await page.fill('#token', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('header.top');
}

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await loaded(page);
}

/** Some frames of the page, each with the work that it leads to: a new address has been read, and what it needs is asked for. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => {
    let left = 4;
    const next = () => (left-- === 0 ? done() : requestAnimationFrame(() => setTimeout(next)));
    next();
  })`);

/** A page that never stops changing (a run that goes on) counts as loaded then. */
const settle_ms_max = 10_000;
const still_ms = 150;

/** Nothing on the page is on its way any more: nothing is said to be loading, and the page stays as it is for a moment. */
export async function loaded(page: Page): Promise<void> {
  await drawn(page);
  await page.waitForSelector('main h1');
  let before = '';
  for (const end = Date.now() + settle_ms_max; Date.now() < end; ) {
    await until(page, `document.querySelector('.loading') === null`);
    const now = await page.evaluate<string>(`document.querySelector('main').innerHTML`);
    if (now === before) return;
    before = now;
    await page.waitForTimeout(still_ms);
  }
}

/** Waits until an expression is true in the page. Playwright's own wait would evaluate the text there, which the policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  for (const end = Date.now() + hang_ms; ; ) {
    if ((await page.evaluate(expression)) === true) return;
    if (Date.now() > end) throw new Error(`never true: ${expression}`);
    await page.waitForTimeout(25);
  }
}

/** The value of an expression in the page. */
export const ask = <A>(page: Page, expression: string): Promise<A> => page.evaluate<A>(expression);

/** The texts of the cells of a table's rows. */
export async function rowsOf(page: Page, table: string, nth = 0): Promise<string[][]> {
  const found = `document.querySelectorAll(${JSON.stringify(table)})[${nth}]`;
  await until(page, `${found} !== undefined`);
  return ask(
    page,
    `[...${found}.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent.trim()))`,
  );
}

/** Sends a request to the API; one with a body is a POST. @param body sent as it is if it is a text, else as JSON */
export function send({ url, tokens }: ConsoleServer, path: string, body?: unknown, token = tokens.admin): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return freshFetch(`${url}api/${path}`, body === undefined ? { headers } : { method: 'POST', headers, body: text });
}

/** Returns the mission that a request as the administrator is about. */
async function call(server: ConsoleServer, path: string, body?: string): Promise<MissionRecord> {
  const response = await send(server, `missions${path}`, body);
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()) as MissionRecord;
}

/** Queues a mission over the API, which costs less than the start of a command, and returns the record that `run` prints. */
export const queued = (server: ConsoleServer, file: string): Promise<MissionRecord> =>
  call(server, '', readFileSync(file, 'utf8'));

/** Queues a mission over the API and executes it; returns its record in review. */
export async function executed(server: ConsoleServer, file: string): Promise<MissionRecord> {
  const { id } = await queued(server, file);
  return call(server, `/${id}/execute?wait=1`, '');
}

/** Approves a mission over the API. */
export const approved = (server: ConsoleServer, { id, revision, result_hash }: MissionRecord): Promise<MissionRecord> =>
  call(server, `/${id}/review`, JSON.stringify({ revision, result_hash, approve: true, note: 'checked' }));

/** Returns the record of a mission over the API, the document that `show` prints. */
export const recordOf = (server: ConsoleServer, id: string): Promise<MissionRecord> => call(server, `/${id}`);

/** The text of the page's main part, blanks joined. */
export const words = async (page: Page): Promise<string> => ((await page.textContent('main')) ?? '').replace(/\s+/g, ' ');

export interface WeighedModels {
  readonly models: readonly { readonly name: string; readonly weight: number }[];
  readonly diagnostics: { readonly median_share: number; readonly median_of: readonly string[] };
}

/** Returns the models of a forecast and its median by their weight in the whole combination. */
export function weightsOf({ models, diagnostics: { median_share, median_of } }: WeighedModels): WeighedModels['models'] {
  const mean = models.map(({ name, weight }) => ({ name, weight: weight * (1 - median_share) }));
  return [...mean, { name: `median of ${median_of.join(', ')}`, weight: median_share }]
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
}
