/** Bytes, their texts (hexadecimal and strict base64: RFC 4648, section 4, padding required, no stray bits), and their SHA-256 (FIPS 180-4). */
import * as crypto from 'node:crypto';

const hexText = /^(?:[0-9a-f]{2})*$/;

export const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Bytes of a lower-case hexadecimal text, or null when it is not one. */
export const fromHex = (text: string): Buffer | null => (hexText.test(text) ? Buffer.from(text, 'hex') : null);

/** Bytes of a base64 text, or null unless it is the one text that these bytes encode to. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** Returns whether a stored value, which may be anything in a table that is not STRICT, is these bytes. */
export const isBytes = (value: unknown, bytes: Uint8Array): boolean =>
  value instanceof Uint8Array && Buffer.compare(value, bytes) === 0;

/** Returns the SHA-256 in hexadecimal, of a text as UTF-8, by one call into OpenSSL without a hash object. */
export const sha256Hex = (data: string | Uint8Array): string => crypto.hash('sha256', data, 'hex');

/** Returns the SHA-256 in bytes. A binary string is made of it, and a Buffer of that, quicker than Node makes the Buffer itself. */
export const sha256 = (data: string | Uint8Array): Buffer => Buffer.from(crypto.hash('sha256', data, 'binary'), 'latin1');

/** Writes the 32 bytes of the SHA-256 into a buffer. */
export const writeSha256 = (data: Uint8Array, to: Buffer, at: number): void =>
  void to.write(crypto.hash('sha256', data, 'binary'), at, 'latin1');
