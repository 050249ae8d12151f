/** The salt and hash with which a value outside the signed text is stored. */
import { createHash, randomBytes } from 'node:crypto';

const blob_salt_bytes = 16;

export interface SaltedHash {
  readonly salt: Uint8Array;
  /** SHA-256(salt ‖ bytes), hexadecimal. */
  readonly hash: string;
}

/** SHA-256(salt ‖ bytes), hexadecimal. */
const blobHash = (salt: Uint8Array, bytes: Uint8Array): string => createHash('sha256').update(salt).update(bytes).digest('hex');

/**
 * Returns whether a stored value has this hash. A salt of another length would let bytes move from the salt into the value, or back,
 * without changing the hash.
 */
export const hasBlobHash = (hash: string, salt: unknown, bytes: unknown): boolean =>
  salt instanceof Uint8Array && bytes instanceof Uint8Array && salt.length === blob_salt_bytes && blobHash(salt, bytes) === hash;

/** Salts and hashes a value; for a large one this takes long and can be done on another thread. */
export function salted(bytes: Uint8Array): SaltedHash {
  const salt = Uint8Array.from(randomBytes(blob_salt_bytes));
  return { salt, hash: blobHash(salt, bytes) };
}
