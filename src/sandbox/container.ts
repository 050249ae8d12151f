/** One container: started, watched, and gone afterwards, whatever its code does. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { errorCode } from '../base/refusal.js';
import { engine_stop_grace_ms, sandbox_output_bytes_max } from '../base/limits.js';
import { type Container, removeArguments, runArguments } from './arguments.js';
import { askEngine, callClient, type CallResult } from './client.js';

export interface ContainerRun extends Omit<Container, 'name' | 'idFile' | 'labels'> {
  readonly clientEnv: Readonly<Record<string, string>>;
  /** The id of the home; none for a container that belongs to no home. */
  readonly home?: string | undefined;
  readonly stdin: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** A program that a signal ended has a status above it. */
export const signal_base = 128;
const killed_status = signal_base + 9;

/** Where podman's monitor notes that memory was full: in the client's directory, and of some versions nowhere else. */
const oom_file = 'oom';

export interface ContainerCalled extends CallResult {
  /** Whether SIGKILL ended it because its memory was full. */
  readonly isOutOfMemory: boolean;
}

/** Runs a container to its end. A deadline, an abort and too much output kill it by its id. */
export async function runContainer(run: ContainerRun): Promise<ContainerCalled> {
  const { engine, clientEnv: env, stdin, ms_max, signal } = run;
  const scratch = fs.mkdtempSync(path.join(tmpdir(), `agent-cli-${process.pid}-`));
  const idFile = path.join(scratch, 'id');
  const name = `agent-cli-${process.pid}-${randomUUID()}`;
  const isOomKilled = async (): Promise<boolean> => {
    const { stdout } = await askEngine(engine, env, ['inspect', '--format', '{{.State.OOMKilled}}', name]);
    return stdout.toString('latin1').trim() === 'true';
  };
  const remove = async (): Promise<void> => void (await askEngine(engine, env, removeArguments(engine, idIn(idFile) ?? name)));
  try {
    const called = await callClient({
      command: engine.name,
      args: runArguments({ ...run, name, idFile, labels: labelsOf(run.home) }),
      env,
      directory: scratch,
      stdin,
      ms_max,
      bytes_max: sandbox_output_bytes_max,
      signal,
      stop: remove,
      grace_ms: engine_stop_grace_ms,
    });
    const isKilled = called.ended === 'exited' && called.status === killed_status;
    const isOutOfMemory = isKilled && (fs.existsSync(path.join(scratch, oom_file)) || (await isOomKilled()));
    await remove();
    return { ...called, isOutOfMemory };
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns the id that the engine has written, or null. */
function idIn(file: string): string | null {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
  return /^[0-9a-f]{64}$/.test(text) ? text : null;
}

/** The labels of a container: which process of which home started it, so that a later process can remove what a killed one left. */
const home_label = 'agent-cli.home';
const process_label = 'agent-cli.process';
/** The home of a container that belongs to none: a self-test, or the verification of an export. */
const no_home = 'none';

/** @param home the id of the home, or undefined for a container of no home */
export const labelsOf = (home: string | undefined): Readonly<Record<string, string>> => ({
  [home_label]: home ?? no_home,
  [process_label]: own(),
});

/** What an engine is asked for to list the containers of any home. */
export const labelled = `label=${process_label}`;

/** Returns whether a container with these labels was left by a process of this home, or of none, that has ended. */
export function isLeftBehind(labels: Readonly<Record<string, string | undefined>>, home: string): boolean {
  const owner = labels[home_label];
  return (owner === home || owner === no_home) && hasEnded(labels[process_label] ?? '');
}

/**
 * Returns `<PID>.<start>.<namespace>` of this process. The start, in clock ticks since the machine's, tells it from another process that gets its
 * PID; the namespace says where the PID counts.
 */
const own = (): string => `${process.pid}.${startOf(process.pid) ?? 0}.${namespace()}`;

const namespace_link = '/proc/self/ns/pid';

/** Returns the number of the PID namespace, or an empty text where there is no /proc: there no process counts as ended. */
const namespace = (): string =>
  fs.existsSync(namespace_link) ? (/[0-9]+/.exec(fs.readlinkSync(namespace_link))?.[0] ?? '') : '';

/** Returns whether a process has ended. Of one in another namespace nothing is known, so it counts as running. */
function hasEnded(name: string): boolean {
  const [, pid = '', start = '', where = ''] = /^([0-9]+)\.([0-9]+)\.([0-9]+)$/.exec(name) ?? [];
  return pid !== '' && where === namespace() && startOf(Number(pid)) !== start;
}

/** Positions after the name of the program in /proc/PID/stat; see proc_pid_stat(5). */
const state_at = 0;
const start_at = 19;

/** Returns when a process started, or null for one that has ended. */
function startOf(pid: number): string | null {
  const text = statOf(pid);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended, and only its parent has not noticed.
  return text === '' || fields[state_at] === 'Z' ? null : (fields[start_at] ?? null);
}

function statOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return '';
    throw error;
  }
}
