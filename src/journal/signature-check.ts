/**
 * Checks the signatures of entries. Where the key is, each is made again and compared, which takes a third of the time of verifying it:
 * Ed25519 is deterministic (RFC 8032, section 5.1.6). A signature that is made here never leaves this module.
 */
import { verifySignature } from './keys.js';
import { sodium } from './sodium.js';

export interface SignatureCheck {
  /**
   * Judges a signature over a message that the caller has computed itself. `other` is a valid one that the key would not make: another
   * program with the same key has drawn its nonce in another way.
   */
  readonly judge: (message: Buffer, signature: Buffer) => 'valid' | 'other' | 'invalid';
  /** Wipes the key. */
  readonly end: () => void;
}

/** @param seed of the home's own key; null where it is not known, and for journals of others */
export function signatureCheck(publicKey: Buffer, seed: Buffer | null): SignatureCheck {
  const verify: SignatureCheck = {
    judge: (message, signature) => (verifySignature(publicKey, message, signature) ? 'valid' : 'invalid'),
    end: () => undefined,
  };
  return (seed === null ? null : signingAgain(publicKey, seed)) ?? verify;
}

/** Returns null when the seed is not that of the public key. */
function signingAgain(publicKey: Buffer, seed: Buffer): SignatureCheck | null {
  const native = sodium();
  const derived = Buffer.alloc(native.crypto_sign_PUBLICKEYBYTES);
  const secretKey = native.sodium_malloc(native.crypto_sign_SECRETKEYBYTES);
  const made = native.sodium_malloc(native.crypto_sign_BYTES);
  const end = (): void => {
    native.sodium_memzero(secretKey);
    native.sodium_memzero(made);
  };
  native.crypto_sign_seed_keypair(derived, secretKey, seed);
  if (!derived.equals(publicKey)) {
    end();
    return null;
  }
  const judge: SignatureCheck['judge'] = (message, signature) => {
    native.crypto_sign_detached(made, message, secretKey);
    // In constant time: the place of the first difference would tell something of a signature that nobody has seen.
    if (signature.length === made.length && native.sodium_memcmp(made, signature)) return 'valid';
    native.sodium_memzero(made);
    return verifySignature(publicKey, message, signature) ? 'other' : 'invalid';
  };
  return { judge, end };
}
