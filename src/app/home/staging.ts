/**
 * A private directory beside the file or directory that is being created. It is always removed; only a kill leaves it, under a
 * name that cannot be mistaken for the real one, and the next command for the same destination removes it. A directory in use
 * holds a locked file, and the kernel releases locks when their process ends.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { randomBytes } from 'node:crypto';
import { errorCode } from '../../base/fault.js';
import { RefusalError } from '../../base/result.js';
import { fileError, makePrivateDirectory } from '../../home/files.js';
import { createProcessLock, type ProcessLock } from '../../store/process-lock.js';
import { programVersion } from '../home/program.js';

export interface Staging {
  readonly directory: string;
  readonly file: (name: string) => string;
  readonly remove: () => void;
}

const lock_name = 'staging.lock';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Creates the directory and its missing parents; `remove` removes those parents too if they are empty. */
export function makeStaging(destination: string): Staging {
  const directory = `${destination}.tmp-${randomBytes(6).toString('hex')}`;
  const parents = missingParents(directory);
  let lock: ProcessLock | null = null;
  const remove = (): void => {
    for (const signal of signals) process.off(signal, stop);
    lock?.release();
    removeIfPossible(directory);
    for (const parent of parents) removeEmpty(parent);
  };
  const stop = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, stop);
  try {
    makePrivateDirectory(directory);
    lock = createProcessLock(path.join(directory, lock_name), programVersion);
    return { directory, file: (name) => path.join(directory, name), remove };
  } catch (error) {
    remove();
    throw fileError(error, destination);
  }
}

/**
 * Returns the missing parents, the deepest first. A dangling link counts as present: its target is not this program's to create.
 */
function missingParents(directory: string): string[] {
  const parents: string[] = [];
  const isMissing = (at: string): boolean => {
    try {
      return fs.lstatSync(at, { throwIfNoEntry: false }) === undefined;
    } catch (error) {
      throw fileError(error, directory);
    }
  };
  for (let at = path.dirname(directory); at !== path.dirname(at) && isMissing(at); at = path.dirname(at)) parents.push(at);
  return parents;
}

/** A directory that cannot be removed is left to the next command for the destination: what was made is complete without that. */
function removeIfPossible(directory: string): void {
  try {
    fs.rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}

function removeEmpty(directory: string): void {
  try {
    fs.rmdirSync(directory);
  } catch (error) {
    // It is not empty, or gone: another command uses or removed it.
    if (errorCode(error) === '') throw error;
  }
}

const staging_name = /^\.tmp-[0-9a-f]{12}$/;

/**
 * Removes staging directories that killed commands left for the same destination. One that cannot be removed stays and causes no
 * failure.
 */
export function removeAbandoned(destination: string): void {
  const [parent, base] = [path.dirname(destination), path.basename(destination)];
  for (const name of namesIn(parent)) {
    if (!name.startsWith(base) || !staging_name.test(name.slice(base.length))) continue;
    const directory = path.join(parent, name);
    try {
      if (isAbandoned(directory)) fs.rmSync(directory, { recursive: true, force: true });
    } catch (error) {
      if (!(error instanceof RefusalError) && errorCode(error) === '') throw error;
    }
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return [];
  }
}

/**
 * Whether a directory belongs to this user and its lock is free. A directory without a lock was just created and is removed only
 * while it is empty.
 */
function isAbandoned(directory: string): boolean {
  const stat = fs.lstatSync(directory);
  if (!stat.isDirectory() || (process.getuid !== undefined && stat.uid !== process.getuid())) return false;
  const lock = path.join(directory, lock_name);
  if (!fs.existsSync(lock)) {
    fs.rmdirSync(directory);
    return false;
  }
  try {
    createProcessLock(lock, programVersion).release();
    return true;
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === 'in_use') return false;
    throw error;
  }
}
