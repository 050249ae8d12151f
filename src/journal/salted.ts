/** What a value that stands outside the signed text is stored with. */
import { createHash, randomBytes } from 'node:crypto';
import { blob_salt_bytes } from '../base/limits.js';

export interface Salted {
  readonly salt: Uint8Array;
  /** SHA-256(salt ‖ bytes), hexadecimal. */
  readonly hash: string;
}

/** SHA-256(salt ‖ bytes), hexadecimal. */
export const blobHash = (salt: Uint8Array, bytes: Uint8Array): string =>
  createHash('sha256').update(salt).update(bytes).digest('hex');

/** Takes long for a large value, so that whoever has one may do it elsewhere. */
export function salted(bytes: Uint8Array): Salted {
  const salt = Uint8Array.from(randomBytes(blob_salt_bytes));
  return { salt, hash: blobHash(salt, bytes) };
}
