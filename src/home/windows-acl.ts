/**
 * Protects a home on Windows, which has no file modes: before any secret byte is written, its directory gets an owner-only ACL, which the
 * files in it inherit. If that fails, nothing is written.
 */
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { RefusalError } from '../base/refusal.js';

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

/** Windows searches for a bare name in the working directory first, where anybody may have put a program of that name. */
const systemProgram = (name: string): string =>
  path.join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', `${name}.exe`);

/**
 * Replaces the ACL of a directory: no inherited or earlier rights, full control for the owner only, also of files created in it. The owner
 * is named by security identifier, because a user name can exist both on the machine and in its domain.
 * @throws RefusalError `integrity`
 */
export function restrictToOwner(directory: string, execute: RunProgram = run): void {
  const [sid] = /\bS-1-[0-9-]+/.exec(execute(systemProgram('whoami'), ['/user', '/fo', 'csv', '/nh']) ?? '') ?? [];
  const icacls = (...args: readonly string[]): boolean => execute(systemProgram('icacls'), [directory, ...args]) !== null;
  if (sid !== undefined && icacls('/reset') && icacls('/inheritance:r', '/grant:r', `*${sid}:(OI)(CI)F`)) return;
  throw new RefusalError('integrity', `${directory} could not be restricted to its owner; no secret was written`);
}
