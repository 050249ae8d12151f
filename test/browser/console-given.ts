/** The console for a suite: where it is served, its tokens, and pages that are signed in. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { kind as kindCodec } from '../../src/codec/kinds.js';
import { browserForSuite, isWaiting, type SuiteBrowser, type Visit, type VisitOptions } from '../support/console/browser.js';
import { brokenHeaders } from '../support/console/headers.js';
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
  readonly signIn: (options?: SignInOptions) => Promise<Signed>;
  /** Signs in, and goes to an address. */
  readonly at: (hash: string, options?: SignInOptions) => Promise<Signed>;
}

type SignInOptions = PageOptions & { readonly role?: Role };

export interface PageOptions extends VisitOptions {
  /** No other test uses the page: this one changes what it cannot change back, or is about a page that has just been loaded. */
  readonly alone?: boolean;
}

const language = 'document.documentElement.lang';

/** Returns what leaves a page at an address where nothing is, with nothing of what a test did; false if it cannot be used again. */
const leaving = (page: Page, lang: string, origin: string) => async (): Promise<boolean> => {
  if (page.isClosed() || new URL(page.url()).origin !== origin) return false;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ media: null });
  await ask(page, `location.hash = '#/nowhere'`);
  await drawn(page);
  const lasting = ['dialog', '.toast p'].map((each) => `document.querySelector('${each}') === null`).join(' && ');
  const isSame = `${language} === '${lang}' && document.querySelector('header.top') !== null && ${lasting}`;
  return ask(page, `sessionStorage.clear(), ${isSame}`);
};

const usual_size = { width: 1280, height: 720 };

/**
 * Returns a page that is signed in and goes to an address. Tests of a suite that ask for the same one after the other use one page, because to
 * load it and sign in costs more than most of them. How large it is and which colours its reader wants differs from test to test.
 */
export async function signedIn(
  browser: SuiteBrowser,
  { alone = false, ...options }: PageOptions,
  { as, hash, start }: { readonly as: string; readonly hash: string; readonly start: (options: VisitOptions) => Promise<Visit> },
): Promise<Signed> {
  const { viewport, colorScheme, reducedMotion, forcedColors, permissions = [], ...rest } = options;
  const key = JSON.stringify([as, rest]);
  const again = alone ? undefined : browser.again(key);
  const visit = again ?? (await start(options));
  const { page } = visit;
  if (again !== undefined) {
    await page.setViewportSize(viewport ?? usual_size);
    await page.emulateMedia({
      colorScheme: colorScheme ?? 'light',
      reducedMotion: reducedMotion ?? 'no-preference',
      forcedColors: forcedColors ?? 'none',
    });
    await page.context().clearPermissions();
    await page.context().grantPermissions([...permissions]);
    await goTo(page, hash);
  } else if (!alone) browser.keep({ key, page, leave: leaving(page, await ask(page, language), new URL(page.url()).origin) });
  return { ...visit, go: (to) => goTo(page, to) };
}

/** Where the console is after the sign-in. */
const first = '#/missions';

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
  const open = async (options: VisitOptions = {}): Promise<Visit> => {
    const visit = await browser.open(running().url, { locale: 'en-GB', ...options });
    await begun(visit.page);
    return visit;
  };
  const to = (hash: string | null, { role = 'admin', ...options }: SignInOptions = {}): Promise<Signed> =>
    signedIn(browser, options, {
      as: role,
      hash: hash ?? first,
      start: async (given) => {
        const visit = await open(given);
        await enter(visit.page, running().tokens[role]);
        if (hash !== null) await goTo(visit.page, hash);
        return visit;
      },
    });
  return { server: running, open, signIn: (options) => to(null, options), at: to };
}

/** Signs in, and waits until the first page listens to what people do. */
export async function enter(page: Page, token: string): Promise<void> {
  await begun(page);
  await page.fill('#token', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('header.top');
  await begun(page);
}

/** A page listens to its reader, and its heading has taken the focus, some time after it is seen: until then it would take the focus from a field. */
export async function begun(page: Page): Promise<void> {
  await until(page, 'document.activeElement !== document.body');
  await drawn(page);
}

/** Goes to an address of a page of ours and waits until it has loaded. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const [before, to] = [location.hash, ${JSON.stringify(hash)}];
    addEventListener('hashchange', () => done(), { once: true });
    location.hash = to;
    if (location.hash === before) done();
  })`);
  await loaded(page);
}

/** Two frames of the page, each with the work that it leads to: what was drawn before has had its effects, and what they ask for is asked for. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => {
    let left = 2;
    const next = () => (left-- === 0 ? done() : requestAnimationFrame(() => setTimeout(next)));
    next();
  })`);

/** A page that never stops changing (a run that goes on) counts as loaded then. */
const settle_ms_max = 10_000;
const still_ms = 50;

/** Nothing on the page is on its way any more: nothing is asked for or said to be loading, and the page stays as it is for a moment. */
export async function loaded(page: Page): Promise<void> {
  await page.waitForSelector('main h1');
  let before = '';
  for (const begin_ms = Date.now(); Date.now() < begin_ms + hang_ms; ) {
    await until(page, `document.querySelector('.loading') === null`);
    const isAnswered = !isWaiting(page);
    await drawn(page);
    const now = await page.evaluate<string>(`document.querySelector('main').innerHTML`);
    const isStill = now === before || Date.now() > begin_ms + settle_ms_max;
    if (isAnswered && !isWaiting(page) && isStill) return;
    before = now;
    await page.waitForTimeout(still_ms);
  }
  throw new Error('the page waits for a response without end');
}

/** Opens all that a page has closed, and waits until what is in it is there. */
export async function openAll(page: Page): Promise<void> {
  await ask(page, `document.querySelectorAll('details:not([open])').forEach((each) => each.setAttribute('open', ''))`);
  await loaded(page);
}

/** Returns the words of headers that a page breaks at the width of a telephone; it then has its own width again. */
export async function brokenWhenNarrow(page: Page): Promise<string[]> {
  const size = page.viewportSize() ?? assert.fail('a page without a width');
  await page.setViewportSize({ width: 390, height: 800 });
  await loaded(page);
  const broken = await brokenHeaders(page);
  await page.setViewportSize(size);
  await loaded(page);
  return broken;
}

/** Fails if something but what scrolls by itself reaches beyond a page of 320 pixels, or a text beyond its picture. */
export async function fits(page: Page, name: string): Promise<void> {
  assert.equal(await ask(page, 'document.documentElement.scrollWidth'), 320, name);
  const wide = await ask(
    page,
    `[...document.querySelectorAll('main *')].filter((each) => each.closest('.scroll:not(.agents *), .grid, pre, .sr-only') === null && !each.matches('svg, svg :not(text)') && each.getBoundingClientRect().right > (each.closest('svg')?.getBoundingClientRect().right ?? 320) + 1).map((each) => each.outerHTML.slice(0, 80))`,
  );
  assert.deepEqual(wide, [], name);
}

/** Fails unless a page has what a screen reader finds its way by: landmarks, one heading of the page, names on everything. */
export async function structured(page: Page, name: string): Promise<void> {
  const counts = [page.locator('h1'), page.getByRole('main'), page.getByRole('banner')].map((each) => each.count());
  assert.deepEqual(await Promise.all(counts), [1, 1, 1], name);
  const nameless = `[...document.querySelectorAll('[role=img]:not([aria-label]), th:empty, button:empty, a:empty')].map((each) => each.outerHTML.slice(0, 80))`;
  assert.deepEqual(await ask(page, nameless), [], name);
}

/** Fails if a text of a page has words of another language. @param own an expression of the text */
export async function hasNone(page: Page, words: RegExp, own: string, name: string): Promise<void> {
  const said = await ask<string>(page, own);
  const found = words.exec(said);
  assert.equal(found === null ? '' : said.slice(Math.max(0, found.index - 40), found.index + 40), '', name);
}

/** Waits until an expression is true in the page. Playwright's own wait would evaluate the text there, which the policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  // What the expression asks about may not be there yet, or be on its way to another document.
  let value: unknown;
  for (const end = Date.now() + hang_ms; Date.now() < end && !page.isClosed(); ) {
    value = await page.evaluate(expression).catch(String);
    if (value === true) return;
    await page.waitForTimeout(25);
  }
  throw new Error(`never true, at last ${String(value)}: ${expression}`);
}

/** Waits for news of an act from before it: news is shown for some seconds only. */
export const told = (page: Page, news: string, act: () => Promise<unknown>): Promise<unknown> =>
  Promise.all([page.waitForSelector(`.toast p:has-text(${JSON.stringify(news)})`), act()]);

const ofProblems = { 'Content-Type': 'application/problem+json' };

/** Lets the agent respond with a problem at an address. */
export const failing = (page: Page, address: string | RegExp, problem: Readonly<Record<string, unknown>>, headers = {}) =>
  page.route(address, (route) =>
    route.fulfill({ status: Number(problem['status']), headers: { ...headers, ...ofProblems }, body: JSON.stringify(problem) }),
  );

/** Returns the name and the bytes of the file that an act on the page saves. */
export async function saved(page: Page, act: () => Promise<unknown>): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
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

/**
 * Queues a mission over the API, which costs less than the start of a command, and returns the record that `run` prints.
 * @param mission its file, or what would be in it
 */
export const queued = (server: ConsoleServer, mission: string | object): Promise<MissionRecord> =>
  call(server, '', typeof mission === 'string' ? readFileSync(mission, 'utf8') : JSON.stringify(mission));

/** Queues a mission over the API and executes it; returns its record in review. */
export async function executed(server: ConsoleServer, mission: string | object): Promise<MissionRecord> {
  const { id } = await queued(server, mission);
  return call(server, `/${id}/execute?wait=1`, '');
}

/** Approves a mission over the API. */
export const approved = (server: ConsoleServer, { id, revision, result_hash }: MissionRecord): Promise<MissionRecord> =>
  call(server, `/${id}/review`, JSON.stringify({ revision, result_hash, approve: true, note: 'checked' }));

/** Decides on a mission by the command, as somebody else at the same home would. */
export const decided = (
  { cli }: ConsoleServer,
  { id, revision, result_hash }: MissionRecord,
  ...decision: readonly string[]
): Record<string, unknown> =>
  cli.json('review', id, '--revision', String(revision), '--result-hash', result_hash ?? '', ...decision);

/** Decides on the mission that is shown, up to the dialog that says what is signed. */
export async function decide(page: Page, choice: 'Approve' | 'Reject', note: string): Promise<void> {
  await page.getByRole('radio', { name: choice }).check();
  await page.getByLabel('Reason').fill(note);
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.waitForSelector('dialog[open] .actions');
}

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
