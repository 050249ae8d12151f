/**
 * A private directory beside the file or directory that is being made. It vanishes whatever happens; only a kill leaves it, under
 * a name that nobody takes for the real one, and the next command for the same destination removes it.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { randomBytes } from 'node:crypto';
import { errorCode } from '../../base/fault.js';
import { fileError, makePrivateDirectory } from '../../home/files.js';

export interface Staging {
  readonly directory: string;
  readonly file: (name: string) => string;
  readonly remove: () => void;
}

/** Makes the directory, and parents of it that are missing; `remove` takes those away too as long as they are empty. */
export function makeStaging(destination: string): Staging {
  const directory = `${destination}.tmp-${process.pid}-${randomBytes(6).toString('hex')}`;
  const parents = missingParents(directory);
  const removeAll = (): void => {
    fs.rmSync(directory, { recursive: true, force: true });
    for (const parent of parents) removeEmpty(parent);
  };
  try {
    makePrivateDirectory(directory);
  } catch (error) {
    removeAll();
    throw fileError(error, destination);
  }
  removeAbandoned(destination);
  const stop = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  const remove = (): void => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    removeAll();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return { directory, file: (name) => path.join(directory, name), remove };
}

/** Deepest first. */
function missingParents(directory: string): string[] {
  const parents: string[] = [];
  for (let at = path.dirname(directory); !fs.existsSync(at) && at !== path.dirname(at); at = path.dirname(at)) parents.push(at);
  return parents;
}

function removeEmpty(directory: string): void {
  try {
    fs.rmdirSync(directory);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error;
  }
}

/** What killed processes left for the same destination. */
function removeAbandoned(destination: string): void {
  const prefix = `${path.basename(destination)}.tmp-`;
  for (const name of fs.readdirSync(path.dirname(destination))) {
    const pid = name.startsWith(prefix) ? /^([0-9]+)-[0-9a-f]{12}$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid === undefined || isRunning(Number(pid))) continue;
    fs.rmSync(path.join(path.dirname(destination), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
