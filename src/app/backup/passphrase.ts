/** The file that holds the passphrase of an encrypted backup. */
import { isEncrypted } from '../../archive/age-file.js';
import { errorCode } from '../../base/fault.js';
import { passphrase_bytes_max } from '../../base/encryption-limits.js';
import { archive_bytes_max, archive_overhead_bytes_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { readRegularFile } from '../../home/regular-file.js';

export const passphraseRefusal = (why: string): RefusalError => new RefusalError(invalid('passphrase-file', why));

/** Returns the single line of a file. @throws RefusalError `invalid`, or `integrity` for anything but a regular file */
export function readPassphrase(file: string): string {
  const line = textOf(bytesOf(file)).replace(/\r?\n$/, '');
  if (line === '') throw passphraseRefusal(`${file} is empty`);
  if (/[\r\n]/.test(line)) throw passphraseRefusal(`${file} has more than one line`);
  return line;
}

/** Returns whether an archive is encrypted. @throws RefusalError for what cannot be an archive */
export const isEncryptedArchive = (archive: string): boolean =>
  isEncrypted(archive, archive_bytes_max + archive_overhead_bytes_max);

function bytesOf(file: string): Buffer {
  try {
    const bytes = readRegularFile(file);
    if (bytes.length > passphrase_bytes_max) throw passphraseRefusal(`${file} has more than ${passphrase_bytes_max} bytes`);
    return bytes;
  } catch (error) {
    if (errorCode(error) === '') throw error;
    throw passphraseRefusal(`${file} cannot be read (${errorCode(error)})`);
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw passphraseRefusal('the file is not UTF-8');
  }
}
