/** `agent-cli serve` with the simulation, as a process of its own: its addresses and tokens, its log, its memory, its clock. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnv, type Env } from '../support/crash/crash-cli.js';
import { packageRoot } from '../support/package-root.js';
import type { Delays, Order } from './daemon-entry.js';

export const simulation_token = 'the-token-of-the-drill';
/** Memory that attacks may cost a daemon beside what it holds when nobody asks for anything. */
export const rss_growth_bytes_max = 300 * 1_048_576;

/** One line of the daemon's log. */
export interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message: string };
  readonly [member: string]: unknown;
}

/** The addresses and the token of a daemon, as an attacker's process is given them. */
export interface Target {
  readonly operator: string;
  readonly simulation: string;
  /** The home's admin token. */
  readonly token: string;
  readonly home: string;
}

const entry = join(packageRoot(import.meta.url), 'dist', 'test', 'drill', 'daemon-entry.js');
/** The levels of pino. */
const info_level = 30;
const isNoise = (line: string): boolean =>
  /^\{"level":30,.*"msg":"(?:answered|refused|entry|upgraded)"\}$/.test(line) && !line.includes('"cut":true');

export class RealDaemon {
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>;

  private constructor(
    private readonly child: ChildProcess,
    readonly target: Target,
    /** The lines of the log besides those of entries and of responses that were sent whole; it grows. */
    readonly log: readonly Line[],
    /** `host:port` of the message bus, or null. */
    readonly bus: string | null,
  ) {
    this.ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  }

  /** Resolves when the daemon serves. */
  static async start(env: Env, variables: Env = {}, behind: readonly string[] = []): Promise<RealDaemon> {
    const [program, ...args] = [...behind, process.execPath, entry, 'serve', '--port', '0', '--json'];
    const given = { API_TOKEN: simulation_token, PORT: '0', API_RATE_LIMIT: '0', ...variables };
    const child = spawn(program, args, { env: { ...cleanEnv(env), ...given }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const log: Line[] = [];
    if (child.stderr === null) throw new Error('no standard error');
    createInterface(child.stderr).on('line', (text) => {
      if (!isNoise(text)) log.push(lineOf(text));
    });
    const { url, simulation, bus, home, token_file } = await serving(child, log);
    const token = readFileSync(token_file, 'utf8').trim();
    return new RealDaemon(child, { operator: url, simulation, token, home }, log, bus);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The memory that the process holds, in bytes. */
  get rss_bytes(): number {
    const kib = /^VmRSS:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1];
    return Number(kib) * 1024;
  }

  /** The number of its open file handles. */
  get handles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** The processor time of the process, in ms (proc(5): the fields utime and stime, in ticks of 10 ms). */
  get cpu_ms(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** Sets the daemon's clock to this offset from the machine's. */
  async setClock(offset_ms: number): Promise<void> {
    await this.order({ offset_ms });
  }

  /** Returns how late the timers of the daemon's event loop were since this was called last. */
  async delays(): Promise<Delays> {
    return (await this.order({ delays: true })) as Delays;
  }

  private async order(order: Order): Promise<unknown> {
    const replied = once(this.child, 'message') as Promise<[{ readonly reply: unknown }]>;
    this.child.send(order);
    const [{ reply }] = await replied;
    return reply;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.isAlive) return;
    this.child.kill(signal);
    await this.ended;
  }

  stop(): Promise<void> {
    return this.kill('SIGTERM');
  }
}

interface Serving {
  readonly url: string;
  readonly simulation: string;
  readonly bus: string | null;
  readonly home: string;
  readonly token_file: string;
}

/** Returns the first line of standard output; the others are dropped. */
function serving(child: ChildProcess, log: readonly Line[]): Promise<Serving> {
  const { stdout } = child;
  return new Promise((resolve, reject) => {
    if (stdout === null) return reject(new Error('no standard output'));
    const lines = createInterface(stdout);
    lines.once('line', (text) => {
      resolve(JSON.parse(text) as Serving);
      lines.close();
      stdout.resume();
    });
    child.once('exit', () => reject(new Error(`the daemon ended: ${log.map(({ msg }) => msg).join('; ')}`)));
  });
}

/** Returns a line of the log; text that is no line of it, such as that of a fatal error, becomes one. */
function lineOf(text: string): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'msg' in value) return value as Line;
  } catch {
    // It is no JSON.
  }
  return { level: info_level, msg: text };
}
