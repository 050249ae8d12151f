/** What a process does that is interrupted, whose terminal has closed, or whose standard error cannot be written. */
import { closeSync, fstatSync, openSync } from 'node:fs';

/**
 * Handles SIGHUP: stops all writes to the terminal, because each would fail, and releases the terminal at exit. At exit, Node
 * restores the modes of the terminals that it was started with. If one is gone, Node treats the error (EIO) as an internal fault
 * and dies of a signal. It skips descriptors that refer to another file by then, so they are replaced with the null device.
 */
export function leaveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) silence(stream);
  process.once('exit', () => {
    for (const fd of [0, 1, 2]) becomeNull(fd);
  });
}

/** Ends a command that only prints as Ctrl-C does, once the reader of its output is gone. */
export const endWithOutput = (): void => void process.stdout.once('close', () => process.emit('SIGINT'));

/** Handles an error of standard error: nobody can be told, so the command goes on, and its exit code stays. */
export function surviveStandardError({ code }: NodeJS.ErrnoException): void {
  if (code === 'EIO' && process.stderr.isTTY) leaveTerminal();
}

function silence(stream: NodeJS.WriteStream): void {
  stream.write = (...args: unknown[]): boolean => {
    const done = args.findLast((value) => typeof value === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  };
}

function becomeNull(fd: number): void {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return;
    closeSync(fd);
    // The open call takes the lowest free descriptor: the one that was just closed.
    openSync('/dev/null', 'r+');
  } catch {
    // The descriptor was already closed, or there is no such device: the process ends as it would without this.
  }
}
