/** The labels of a container: which process of which home started it, so that a later process can remove what a killed one left. */
import * as fs from 'node:fs';
import { errorCode } from '../base/fault.js';

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
export function isLeft(labels: Readonly<Record<string, string | undefined>>, home: string): boolean {
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
