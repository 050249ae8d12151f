/**
 * A private directory beside the file or directory that is being made. It vanishes whatever happens; only a kill leaves it, under
 * a name that nobody takes for the real one, and the next command for the same destination removes it: a directory in use holds a
 * locked file, and the kernel's locks end with their process.
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

/** Makes the directory, and parents of it that are missing; `remove` takes those away too as long as they are empty. */
export function makeStaging(destination: string): Staging {
  const directory = `${destination}.tmp-${randomBytes(6).toString('hex')}`;
  const parents = missingParents(directory);
  let lock: ProcessLock | null = null;
  const remove = (): void => {
    for (const signal of signals) process.off(signal, stop);
    lock?.release();
    fs.rmSync(directory, { recursive: true, force: true });
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

/** Deepest first. A link that leads nowhere is there, and what it should lead to is not ours to make. */
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

function removeEmpty(directory: string): void {
  try {
    fs.rmdirSync(directory);
  } catch (error) {
    // Not empty, or gone: another command's by now.
    if (errorCode(error) === '') throw error;
  }
}

const staging_name = /^\.tmp-[0-9a-f]{12}$/;

/** Removes what killed commands left for the same destination. What is not ours to remove stays, and stops nothing. */
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

/** A directory of this user whose lock is free. One without a lock is at its very beginning, and goes as long as it is empty. */
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
