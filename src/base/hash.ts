/** SHA-256 (FIPS 180-4) of texts and bytes. Texts are hashed as UTF-8. */
import * as crypto from 'node:crypto';

/** Returns the SHA-256 in hexadecimal, by one call into OpenSSL without a hash object. */
export const sha256Hex = (data: string | Uint8Array): string => crypto.hash('sha256', data, 'hex');

/** Returns the SHA-256 in bytes. A binary string is made of it, and a Buffer of that, quicker than Node makes the Buffer itself. */
export const sha256 = (data: string | Uint8Array): Buffer => Buffer.from(crypto.hash('sha256', data, 'binary'), 'latin1');

/** Writes the 32 bytes of the SHA-256 into a buffer. */
export const writeSha256 = (data: Uint8Array, to: Buffer, at: number): void =>
  void to.write(crypto.hash('sha256', data, 'binary'), at, 'latin1');
