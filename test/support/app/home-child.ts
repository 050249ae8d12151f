/**
 * A process that uses a home, for tests of several processes: `append N` records N missions one by one, `serve` is the daemon,
 * `hold` keeps the home open. It prints `ready`, does its work after the first line on its standard input, and ends with that input.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { openHome } from '../../../src/app/home/open.js';
import type { Home, World } from '../../../src/app/home/home.js';
import { RefusalError } from '../../../src/base/refusal.js';
import { pause } from '../../../src/store/database.js';
import { submitted } from './temporary-home.js';

/** What a child prints as its last line. */
export interface ChildReport {
  readonly refusal?: { readonly code: string; readonly detail: string };
  /** Mission id and sequence of every acknowledged entry. */
  readonly acknowledged: readonly (readonly [id: string, sequence: number])[];
}

const burst = 40;
const rest_ms = 25;

/** Rests between bursts, longer than another process waits before it tries again: so that several take turns. Each moves the snapshot when it is due. */
const append = (home: Home, count: number): ChildReport['acknowledged'] =>
  Array.from({ length: count }, (_, i) => {
    if (i > 0 && i % burst === 0) {
      home.moveSnapshot();
      pause(rest_ms);
    }
    const id = randomUUID();
    return [
      id,
      patiently(() => home.writer.transact((tx) => tx.append(id, submitted(`mission ${i} of ${process.pid}`)).sequence)),
    ];
  });

/** Tries again when others held the journal for longer than a command waits, as may be on a busy machine: then nothing was recorded. */
function patiently<A>(append: () => A): A {
  for (;;) {
    try {
      return append();
    } catch (error) {
      if (!(error instanceof RefusalError) || error.refusal.code !== 'in_use') throw error;
    }
  }
}

async function work(mode: string, directory: string, count: number): Promise<ChildReport> {
  const world: World = { env: process.env, clock: () => Date.now(), directory };
  const ended = once(process.stdin, 'end');
  try {
    return mode === 'serve' ? await served(world, ended) : await opened(world, mode, count, ended);
  } finally {
    process.stdin.destroy();
  }
}

async function served(world: World, ended: Promise<unknown>): Promise<ChildReport> {
  // The others start in half of the time without it.
  const { startDaemon } = await import('../../../src/app/daemon/daemon.js');
  const daemon = await startDaemon(world, { onWarning: () => undefined });
  console.log('ready');
  process.stdin.resume();
  await ended;
  await daemon.stop();
  return { acknowledged: [] };
}

async function opened(world: World, mode: string, count: number, ended: Promise<unknown>): Promise<ChildReport> {
  const home = openHome(world);
  try {
    const started = once(process.stdin, 'data');
    console.log('ready');
    if (mode === 'append') {
      await started;
      return { acknowledged: append(home, count) };
    }
    await ended;
    return { acknowledged: [] };
  } finally {
    home.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [mode = '', directory = '', count = '0'] = process.argv.slice(2);
  try {
    console.log(JSON.stringify(await work(mode, directory, Number(count))));
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    console.log(JSON.stringify({ refusal: error.refusal, acknowledged: [] }));
  }
}
