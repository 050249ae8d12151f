/**
 * Archives encrypted with a passphrase in the age format (age-encryption.org/v1, C2SP age.md: an scrypt stanza, then the payload in
 * authenticated chunks of 64 KiB), so that the tool `age` reads them too. Everything is streamed.
 */
import * as fs from 'node:fs';
import { Decrypter, Encrypter } from 'age-encryption';
import { age_work_factor_max } from '../base/encryption-limits.js';
import { openEncrypted, workFactorOf } from './age-file.js';
import { errorCode } from '../base/fault.js';
import { RefusalError } from '../base/result.js';
import { chunks, malformed, type Source } from './source.js';

export interface Encryption {
  readonly passphrase: string;
  /** Base-2 logarithm of scrypt's cost. */
  readonly work_factor: number;
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Encrypts what `plain` yields into a file, which the caller has created, and syncs it. */
export async function encryptInto(file: string, plain: Pieces, { passphrase, work_factor }: Encryption): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(work_factor);
  const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW);
  try {
    await pour(await encrypter.encrypt(streamOf(plain)), (chunk) => fs.writeFileSync(fd, chunk));
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
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const plain = await decrypter.decrypt(streamOf(chunks(source, 0, source.size))).catch((error: unknown) => {
    if (isFault(error)) throw error;
    const isOther = error instanceof Error && error.message.startsWith('no identity matched');
    throw isOther
      ? source.refusal('unauthorized', 'is encrypted with another passphrase')
      : malformed(source, 'has an altered header');
  });
  const fd = fs.openSync(to, 'wx', 0o600);
  try {
    let bytes = 0;
    await pour(plain, (chunk) => {
      bytes += chunk.length;
      if (bytes > bytes_max) throw source.refusal('too_large', `holds more than ${bytes_max} bytes`);
      fs.writeFileSync(fd, chunk);
    });
  } catch (error) {
    throw isFault(error) ? error : malformed(source, 'was altered or cut off after it was encrypted');
  } finally {
    fs.closeSync(fd);
  }
}

/** Returns a stream that takes one piece at a time, when it is asked for. */
function streamOf(pieces: Pieces): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel(): Promise<void> {
      await iterator.return?.();
    },
  };
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
}

/** Passes each piece of a stream on; ends the stream when that throws. */
async function pour(stream: ReadableStream<Uint8Array>, write: (chunk: Uint8Array) => void): Promise<void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) write(next.value);
  } catch (error) {
    // The stream has failed already, or is closed by this; what `write` or it threw is what counts.
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

/** Returns whether an error is a refusal or one of the file system, and not of the decryption. */
const isFault = (error: unknown): boolean => error instanceof RefusalError || errorCode(error) !== '';
