/** Reads files of a home. Anything else under their names, a FIFO above all, is refused without waiting for it. */
import * as fs from 'node:fs';
import { errorCode, RefusalError, unreadableRefusal } from '../base/refusal.js';

/** Returns what changes with a file, also when it is replaced; empty for none. Two changes within a tick of the kernel's clock may have the same. */
export const lookOf = (stat: fs.BigIntStats | undefined): string =>
  stat === undefined ? '' : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');

/** @throws RefusalError `integrity` for anything but a regular file, and for one that a failing disk cannot open or read */
export function readRegularFile(file: string): Buffer {
  let fd: number | null = null;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (!fs.fstatSync(fd).isFile()) throw notRegular(file);
    return fs.readFileSync(fd);
  } catch (error) {
    throw errorCode(error) === 'EIO' ? new RefusalError(unreadableRefusal(error, file)) : error;
  } finally {
    if (fd !== null) fs.closeSync(fd);
  }
}

/**
 * @param hint the command that repairs it
 * @throws RefusalError `integrity` when the path is something other than a regular file
 */
export function refuseIrregular(file: string, hint?: string): void {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw notRegular(file, hint);
}

const notRegular = (file: string, hint?: string): RefusalError =>
  new RefusalError('integrity', `${file} is not a regular file`, hint === undefined ? {} : { hint });
