/** Runs changes in processes beside this one, and counts a process that hangs or ends as a miss of its change. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEffort } from '../support/effort.js';
import type { Change } from './change.js';
import type { Reply, Task } from './sweep-process.js';
import type { Tried } from './trial.js';
import { hang_ms } from '../support/wait.js';

const program = fileURLToPath(new URL('./sweep-process.js', import.meta.url));
/** A change takes about a second: a process that says nothing for so long hangs. */
/** Each process runs the commands also on homes that were not altered. */
const processes_max = atEffort(1, 2);
const heap_mb_max = 1_024;

/** The processes that try changes of the same homes: each goes on with the next change, whoever asks for it. */
export class Sweep {
  private readonly idle: Worker[] = [];
  private started = 0;

  /** @param root holds the homes; the processes work in folders of their own below it */
  constructor(private readonly root: string) {}

  /**
   * Makes and tries each change; returns what came of them in the same order.
   * @param thorough_max how many changes, from the first, every command is tried on; on the others some are
   */
  async all(changes: readonly Change[], thorough_max: number): Promise<readonly Tried[]> {
    const tried = new Map<string, Tried>();
    const queue = changes.map(({ name }, turn): Task => ({ name, isThorough: turn < thorough_max, turn }));
    const work = async (): Promise<void> => {
      for (let task = queue.shift(); task !== undefined; task = queue.shift()) tried.set(task.name, await this.one(task));
    };
    const count = Math.min(processes_max, os.availableParallelism());
    await Promise.all(Array.from({ length: count }, work));
    return changes.map(({ name }) => tried.get(name)!);
  }

  /** Makes and tries a change. */
  async one(task: Task): Promise<Tried> {
    const worker = this.idle.pop() ?? (await this.start());
    const came = await worker.do(task);
    if (came === null) return { name: task.name, misses: [await worker.why()], ms: 0 };
    this.idle.push(worker);
    return came;
  }

  private start(): Promise<Worker> {
    const folder = join(this.root, `process-${this.started++}`);
    mkdirSync(folder, { recursive: true });
    return Worker.start(this.root, folder);
  }

  /** Ends the processes. */
  async end(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((worker) => worker.end()));
  }
}

/** A process that tries changes. */
class Worker {
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
    const timer = setTimeout(() => silence.abort(), hang_ms);
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
      ? `no end within ${hang_ms / 1_000} s`
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
