/** Real NATS servers and worker processes. Each is ended by its own process id. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { program, type Env } from '../cli/cli-run.js';
import { until } from './given-daemon.js';

const path = [process.env.PATH ?? '', '/usr/sbin'].join(delimiter);

/** Returns the path of the server's program. */
export const natsProgram = (): string =>
  execFileSync('/bin/sh', ['-c', 'command -v nats-server'], { env: { PATH: path }, encoding: 'utf8' }).trim();

/** A process whose lines of output are kept. */
export interface Talking {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Ends the process and waits for its end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function talking(command: string, args: readonly string[], env: Env = {}): Talking {
  const child = spawn(command, args, { env: { PATH: path, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => void lines.push(line));
  const gone = once(child, 'close');
  running.add(child);
  const stop = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    running.delete(child);
    child.kill(signal);
    if (signal !== 'SIGKILL') child.kill('SIGCONT');
    await gone;
  };
  return { child, lines, stop };
}

export interface Nats {
  readonly url: string;
  /** Starts the server again on its port, with what it had stored. */
  readonly start: () => Promise<void>;
  /** Sends the server a signal. A stopped one keeps its connections open and says nothing, as behind a partition. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** Kills the server (SIGKILL). */
  readonly kill: () => Promise<void>;
  /** Kills the server and removes what it had stored. */
  readonly remove: () => Promise<void>;
}

/** Starts a server with JetStream on a free port of loopback. @param options further arguments, as in `--auth TOKEN` */
export const startNats = (...options: readonly string[]): Promise<Nats> =>
  startNatsBy(['nats-server', '-a', '127.0.0.1', '-js', ...options]);

/** Starts it by a command, with a free port and a store of its own. */
export async function startNatsBy([command = '', ...options]: readonly string[]): Promise<Nats> {
  const store = mkdtempSync(join(tmpdir(), 'agent-nats-'));
  let port = -1;
  let server: Talking | null = null;
  const start = async (): Promise<void> => {
    const started = talking(command, [...options, '-p', String(port), '-sd', store]);
    server = started;
    const found = (): string | undefined =>
      started.lines.map((line) => /client connections on \S+:([0-9]+)/.exec(line)?.[1]).find((each) => each !== undefined);
    await until(() => found() !== undefined && started.lines.some((line) => line.includes('Server is ready')), 'a NATS server');
    port = Number(found());
  };
  const kill = async (): Promise<void> => server?.stop();
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    kill,
    signal: (signal) => void server?.child.kill(signal),
    remove: async () => {
      await kill();
      rmSync(store, { recursive: true, force: true });
    },
  };
}

export interface WorkerProcess extends Talking {
  /** Its public key. */
  readonly key: string;
  /** The number of jobs that it has taken, and finished. */
  readonly taken: () => number;
  readonly done: () => number;
}

const told = (lines: readonly string[], type: string): number => lines.filter((line) => line.includes(`"type":"${type}"`)).length;

async function working(worker: Talking, isWaited: boolean): Promise<WorkerProcess> {
  const { child, lines } = worker;
  const isThere = (): boolean => told(lines, isWaited ? 'working' : 'connecting') > 0;
  await until(() => isThere() || child.exitCode !== null, 'a worker');
  assert.ok(isThere(), `the worker ended: ${lines.join('\n')}`);
  const { key } = JSON.parse(lines.find((line) => line.startsWith('{')) ?? '{}') as { key: string };
  return { ...worker, key, taken: () => told(lines, 'taken'), done: () => told(lines, 'done') };
}

/** Starts `agent-cli worker` as a process of its own; resolves when it is connected. */
export const startWorkerProcess = (url: string, ...args: readonly string[]): Promise<WorkerProcess> =>
  working(talking(process.execPath, [program, 'worker', '--nats', url, '--threads', '1', '--json', ...args]), true);

/** Starts it by another program, such as one that enters a network namespace. */
export const startWorkerBy = ([command = '', ...args]: readonly string[], url: string): Promise<WorkerProcess> =>
  working(talking(command, [...args, process.execPath, program, 'worker', '--nats', url, '--threads', '1', '--json']), true);

/** Does not wait for the connection. */
export const startUnconnectedWorker = (url: string): Promise<WorkerProcess> =>
  working(talking(process.execPath, [program, 'worker', '--nats', url, '--threads', '1', '--json']), false);

/** How a worker of tests misbehaves. */
export type Misbehaviour = 'cut-off' | 'lies' | 'loops' | 'other-version' | 'twice' | 'vanishes';

const script = fileURLToPath(new URL('./worker-child.js', import.meta.url));

export const startBadWorker = (url: string, how: Misbehaviour): Promise<WorkerProcess> =>
  working(talking(process.execPath, [script, url, how]), true);
