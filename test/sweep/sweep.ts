/** Runs changes in processes beside this one, and counts a process that hangs or ends as a miss of its change. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEffort } from '../support/effort.js';
import type { Change } from './change.js';
import type { Reply, Task } from './sweep-process.js';
import type { Tried } from './trial.js';

const program = fileURLToPath(new URL('./sweep-process.js', import.meta.url));
/** A change takes about a second: a process that says nothing for so long hangs. */
const silence_ms_max = 120_000;
/** Each process runs the commands again on homes that were not altered. */
const processes_max = atEffort(1, 2);
const heap_mb_max = 1_024;

export interface SweepOptions {
  /** Holds the homes; processes work in folders of their own below it. */
  readonly root: string;
  /** How many changes, from the first, every command is tried on; on the others some are. */
  readonly thorough_max: number;
}

/** Makes and tries each change; returns what came of them in the same order. */
export async function sweep(changes: readonly Change[], { root, thorough_max }: SweepOptions): Promise<readonly Tried[]> {
  const tried = new Map<string, Tried>();
  const queue = changes.map(({ name }, turn): Task => ({ name, isThorough: turn < thorough_max, turn }));
  const work = async (folder: string): Promise<void> => {
    let child: Worker | null = null;
    try {
      for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
        child ??= await Worker.start(root, folder);
        const came = await child.do(task);
        tried.set(task.name, came ?? { name: task.name, misses: [await child.why()], ms: 0 });
        if (came === null) child = null;
      }
    } finally {
      await child?.end();
    }
  };
  const count = Math.min(processes_max, os.availableParallelism());
  await Promise.all(Array.from({ length: count }, (_, i) => work(join(root, `process-${i}`))));
  return changes.map(({ name }) => tried.get(name)!);
}

/** A process that tries changes. */
export class Worker {
  private readonly said: string[] = [];

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.on('data', (part: Buffer) => this.said.push(part.toString()));
    child.stdout?.resume();
  }

  static async start(root: string, folder: string): Promise<Worker> {
    const child = fork(program, [root, folder], {
      execArgv: [`--max-old-space-size=${heap_mb_max}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const worker = new Worker(child);
    if ((await worker.heard()) !== 'ready') throw new Error(await worker.why());
    return worker;
  }

  /** Returns null when the process hangs or ends. */
  async do(task: Task): Promise<Tried | null> {
    this.child.send(task);
    const reply = await this.heard();
    return reply === 'ready' ? null : reply;
  }

  private async heard(): Promise<Reply | null> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), silence_ms_max);
    const { signal } = silence;
    try {
      const message = once(this.child, 'message', { signal }).then(([reply]) => reply as Reply);
      const ended = once(this.child, 'exit', { signal }).then(() => null);
      return await Promise.race([message, ended]).catch(() => null);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** Ends the process and returns what became of it. */
  async why(): Promise<string> {
    const isHanging = this.child.exitCode === null && this.child.signalCode === null;
    const output = /^.*error.*$/im.exec(this.said.join(''))?.[0] ?? '';
    await this.end();
    const what = isHanging
      ? `no end within ${silence_ms_max / 1_000} s`
      : `the process ended with ${this.child.exitCode ?? this.child.signalCode}`;
    return `${what} ${output}`;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
