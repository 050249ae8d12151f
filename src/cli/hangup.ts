/** The end of a process whose terminal has closed. */
import { closeSync, fstatSync, openSync } from 'node:fs';

/**
 * For SIGHUP: nothing is written to the terminal any more, because every write would fail, and it is let go of at the exit. There Node
 * puts back the modes of the terminals that it was started with; where one is gone it takes the refusal (EIO) for a fault of its own
 * and dies of a signal. It passes over descriptors that have become another file since, so they become the null device.
 */
export function leaveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) silence(stream);
  process.once('exit', () => {
    for (const fd of [0, 1, 2]) becomeNull(fd);
  });
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
    // It takes the lowest descriptor that is free: the one that was closed.
    openSync('/dev/null', 'r+');
  } catch {
    // It was closed before, or there is no such device: the process ends as it would have.
  }
}
