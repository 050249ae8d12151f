/**
 * Ed25519 (RFC 8032) with libsodium, whose verification is the strictest of the tested libraries: it refuses small-order and non-canonical
 * points and S ≥ L.
 */
import { fromHex, toHex } from '../base/bytes.js';
import { invalid, RefusalError } from '../base/refusal.js';
import { sodium } from './sodium.js';

export type Signer = Readonly<ReturnType<typeof signerFromSeed>>;

export const seed_bytes = 32;
const public_key_bytes = 32;
const signature_bytes = 64;

/** @param seed 32 bytes, the content of identity.key. */
export function signerFromSeed(seed: Buffer) {
  const publicKey = Buffer.alloc(public_key_bytes);
  const secretKey = sodium().sodium_malloc(sodium().crypto_sign_SECRETKEYBYTES);
  sodium().crypto_sign_seed_keypair(publicKey, secretKey, seed);
  /** Signs the bytes without hashing them first; returns 64 bytes. */
  const sign = (message: Uint8Array): Buffer => {
    // All of its bytes are written: a part of Node's pool does not burden the garbage collector as a buffer of its own does.
    const signature = Buffer.allocUnsafe(signature_bytes);
    sodium().crypto_sign_detached(signature, message, secretKey);
    return signature;
  };
  return { publicKey, identity: identityOf(publicKey), sign };
}

export const identityOf = (publicKey: Uint8Array): string => `urn:agialpha:ed25519:${toHex(publicKey)}`;

export const publicKeyOf = (identity: string): Buffer | null => {
  const key = fromHex(identity.slice('urn:agialpha:ed25519:'.length));
  return identity.startsWith('urn:agialpha:ed25519:') && key?.length === public_key_bytes ? key : null;
};

/** Returns the public key that somebody typed. @throws RefusalError `invalid` */
export function readPublicKey(text: string): Buffer {
  const key = fromHex(text);
  if (key?.length === public_key_bytes) return key;
  throw new RefusalError(invalid('public-key', 'must be 64 lower-case hexadecimal digits'));
}

export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== public_key_bytes || signature.length !== signature_bytes) return false;
  return sodium().crypto_sign_verify_detached(signature, message, publicKey);
}
