/** Tells files in the age format (age-encryption.org/v1, C2SP age.md) from plain archives, without decrypting them. */
import { age_header_bytes_max, age_overhead_bytes_max } from '../base/encryption-limits.js';
import { fileSource, malformed, type Source } from './source.js';

/** The ending of an encrypted archive's name. */
export const encrypted_ending = '.age';

const version_line = 'age-encryption.org/v1\n';
/** The header of a file for a single passphrase, with the base-2 logarithm of scrypt's cost. */
const passphraseHeader =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/;

/** Opens an encrypted archive. @param bytes_max the largest archive that may come out of it @throws RefusalError */
export const openEncrypted = (file: string, bytes_max: number): Source => fileSource(file, bytes_max + age_overhead_bytes_max);

/** Returns whether a file begins as one of age does. @throws RefusalError for what cannot be an archive */
export function isEncrypted(file: string, bytes_max: number): boolean {
  const source = openEncrypted(file, bytes_max);
  try {
    return beginningOf(source).startsWith(version_line);
  } finally {
    source.close();
  }
}

/** Returns the work factor of a file that was encrypted with a passphrase. @throws RefusalError `malformed` for another one */
export function workFactorOf(source: Source): number {
  const [, workFactor] = passphraseHeader.exec(beginningOf(source)) ?? [];
  if (workFactor === undefined) throw malformed(source, 'is not encrypted with a passphrase, as a backup is');
  return Number(workFactor);
}

const beginningOf = (source: Source): string => source.read(0, Math.min(source.size, age_header_bytes_max)).toString('latin1');
