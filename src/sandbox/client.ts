/** Runs an engine's client with bounded time and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { errorCode } from '../base/refusal.js';
import { engine_command_ms_max, sandbox_output_bytes_max } from '../base/limits.js';
import type { Engine } from './arguments.js';

export interface ClientCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The client's working directory: an engine may leave a file in it when a container runs out of memory. */
  readonly directory?: string | undefined;
  readonly stdin?: Uint8Array | undefined;
  readonly ms_max: number;
  readonly bytes_max: number;
  /** Ends the call's work early. */
  readonly signal?: AbortSignal | undefined;
  /** Ends what the client started, when the call is to end before the client does; without it the client itself is killed. */
  readonly stop?: (() => Promise<void>) | undefined;
  /** Time for the client to end after `stop`, after which it is killed. */
  readonly grace_ms?: number | undefined;
}

/** How a call ended: by itself, or by one of its limits. */
export type EndReason = 'exited' | 'deadline' | 'output' | 'aborted';

export interface CallResult {
  readonly ended: EndReason;
  /** The client's exit status; null when a signal ended it, or when it could not be started. */
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly elapsed_ms: number;
  /** Why the client could not be started, or null. */
  readonly unstarted: string | null;
}

export function callClient(call: ClientCall): Promise<CallResult> {
  const { command, args, env, stdin, ms_max, signal, directory: cwd } = call;
  return new Promise((resolve) => {
    const began = performance.now();
    // A child has no streams where the system can open no more files.
    const child: ChildProcess = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = new Output(call.bytes_max);
    let ended: EndReason = 'exited';
    let unstarted: string | null = null;
    let killer: NodeJS.Timeout | undefined;
    const end = (reason: EndReason): void => {
      if (ended !== 'exited') return;
      ended = reason;
      const kill = (): void => {
        child.kill('SIGKILL');
        // A process that the client started may keep them open after the client has ended.
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      };
      if (call.stop === undefined) return kill();
      killer = setTimeout(kill, call.grace_ms ?? 0);
      call.stop().catch(kill);
    };
    const deadline = setTimeout(() => end('deadline'), ms_max);
    const onAbort = (): void => end('aborted');
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    child.stdout?.on('data', (chunk: Buffer) => output.add('stdout', chunk) || end('output'));
    child.stderr?.on('data', (chunk: Buffer) => output.add('stderr', chunk) || end('output'));
    child.on('error', (error) => {
      unstarted = errorCode(error) === 'ENOENT' ? 'it is not installed' : error.message;
    });
    // A client that ends before it has read everything is judged by its status.
    child.stdin?.on('error', () => undefined).end(stdin ?? Buffer.alloc(0));
    child.on('close', (status) => {
      clearTimeout(deadline);
      clearTimeout(killer);
      signal?.removeEventListener('abort', onAbort);
      const elapsed_ms = Math.round(performance.now() - began);
      resolve({ ended, status, unstarted, elapsed_ms, stdout: output.of('stdout'), stderr: output.of('stderr') });
    });
  });
}

/** Runs a command of an engine that starts no container. */
export const askEngine = ({ name, global }: Engine, env: ClientCall['env'], args: readonly string[]): Promise<CallResult> =>
  callClient({
    command: name,
    args: [...global, ...args],
    env,
    ms_max: engine_command_ms_max,
    bytes_max: sandbox_output_bytes_max,
  });

export const isDone = ({ ended, status }: CallResult): boolean => ended === 'exited' && status === 0;

/** The output of both streams up to their common limit; what follows is dropped. */
class Output {
  private readonly chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  private bytes = 0;
  constructor(private readonly bytes_max: number) {}

  /** Returns whether the output is within its limit. */
  add(stream: 'stdout' | 'stderr', chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (this.bytes > this.bytes_max) return false;
    this.chunks[stream].push(chunk);
    return true;
  }

  of(stream: 'stdout' | 'stderr'): Buffer {
    return Buffer.concat(this.chunks[stream]);
  }
}
