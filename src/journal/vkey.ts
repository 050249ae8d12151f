/** Verifier keys (c2sp.org/signed-note, "verifier keys"): `<name>+<8 hex key id>+<base64(type ‖ key)>`. */
import { fromBase64, sha256 } from '../base/bytes.js';

/** Signature types for a log's own notes and for a witness's timestamped cosignatures (c2sp.org/tlog-cosignature). */
export const note_type = 1;
export const cosignature_type = 4;

const public_key_bytes = 32;
const key_id_bytes = 4;

export interface NamedKey {
  readonly name: string;
  readonly publicKey: Buffer;
  /** First 4 bytes of SHA-256(name ‖ 0x0A ‖ type ‖ public key). */
  readonly id: Buffer;
}

export const keyIdOf = (name: string, type: number, publicKey: Buffer): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey])).subarray(0, key_id_bytes);

/** A name without Unicode spaces and plus signs, as the format requires, and without control characters, because names are printed. */
const namePattern = /^[^\s+\p{C}]{1,255}$/u;

/** Returns the Ed25519 key of this type in a verifier key, or what is wrong with its text. */
export function readVerifierKey(vkey: string, type: number): NamedKey | string {
  const [name = '', id = '', ...rest] = vkey.split('+');
  const bytes = fromBase64(rest.join('+'));
  if (!namePattern.test(name) || !/^[0-9a-f]{8}$/.test(id) || bytes === null || bytes.length === 0)
    return 'must be a verifier key: NAME+8 hexadecimal digits+base64';
  if (bytes[0] !== type) {
    return type === cosignature_type
      ? `must be the key of a witness (cosignature/v1, type 4); this one has type ${bytes[0] ?? 0}`
      : `must be the key of a log (Ed25519, type 1); this one has type ${bytes[0] ?? 0}`;
  }
  const publicKey = bytes.subarray(1);
  if (publicKey.length !== public_key_bytes) return `holds a key of ${publicKey.length} bytes instead of ${public_key_bytes}`;
  const expected = keyIdOf(name, type, publicKey);
  return expected.toString('hex') === id
    ? { name, publicKey, id: expected }
    : 'has a key id that is not that of its name and key';
}
