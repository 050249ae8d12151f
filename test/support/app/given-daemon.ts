/** Daemons of temporary homes, engines that wait for the test, and what followers of the feed were told. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDaemon, type Daemon, type DaemonOptions } from '../../../src/app/daemon/daemon.js';
import type { FeedItem } from '../../../src/app/daemon/feed.js';
import type { RunEngine } from '../../../src/app/threads/engine-thread.js';
import { answered, fakeEngine, fakeResult } from './given-home.js';
import type { TemporaryHome } from './temporary-home.js';
import { hang_ms } from '../wait.js';

export interface GivenDaemon extends Daemon {
  readonly warnings: readonly string[];
}

/** Options of a daemon that leaves its journal unverified: a thread for it takes longer than most tests of something else. */
export const unverified: Partial<DaemonOptions> = { verification_delay_ms: 2 ** 31 - 1 };

/** Options of a daemon that verifies its journal from the start, as it does for an operator. */
export const verified: Partial<DaemonOptions> = { verification_delay_ms: 0 };

/** Daemons that are stopped after each test. To be called before `homeForEach`, whose homes go then. */
export function daemonsForEach(): {
  readonly start: (home: TemporaryHome, options?: Partial<DaemonOptions>) => Promise<GivenDaemon>;
} {
  let started: Daemon[] = [];
  afterEach(async () => {
    const daemons = started;
    started = [];
    for (const daemon of daemons) await daemon.stop();
  });
  return {
    start: async (home, options = {}) => {
      const warnings: string[] = [];
      const daemon = await startDaemon(home.world, { ...unverified, onWarning: (message) => warnings.push(message), ...options });
      started.push(daemon);
      return Object.assign(daemon, { warnings });
    },
  };
}

/** The script of processes that serve a home, execute a mission in it, or write to its journal. */
export const daemonScript = fileURLToPath(new URL('./daemon-child.js', import.meta.url));

interface Executing {
  readonly child: ChildProcess;
  readonly id: string;
  readonly kill: () => Promise<void>;
}

/** Processes that execute a mission of a home for ever, in a daemon or a command; killed after each test. */
export function executingForEach(): (home: TemporaryHome, by?: 'executing' | 'command') => Promise<Executing> {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  return async (home, by = 'executing') => {
    const env = { ...process.env, AGENT_WITNESS: home.witness };
    const child = spawn(process.execPath, [daemonScript, by, home.directory], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const exited = once(child, 'exit');
    const [line] = (await Promise.race([once(child.stdout, 'data'), exited])) as [unknown];
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    };
    return { child, id: /^ready (\S+)/.exec(String(line))?.[1] ?? assert.fail(`the child: ${String(line)}`), kill };
  };
}

/** Waits until a condition holds; fails once that is a hang. */
export async function until(holds: () => boolean | Promise<boolean>, what = 'it'): Promise<void> {
  for (const end = performance.now() + hang_ms; !(await holds()); await sleep(10))
    assert.ok(performance.now() < end, `${what}: not within ${hang_ms / 1_000} s`);
}

export interface HeldEngine {
  readonly engine: RunEngine;
  /** Goals of the missions that it was given and has not finished, in order. */
  readonly working: readonly string[];
  /** Lets the engine return a result for a goal. */
  readonly release: (goal: string) => void;
  readonly progress: (goal: string, done: number) => void;
}

/** An engine that works until the test releases it, or until it must stop; asked every 10 ms. */
export function heldEngine(): HeldEngine {
  const working: string[] = [];
  const watches = new Map<string, ((done: number) => void) | undefined>();
  const released = new Set<string>();
  const verify = fakeEngine();
  const engine: RunEngine = async (task, watch) => {
    if (task.type !== 'run') return verify(task, watch);
    const { goal } = task.input;
    working.push(goal);
    watches.set(goal, watch?.onProgress);
    try {
      while (!released.delete(goal)) {
        if (watch?.mustStop?.() === true) return { type: 'stopped' };
        watch?.observer?.heartbeat();
        await sleep(10);
      }
      return answered(fakeResult(goal));
    } finally {
      working.splice(working.indexOf(goal), 1);
    }
  };
  return {
    engine,
    working,
    release: (goal) => void released.add(goal),
    progress: (goal, done) => watches.get(goal)?.(done),
  };
}

export interface Listener {
  readonly items: readonly FeedItem[];
  /** Resolves when the feed ends; rejects with what it throws. */
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

/** Follows the feed from after a sequence on. */
export function listen(daemon: Daemon, after: number): Listener {
  const controller = new AbortController();
  const items: FeedItem[] = [];
  const hear = async (): Promise<void> => {
    for await (const item of daemon.feed.follow(after, controller.signal)) items.push(item);
  };
  const ended = hear();
  ended.catch(() => undefined);
  return { items, ended, leave: () => controller.abort() };
}

export const entriesOf = (items: readonly FeedItem[]): number[] =>
  items.flatMap((item) => (item.type === 'entry' ? [item.sequence] : []));

/** Ten jobs on ten machines: far more work than a test waits for, once `max_evaluations` is at its ceiling. */
export const longWork = (goal: string): Record<string, unknown> => ({
  goal,
  work: {
    kind: 'schedule',
    jobs: Array.from({ length: 10 }, (_, j) => ({
      id: `j${j}`,
      operations: Array.from({ length: 10 }, (_, o) => ({
        machine: `m${(j * 7 + o * 3) % 10}`,
        duration: 1 + ((j * 31 + o * 17) % 90),
      })),
    })),
  },
});

/** The same mission with due dates that no plan keeps: its search neither reaches a bound nor runs out of moves for minutes. */
export function tardy(mission: Record<string, unknown>): Record<string, unknown> {
  const work = mission['work'] as { readonly jobs: readonly object[] };
  const jobs = work.jobs.map((job, j) => ({ ...job, due: 100 + 30 * j, weight: 1 + (j % 7) }));
  return { ...mission, work: { ...work, jobs, objective: 'weighted_tardiness' } };
}

export const endless = { max_evaluations: 100_000_000 };

export const start = async (daemon: Daemon, id: string) => daemon.executions.request(id, 'ada');
export const outcome = async (daemon: Daemon, id: string) =>
  (await daemon.executions.outcome(id)) ?? assert.fail(`mission ${id} does not run`);
