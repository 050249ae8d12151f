/** The file that holds the passphrase of an encrypted backup. */
import { fromUtf8 } from '../../base/text.js';
import * as fs from 'node:fs';
import { isEncrypted } from '../../archive/encrypted.js';
import { errorCode, invalid, RefusalError } from '../../base/refusal.js';
import { archive_bytes_max, archive_overhead_bytes_max } from '../../base/limits.js';
import { permissionFault } from '../../home/permission-fault.js';

const passphrase_bytes_max = 1_024;

export const passphraseRefusal = (detail: string): RefusalError => new RefusalError(invalid('passphrase-file', detail));

/** Returns the single line of a file or pipe. @throws RefusalError `invalid` */
export function readPassphrase(file: string): string {
  const text = fromUtf8(bytesOf(file));
  if (text === null) throw passphraseRefusal(`${file} is not UTF-8`);
  const line = text.replace(/^\uFEFF|\r?\n$/g, '');
  if (line === '') throw passphraseRefusal(`${file} is empty`);
  if (/[\r\n]/.test(line)) throw passphraseRefusal(`${file} has more than one line`);
  return line;
}

/** Returns what is wrong with owner and mode of a passphrase file, or null; null for a pipe, which nobody else can open. */
export function passphraseFileFault(file: string): string | null {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const fault = permissionFault(fs.realpathSync(file));
  return fault === null ? null : `${file} ${fault}`;
}

/** Returns whether an archive is encrypted. @throws RefusalError for what cannot be an archive */
export const isEncryptedArchive = (archive: string): boolean =>
  isEncrypted(archive, archive_bytes_max + archive_overhead_bytes_max);

/** Reads a file, or a pipe as of `<(command)` until it ends: never more than one byte over the limit. */
function bytesOf(file: string): Buffer {
  const bytes = Buffer.alloc(passphrase_bytes_max + 1);
  let length = 0;
  try {
    const fd = fs.openSync(file, 'r');
    try {
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = fs.readSync(fd, bytes, length, bytes.length - length, null);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (errorCode(error) === '') throw error;
    throw passphraseRefusal(`${file} cannot be read (${errorCode(error)})`);
  }
  if (length > passphrase_bytes_max) throw passphraseRefusal(`${file} has more than ${passphrase_bytes_max} bytes`);
  return bytes.subarray(0, length);
}
