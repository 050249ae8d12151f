/**
 * A process that runs one command after another, so that a test does not pay a start of the program for each. Every command has its own
 * arguments, directory, environment, output and exit code. The client of command-host.ts leaves its requests in the directory of argv; without
 * one they come over IPC, as those of crash-cli.ts do, each with its clock.
 */
import '../compile-less.js';
import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import type { main as ownMain } from '../../../src/cli/main.js';
import { packageRoot } from '../package-root.js';

export interface Request {
  readonly cwd?: string;
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** How far its clock is ahead. */
  readonly offset_ms?: number;
}

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const directory = process.argv[2] ?? '';
let ahead_ms = 0;
const now = Date.now.bind(Date);
Date.now = () => now() + ahead_ms;
const bundled = join(packageRoot(import.meta.url), 'dist', 'program', 'src', 'cli', 'main.js');
const { main } = (await import(bundled)) as { readonly main: typeof ownMain };
const [program, node] = [process.argv[1] ?? '', process.argv[0] ?? ''];

/** Reads the number of arguments, the directory, the arguments and the variables, each ended by a zero byte. */
function readRequest(file: string): Request {
  const [count = '0', cwd = '', ...rest] = readFileSync(file, 'utf8').split('\0').slice(0, -1);
  const variables = rest.slice(Number(count)).map((text) => {
    const at = text.indexOf('=');
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return { cwd, argv: rest.slice(0, Number(count)), env: Object.fromEntries(variables) };
}

/** Keeps what is written to a stream in a list. @returns a function that gives the stream its own writer back */
function capture(stream: NodeJS.WriteStream, kept: Buffer[]): () => void {
  const own = stream.write.bind(stream);
  stream.write = (part: string | Uint8Array, ...more: unknown[]): boolean => {
    kept.push(typeof part === 'string' ? Buffer.from(part) : Buffer.from(part));
    const done = more.findLast((value) => typeof value === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  return () => {
    stream.write = own;
  };
}

/** Removes every listener that was not there before. */
function removeListeners(emitter: NodeJS.EventEmitter, before: ReadonlyMap<string | symbol, readonly unknown[]>): void {
  for (const name of emitter.eventNames())
    for (const listener of emitter.rawListeners(name))
      if (before.get(name)?.includes(listener) !== true) emitter.off(name, listener as () => void);
}

const listenersOf = (emitter: NodeJS.EventEmitter): ReadonlyMap<string | symbol, readonly unknown[]> =>
  new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]));

/** Becomes the process of another command: replaces its environment and clears its exit code. */
function become({ cwd, argv, env, offset_ms = 0 }: Request): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true });
  if (cwd !== undefined) process.chdir(cwd);
  ahead_ms = offset_ms;
  process.argv = [node, program, ...argv];
  process.exitCode = undefined;
}

/** Runs a command to its end. An error that nobody caught is printed and ends with 1, as it does in a process. */
async function runOne(request: Request, stdout: Buffer[], stderr: Buffer[]): Promise<number> {
  const emitters = [process, process.stdout, process.stderr];
  const before = emitters.map(listenersOf);
  const uncaught = new Promise<void>((resolve) => {
    process.once('uncaughtException', (error) => {
      stderr.push(Buffer.from(`${inspect(error)}\n`));
      process.exitCode = 1;
      resolve();
    });
  });
  become(request);
  const release = [capture(process.stdout, stdout), capture(process.stderr, stderr)];
  try {
    await Promise.race([main(request.argv), uncaught]);
    await new Promise(setImmediate);
    return Number(process.exitCode ?? 0);
  } finally {
    for (const each of release) each();
    emitters.forEach((emitter, i) => removeListeners(emitter, before[i] ?? new Map()));
    if (directory !== '') process.chdir(directory);
    process.exitCode = undefined;
  }
}

/** Runs the command of a client and leaves what it printed beside the pipe that the client waits at. */
async function serve(client: string): Promise<void> {
  const at = (kind: string): string => join(directory, `${client}.${kind}`);
  const request = readRequest(at('request'));
  rmSync(at('request'));
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  const code = await runOne(request, stdout, stderr);
  for (const [kind, parts] of [['stdout', stdout] as const, ['stderr', stderr] as const])
    if (parts.length > 0) writeFileSync(at(kind), Buffer.concat(parts));
  writeFileSync(at('done'), `${code}\n`);
}

async function answer(request: Request): Promise<Answer> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  const code = await runOne(request, stdout, stderr);
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

function servePipe(): void {
  // Opened for writing too: the pipe then never ends, though clients come and go.
  const requests = new Socket({ fd: openSync(join(directory, 'requests'), 'r+'), readable: true, writable: false });
  let [text, queue] = ['', Promise.resolve()];
  requests.setEncoding('utf8').on('data', (part: string) => {
    const lines = (text + part).split('\n');
    text = lines.pop() ?? '';
    for (const client of lines) queue = queue.then(() => serve(client));
  });
  // Open for as long as the process of the tests lives.
  new Socket({ fd: 3 }).on('close', () => process.exit()).resume();
}

if (directory !== '') servePipe();
else
  process
    .on('message', (request: Request) => void answer(request).then((said) => process.send?.(said)))
    .on('disconnect', () => process.exit(0));
