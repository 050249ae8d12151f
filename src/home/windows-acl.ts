/**
 * Protects a home on Windows, which has no file modes: before any secret byte is written, its directory gets an owner-only ACL, which the
 * files in it inherit. If that fails, nothing is written.
 */
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { RefusalError } from '../base/result.js';

/** Runs a program; returns what it printed, or null when it could not be started or ended with an error. */
export type RunProgram = (program: string, args: readonly string[]) => string | null;

const run: RunProgram = (program, args) => {
  const { status, stdout } = spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : null;
};

/** `icacls DIR /inheritance:r /grant:r USER:(OI)(CI)F`: no inherited rights, full control only for the owner. */
export function restrictToOwner(directory: string, execute: RunProgram = run, user: string = os.userInfo().username): void {
  if (execute('icacls', [directory, '/inheritance:r', '/grant:r', `${user}:(OI)(CI)F`]) === 0) return;
  throw new RefusalError({
    code: 'integrity',
    detail: `${directory} could not be restricted to its owner; no secret was written`,
  });
}
