/** daemon.json: which process serves the home. It is used in messages only; the lock itself is SQLite's. */
import * as fs from 'node:fs';
import { decode, integer, object, required, text } from '../../codec/kit.js';
import { isRefused } from '../../base/result.js';
import { readRegularFile } from '../../home/regular-file.js';
import { replaceFile } from '../../home/files.js';

const codec = object('Daemon', { pid: required(integer(1, Number.MAX_SAFE_INTEGER)), started_at: required(text()) });

/** Writes the file; returns why that failed, or null. After a failure no file names a process. */
export function writeDaemonFile(file: string, pid: number, started_at: string): string | null {
  try {
    replaceFile(file, Buffer.from(`${JSON.stringify({ pid, started_at })}\n`));
    return null;
  } catch (error) {
    removeDaemonFile(file);
    return error instanceof Error ? error.message : String(error);
  }
}

export function removeDaemonFile(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Messages alone are the worse for it.
  }
}

/** Returns ` (pid 123, since …)`, or an empty text when the file has no usable content. */
export function describeDaemon(file: string): string {
  try {
    const daemon = decode(codec, JSON.parse(readRegularFile(file).toString('utf8')));
    return isRefused(daemon) ? '' : ` (pid ${daemon.right.pid}, since ${daemon.right.started_at})`;
  } catch {
    return '';
  }
}
