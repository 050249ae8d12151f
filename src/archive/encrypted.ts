/**
 * Archives encrypted with a passphrase in the age format (age-encryption.org/v1, C2SP age.md: an scrypt stanza, then the payload in
 * authenticated chunks of 64 KiB), so that the tool `age` reads them too. Everything is streamed. The package is loaded by who
 * encrypts or decrypts only.
 */
import * as fs from 'node:fs';
import * as web from 'node:stream/web';
import { errorCode, RefusalError } from '../base/refusal.js';
import { chunks, fileSource, malformed, type Source } from './source.js';

/** Base-2 logarithm of the cost of scrypt, at most when an archive is read. */
const age_work_factor_max = 20;
/** More than the header of a file that age encrypted with a passphrase. */
const age_header_bytes_max = 1_024;
/** More than what age adds to the largest archive: the header, and 16 bytes for each 64 KiB. */
const age_overhead_bytes_max = 131_072;

/** The ending of an encrypted archive's name. */
export const encrypted_ending = '.age';

const version_line = 'age-encryption.org/v1\n';
/** The header of a file for a single passphrase, with the base-2 logarithm of scrypt's cost. */
const passphraseHeader =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/;

/** Opens an encrypted archive. @param bytes_max the largest archive that may come out of it @throws RefusalError */
const openEncrypted = (file: string, bytes_max: number): Source => fileSource(file, bytes_max + age_overhead_bytes_max);

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
function workFactorOf(source: Source): number {
  const [, workFactor] = passphraseHeader.exec(beginningOf(source)) ?? [];
  if (workFactor === undefined) throw malformed(source, 'is not encrypted with a passphrase, as a backup is');
  return Number(workFactor);
}

const beginningOf = (source: Source): string => source.read(0, Math.min(source.size, age_header_bytes_max)).toString('latin1');

export interface Encryption {
  readonly passphrase: string;
  /** Base-2 logarithm of scrypt's cost. */
  readonly work_factor: number;
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Encrypts what `plain` yields into a file, which the caller has created, and syncs it. */
export async function encryptInto(file: string, plain: Pieces, { passphrase, work_factor }: Encryption): Promise<void> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(work_factor);
  const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW);
  try {
    for await (const chunk of await encrypter.encrypt(streamOf(plain))) fs.writeFileSync(fd, chunk);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Decrypts an archive into a new private file.
 * @param bytes_max the largest archive that may come out of it
 * @throws RefusalError `unauthorized` for a wrong passphrase, `malformed` for a file that age would not have written so, `too_large`
 */
export async function decryptInto(file: string, to: string, passphrase: string, bytes_max: number): Promise<void> {
  const source = openEncrypted(file, bytes_max);
  try {
    const workFactor = workFactorOf(source);
    if (workFactor > age_work_factor_max)
      throw malformed(source, `has the scrypt work factor ${workFactor}; at most ${age_work_factor_max} is read`);
    await decryptFrom(source, to, passphrase, bytes_max);
    source.expectUnchanged();
  } finally {
    source.close();
  }
}

async function decryptFrom(source: Source, to: string, passphrase: string, bytes_max: number): Promise<void> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  // Keyboards and systems write an accented letter as one code point or two.
  for (const form of new Set([passphrase, passphrase.normalize('NFC'), passphrase.normalize('NFD')]))
    decrypter.addPassphrase(form);
  const plain = await decrypter.decrypt(streamOf(chunks(source, 0, source.size))).catch((error: unknown) => {
    if (isFault(error)) throw error;
    if (error instanceof RangeError) throw source.refusal('too_large', 'needs more memory to be decrypted than there is');
    const isOther = error instanceof Error && error.message.startsWith('no identity matched');
    throw isOther
      ? source.refusal('unauthorized', 'is encrypted with another passphrase')
      : malformed(source, 'has an altered header');
  });
  const fd = fs.openSync(to, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of plain) {
      bytes += chunk.length;
      if (bytes > bytes_max) throw source.refusal('too_large', `holds more than ${bytes_max} bytes`);
      fs.writeFileSync(fd, chunk);
    }
  } catch (error) {
    throw isFault(error) ? error : malformed(source, 'was altered or cut off after it was encrypted');
  } finally {
    fs.closeSync(fd);
  }
}

/** Returns a stream of pieces, each taken when it is asked for. Its type is that of the browser's streams, which age-encryption names. */
const streamOf = (pieces: Pieces): ReadableStream<Uint8Array> => web.ReadableStream.from(pieces) as ReadableStream<Uint8Array>;

/** Returns whether an error is a refusal or one of the file system, and not of the decryption. */
const isFault = (error: unknown): boolean => error instanceof RefusalError || errorCode(error) !== '';
