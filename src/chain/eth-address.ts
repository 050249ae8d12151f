/** Addresses of the Ethereum Virtual Machine in the mixed-case form with a checksum (EIP-55). */
import * as E from 'fp-ts/lib/Either.js';
import { utf8 } from '../base/bytes.js';
import { keccak256 } from '../base/keccak.js';
import { invalid, ok, type Result } from '../base/refusal.js';

const form = /^0[xX][0-9a-fA-F]{40}$/;
const zero = `0x${'0'.repeat(40)}`;

/** Returns the address with its checksum. @param address `0x` and 40 hexadecimal digits in any case */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak256(utf8(digits)).slice(2);
  // A letter is upper-case where the digit of the hash at its place is 8 or more.
  const cased = Array.from(digits, (digit, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit));
  return `0x${cased.join('')}`;
}

/** Returns the checksummed form of an address, whose beginning some programs write as 0X. One in a single case has no checksum to verify; the zero address is nobody's. */
export function readAddress(path: string, text: string): Result<string> {
  if (!form.test(text)) return E.left(invalid(path, 'must be 0x and 40 hexadecimal digits'));
  if (text.toLowerCase() === zero) return E.left(invalid(path, 'is the zero address, which nobody controls'));
  const digits = text.slice(2);
  const known = checksummed(text);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return isMixed && known !== `0x${digits}`
    ? E.left(invalid(path, 'has a wrong EIP-55 checksum; compare it with its source'))
    : ok(known);
}
