/** Signatures of messages by wallets (EIP-191, version 0x45, `personal_sign`), and the address of the key that made one. */
import { Signature as KeySignature, SigningKey } from 'ethers/crypto';
import * as E from 'fp-ts/lib/Either.js';
import { utf8 } from '../base/bytes.js';
import { checksummed } from './eth-address.js';
import { keccak256 } from '../base/keccak.js';
import { invalid, ok, type Result } from '../base/refusal.js';

export interface PersonalSignature {
  readonly r: bigint;
  readonly s: bigint;
  /** Which of the two points with this r (0 or 1). */
  readonly parity: 0 | 1;
}

/** The order of the group of secp256k1 (SEC 2, section 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const signature_bytes = 65;
const parities: Readonly<Partial<Record<number, 0 | 1>>> = { 0: 0, 1: 1, 27: 0, 28: 1 };

/** A contract wallet has no key: it judges signatures of its own form by its code. */
const contractWallet =
  '; a contract wallet (EIP-1271) signs in a form of its own and cannot be bound: use an account that has a key';

const bad = (message: string): Result<never> => E.left(invalid('signature', message));

/**
 * Returns the parts of a signature: r, s and v, 65 bytes in hexadecimal. Every signature has a twin with n − s that recovers the same
 * address; only the one with the lower s is accepted (EIP-2), so that a signature has one text.
 */
export function readPersonalSignature(text: string): Result<PersonalSignature> {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) return bad('must be 0x and hexadecimal digits');
  const length = text.length / 2 - 1;
  if (length !== signature_bytes)
    return bad(`must have ${signature_bytes} bytes, has ${length}${length > signature_bytes ? contractWallet : ''}`);
  const [r, s] = [BigInt(text.slice(0, 66)), BigInt(`0x${text.slice(66, 130)}`)];
  const parity = parities[Number.parseInt(text.slice(130), 16)];
  if (parity === undefined) return bad('must end with v = 0, 1, 27 or 28');
  if (r === 0n || r >= order || s === 0n || s >= order) return bad('has r or s outside the order of secp256k1');
  if (s > order / 2n) return bad('has a high s; sign again with a wallet that follows EIP-2');
  return ok({ r, s, parity });
}

/** Returns the hash that a wallet signs for a message (EIP-191): the length is that of the message's UTF-8 bytes. */
export function personalHash(message: string): string {
  const bytes = utf8(message);
  return keccak256(Buffer.concat([utf8(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
}

/**
 * Returns the checksummed address of the key that made a signature of `message`. A signature of another message gives some other
 * address, not a refusal; only an r that no point has is refused.
 */
export function signerOf(message: string, { r, s, parity }: PersonalSignature): Result<string> {
  const parts = { r: hex32(r), s: hex32(s), v: 27 + parity };
  let publicKey: string;
  try {
    publicKey = SigningKey.recoverPublicKey(personalHash(message), KeySignature.from(parts));
  } catch {
    return bad('has an r that is on no point of secp256k1');
  }
  // The public key without its first byte, which says that it is uncompressed.
  const hash = keccak256(Buffer.from(publicKey.slice(4), 'hex'));
  return ok(checksummed(`0x${hash.slice(-40)}`));
}

const hex32 = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
