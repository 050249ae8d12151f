/**
 * System calls of a command, watched and broken with strace. Only the calls of the main thread count: it alone touches the home (the
 * sweep's own test checks that), while the other threads of Node write to their event descriptors at times of their own, and
 * strace counts calls per thread. With `--seccomp-bpf`, which needs `-f`, a command takes little longer than without strace, but injected
 * signals are not delivered, and writes of the other threads would fail too.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { cleanEnv, collect, entry, type Env, type Ran } from './crash/crash-cli.js';

/** Every call that changes what a disk holds; those that an architecture lacks are passed over (`?`). */
export const syscalls = {
  write: ['write', 'writev'],
  pwrite: ['pwrite64', 'pwritev'],
  ftruncate: ['ftruncate'],
  fsync: ['fsync', 'fdatasync'],
  rename: ['rename', 'renameat', 'renameat2'],
  link: ['link', 'linkat'],
  unlink: ['unlink', 'unlinkat'],
  mkdir: ['mkdir', 'mkdirat'],
} as const;

export type Syscall = keyof typeof syscalls;
export const allSyscalls = Object.keys(syscalls) as Syscall[];

const names = (of: readonly Syscall[]): string => of.flatMap((name) => syscalls[name].map((one) => `?${one}`)).join(',');

export interface Call {
  readonly syscall: Syscall;
  readonly name: string;
  /** The file: of the descriptor, or the last one named (what a rename or link makes). */
  readonly file: string;
  readonly thread: string;
  /** The call at which the process was killed, or that was made to fail. */
  readonly broken: boolean;
}

const family = new Map<string, Syscall>(allSyscalls.flatMap((name) => syscalls[name].map((one) => [one, name] as const)));

function parseLine(line: string): Call | null {
  const found = /^(?:(\d+) +)?(\w+)\((?:(\d+)<([^>]*)>)?(.*)$/.exec(line);
  const [, thread = '', name = ''] = found ?? [];
  const syscall = family.get(name);
  if (found === null || syscall === undefined) return null;
  const named = [...(found[5] ?? '').matchAll(/"([^"]*)"/g)].at(-1)?.[1];
  const broken = /\) += \?$|\(INJECTED\)$/.test(line);
  return { syscall, name, file: found[4] ?? named ?? '', thread, broken };
}

/** Returns the lines, with a call that others interrupted in one, at its beginning. */
function wholeLines(text: string): readonly string[] {
  const lines: string[] = [];
  const begun = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, thread = '', rest = null] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? [];
    const at = begun.get(thread);
    if (rest !== null && at !== undefined) lines[at] = `${lines[at]?.replace(/ <unfinished \.\.\.>$/, '')}${rest}`;
    if (line.endsWith('<unfinished ...>')) begun.set(/^\d+/.exec(line)?.[0] ?? '', lines.length);
    lines.push(line);
  }
  return lines;
}

/** Calls in order, those of other kinds left out. */
export const parseTrace = (text: string): Call[] =>
  wholeLines(text)
    .map(parseLine)
    .filter((call): call is Call => call !== null);

export interface Traced extends Ran {
  readonly calls: readonly Call[];
}

export interface TraceOptions {
  readonly of?: readonly Syscall[];
  /** strace's `inject` after the names of the calls, as in `signal=SIGKILL:when=3`. It counts each name by itself. */
  readonly inject?: string;
  /** The one name of `of` that is injected, if not all. */
  readonly name?: string | undefined;
  /** Returns the calls of all threads. */
  readonly threads?: boolean;
  readonly log: string;
}

/** A large young generation: each garbage collection makes the main thread write to an event descriptor. */
const quiet = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

export async function trace(argv: readonly string[], env: Env, options: TraceOptions): Promise<Traced> {
  const of = names(options.of ?? allSyscalls);
  const flags = ['-q', '-y', '-s', '0', '-o', options.log, '-e', `trace=${of}`];
  if (isOfMainThread(options)) flags.push('-f', '--seccomp-bpf');
  if (options.inject !== undefined) flags.push('-e', `inject=${options.name ?? of}:${options.inject}`);
  rmSync(options.log, { force: true });
  const child = spawn('strace', [...flags, process.execPath, ...quiet, entry, ...argv], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran = await collect(child);
  const text = readFileSync(options.log, 'utf8');
  // The main thread is the last one whose end is reported.
  const main = [...text.matchAll(/^(\d+) +\+\+\+ /gm)].at(-1)?.[1] ?? '';
  const calls = parseTrace(text).filter(({ thread }) => options.threads === true || thread === main);
  return { ...ran, calls };
}

/** Whether nothing is injected, or an error into calls that the main thread alone makes. */
const isOfMainThread = ({ of = allSyscalls, inject }: TraceOptions): boolean =>
  inject === undefined || (!inject.startsWith('signal=') && !of.includes('write'));

/** Which call to break: the `nth` (from 1) of those of one kind that concern the files in question. */
export interface Target {
  readonly syscall: Syscall;
  readonly nth: number;
  /** Which one of all calls of its kind it was in a run that nothing disturbed, if that is known. */
  readonly among?: number;
  /** What happens there: `signal=SIGKILL`, `error=EIO`, `retval=0`. */
  readonly how: string;
}

/**
 * Returns the calls that concern the files in question, each with its number among those of its kind, and among all of its kind of the thread.
 * @throws when more than one thread makes them
 */
export function numbered(calls: readonly Call[], concerns: (file: string) => boolean): (Call & Required<Omit<Target, 'how'>>)[] {
  const counts = new Map<string, number>();
  const next = (key: string): number => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) ?? 0;
  };
  const threads = new Set(calls.flatMap(({ file, thread }) => (concerns(file) ? [thread] : [])));
  if (threads.size > 1) throw new Error(`${threads.size} threads touch the files instead of one`);
  return calls.flatMap((call) => {
    if (!threads.has(call.thread)) return [];
    const among = next(call.syscall);
    return concerns(call.file) ? [{ ...call, among, nth: next(`${call.syscall} of these`) }] : [];
  });
}

export interface Broken extends Ran {
  readonly call: Call;
}

const attempts_max = 20;

/**
 * Breaks a command at the target. `when` counts Node's own writes too, and their number varies; so the trace says which call was
 * hit, and another one means a new try on a new copy. Answers null when the command makes fewer such calls.
 */
export async function breakAt(
  { syscall, nth, among, how }: Target,
  argv: readonly string[],
  concerns: (file: string) => boolean,
  fresh: () => { readonly env: Env; readonly log: string },
): Promise<Broken | null> {
  // A write of nothing is never tried where the call is not known yet: libuv would wait forever for what it wrote to a pipe of its own.
  let when = how === 'retval=0' && syscall === 'write' ? null : (among ?? nth);
  // Kinds have several names: Node 24 removes folders with unlinkat, and SQLite files with unlink.
  let name: string | undefined;
  for (let attempt = 0; attempt < attempts_max; attempt++) {
    const { env, log } = fresh();
    const inject = when === null ? {} : { inject: `${how}:when=${when}` };
    const traced = await trace(argv, env, { of: [syscall], ...inject, name, log });
    const places = traced.calls.flatMap(({ file }, i) => (concerns(file) ? [i + 1] : []));
    const struck = traced.calls.findIndex(({ broken }) => broken) + 1;
    const call = traced.calls[struck - 1];
    if (call !== undefined && places[nth - 1] === struck) return { ...traced, call };
    if (call === undefined && places.length < nth) return null;
    const upTo = traced.calls.slice(0, places[nth - 1] ?? 0);
    name = upTo.at(-1)?.name;
    when = upTo.filter((other) => other.name === name).length || traced.calls.length + nth - places.length;
  }
  throw new Error(`${syscall} ${nth} was not hit in ${attempts_max} tries`);
}
