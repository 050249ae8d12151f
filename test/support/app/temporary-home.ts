/** Homes in temporary directories, made and opened as the commands do, with a clock of the test's own. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../../../src/app/home/open.js';
import type { Home, OpenOptions, World } from '../../../src/app/home/home.js';
import { initHome, type InitReport } from '../../../src/app/home/init.js';
import type { Event } from '../../../src/codec/event.js';
import type { Command } from '../../../src/journal/writer.js';

export const start_ms = Date.parse('2026-11-20T05:00:00Z');

/** A clock that stands still until it is moved. */
export interface TestClock {
  (): number;
  /** Milliseconds since the epoch. */
  now: number;
}

export function testClock(now = start_ms): TestClock {
  const clock = (() => clock.now) as TestClock;
  clock.now = now;
  return clock;
}

export interface TemporaryHome {
  /** Holds the home, the witness directory and whatever the test puts there. */
  readonly root: string;
  readonly directory: string;
  readonly witness: string;
  readonly clock: TestClock;
  /** The world's monotonic clock. */
  readonly elapsed: { ms: number };
  readonly world: World;
  readonly report: InitReport;
  readonly open: (options?: OpenOptions) => Home;
  /** Opens the home for one piece of work and closes it: where the work returns a promise, once that has settled. */
  readonly with: <A>(work: (home: Home) => A, options?: OpenOptions) => A;
  /** An independent copy of the home and its witness. The home must be closed. */
  readonly copy: () => TemporaryHome;
  readonly remove: () => void;
}

const roots: string[] = [];
/** A home that is closed after its directory was removed makes the witness directory again, so the roots are removed at exit. */
process.once('exit', () => roots.forEach((root) => rmSync(root, { recursive: true, force: true })));

function temporaryRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'agent-home-'));
  roots.push(root);
  return root;
}

export function temporaryHome(): TemporaryHome {
  const root = temporaryRoot();
  return stand(root, (world) => initHome(world));
}

function stand(root: string, make: (world: World) => InitReport): TemporaryHome {
  const [directory, witness] = [join(root, 'home'), join(root, 'witness')];
  const clock = testClock();
  const elapsed = { ms: 0 };
  const monotonic = (): number => elapsed.ms;
  const world: World = { env: { AGENT_WITNESS: witness, AGENT_HOME: directory }, clock, monotonic, directory };
  const report = make(world);
  const open = (options?: OpenOptions): Home => openHome(world, options);
  return {
    root,
    directory,
    witness,
    clock,
    elapsed,
    world,
    report,
    open,
    with: (work, options) => {
      const home = open(options);
      let isPending = false;
      try {
        const answer = work(home);
        if (!(answer instanceof Promise)) return answer;
        isPending = true;
        return answer.finally(() => home.close()) as typeof answer;
      } finally {
        if (!isPending) home.close();
      }
    },
    copy: () => {
      const other = temporaryRoot();
      copyTree(root, other);
      return stand(other, () => ({ ...report, home: join(other, 'home') }));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface HomePerTest {
  readonly get: () => TemporaryHome;
  /** A test with the home open, which is closed at its end. */
  readonly it: (title: string, test: (home: Home) => Promise<void> | void) => void;
}

/** A home for each test that asks for one; removed after it. */
export function homeForEach(make: () => TemporaryHome = temporaryHome): HomePerTest {
  let current: TemporaryHome | null = null;
  const get = (): TemporaryHome => (current ??= make());
  afterEach(() => {
    current?.remove();
    current = null;
  });
  return { get, it: (title, test) => it(title, () => get().with(test)) };
}

/** An empty directory for each test that asks for one; removed after it. */
export function folderForEach(): { readonly get: () => string } {
  let current: string | null = null;
  afterEach(() => {
    if (current !== null) rmSync(current, { recursive: true, force: true });
    current = null;
  });
  return { get: () => (current ??= mkdtempSync(join(tmpdir(), 'agent-folder-'))) };
}

/** A directory for the tests of a suite, or of a file; removed after them. */
export function folderForSuite(): string {
  const folder = temporaryRoot();
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A home for all tests of a file, made when the first one asks for it. */
export function sharedHome(make: () => Promise<TemporaryHome>): { readonly get: () => Promise<TemporaryHome> } {
  let current: Promise<TemporaryHome> | null = null;
  after(async () => {
    (await current)?.remove();
    current = null;
  });
  return { get: () => (current ??= make()) };
}

/** Copies a directory and its modes: without a filter, newer Nodes give the copies of directories the mode of new ones. */
export const copyTree = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, preserveTimestamps: true, filter: () => true });

/** UUID number n of a test. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

const request = { goal: 'try', work: { kind: 'schedule', jobs: [] } };

/** The event that queues a mission, with the request inside. */
export const submitted = (goal: string): Event => ({
  type: 'mission.submitted',
  document: { kind: 'schedule', goal, request_hash: 'ab'.repeat(32), request },
});

/** A command that queues mission `n` and returns its sequence. */
export const submit =
  (n: number, goal = `mission ${n}`): Command<number> =>
  (tx) =>
    tx.append(uuidOf(n), submitted(goal)).sequence;
