/**
 * Protects a home on Windows, which has no file modes: before any secret byte is written, its directory gets an owner-only ACL, which the
 * files in it inherit. If that fails, nothing is written.
 */
import { spawnSync } from 'node:child_process';
import * as os from 'node:os';
import { RefusalError } from '../base/result.js';

/** Runs a program; returns its exit code, or null when it could not be started. */
export type RunProgram = (program: string, args: readonly string[]) => number | null;

const run: RunProgram = (program, args) => spawnSync(program, args, { stdio: 'ignore', windowsHide: true }).status;

/** `icacls DIR /inheritance:r /grant:r USER:(OI)(CI)F`: no inherited rights, full control for the owner alone. */
export function restrictToOwner(directory: string, execute: RunProgram = run, user: string = os.userInfo().username): void {
  if (execute('icacls', [directory, '/inheritance:r', '/grant:r', `${user}:(OI)(CI)F`]) === 0) return;
  throw new RefusalError({
    code: 'integrity',
    detail: `${directory} could not be restricted to its owner; no secret was written`,
  });
}
