/**
 * C2SP signed notes and tlog checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint): origin, size and root, signed with
 * Ed25519 under a key name. A known key whose signature fails rejects the note; unknown keys are ignored.
 */
import { fromBase64, sha256, toBase64 } from '../base/bytes.js';
import { verifySignature, type Signer } from './keys.js';
import { hash_bytes } from './merkle.js';

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  /** The whole signed note, verbatim. */
  readonly note: string;
}

export interface VerifierKey {
  readonly name: string;
  readonly publicKey: Buffer;
}

const key_id_bytes = 4;
const signature_bytes = 64;
const decimal = /^(?:0|[1-9][0-9]{0,15})$/;
/** Control characters, which c2sp.org/signed-note refuses in a note. */
const control = /[^\n -\u{10ffff}]/u;

/** First 4 bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key). */
export const keyId = ({ name, publicKey }: VerifierKey): Buffer => keyIdOf(name, note_type, publicKey);

/** `<name>+<8 hex key id>+<base64(0x01 ‖ public key)>`, as Go's note package and witnesses read it. */
export const verifierKeyText = (key: VerifierKey): string =>
  `${key.name}+${keyId(key).toString('hex')}+${toBase64(Buffer.concat([Buffer.of(note_type), key.publicKey]))}`;

/** Signs a note's text, which ends with a newline; the note is the text, a blank line and one signature line. */
export function signNote(signer: Signer, name: string, text: string): string {
  if (signedBy?.name !== name || signedBy.publicKey !== signer.publicKey)
    signedBy = { name, publicKey: signer.publicKey, id: keyId({ name, publicKey: signer.publicKey }) };
  return `${text}\n— ${name} ${toBase64(Buffer.concat([signedBy.id, signer.sign(Buffer.from(text))]))}\n`;
}

/** The key that signed the last note, and its id: every commit signs one, under the same name. */
let signedBy: (VerifierKey & { readonly id: Buffer }) | null = null;

const checkpointText = ({ origin, size, root }: Omit<Checkpoint, 'note'>): string => `${origin}\n${size}\n${toBase64(root)}\n`;

export const signCheckpoint = (signer: Signer, origin: string, size: number, root: Buffer): string =>
  signNote(signer, origin, checkpointText({ origin, size, root }));

/** Returns the text of a note whose signature by `key` verifies, or null. */
export function openNote(note: string, key: VerifierKey): string | null {
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || !note.endsWith('\n') || control.test(note)) return null;
  const text = note.slice(0, split + 1);
  let verified = false;
  for (const line of note.slice(split + 2, -1).split('\n')) {
    const match = /^— (\S+) (\S+)$/u.exec(line);
    const [, name, encoded] = match ?? [];
    if (name === undefined || encoded === undefined || name.includes('+')) return null;
    const blob = fromBase64(encoded);
    if (blob === null || blob.length <= key_id_bytes) return null;
    if (name !== key.name || !blob.subarray(0, key_id_bytes).equals(keyId(key))) continue;
    const signature = blob.subarray(key_id_bytes);
    if (signature.length !== signature_bytes || !verifySignature(key.publicKey, Buffer.from(text), signature)) return null;
    verified = true;
  }
  return verified ? text : null;
}

/** Reads a checkpoint without checking its signature: the origin names the key that must then be tried. Null when malformed. */
export function readCheckpoint(note: string): Checkpoint | null {
  const [origin, size, root, blank] = note.split('\n');
  if (origin === undefined || origin === '' || size === undefined || !decimal.test(size) || root === undefined) return null;
  const bytes = fromBase64(root);
  if (bytes === null || bytes.length !== hash_bytes || blank === undefined || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root: bytes, note };
}

/** Returns a checkpoint that this public key signed under its own origin, or null. */
export function openCheckpoint(note: string, publicKey: Buffer): Checkpoint | null {
  const checkpoint = readCheckpoint(note);
  if (checkpoint === null || !isOriginOf(checkpoint.origin, publicKey)) return null;
  return openNote(note, { name: checkpoint.origin, publicKey })?.includes('\n\n') === false ? checkpoint : null;
}

/**
 * Returns a checkpoint of this public key that is exactly what `signCheckpoint` writes, or null: nothing below the root, one signature
 * line. A stored checkpoint is; one that was published may have cosignatures below its own line.
 */
export function openStoredCheckpoint(note: string, publicKey: Buffer): Checkpoint | null {
  const checkpoint = openCheckpoint(note, publicKey);
  if (checkpoint === null || !note.startsWith(`${checkpointText(checkpoint)}\n— `)) return null;
  return note.indexOf('\n', checkpointText(checkpoint).length + 1) === note.length - 1 ? checkpoint : null;
}

/** Returns `agent-journal/<first 16 hex of the key>`, after a restore or an accepted rollback `…/<8 hex of the incarnation>`. */
export const originOf = (publicKey: Buffer, incarnation: string | null): string =>
  `agent-journal/${publicKey.toString('hex').slice(0, 16)}${incarnation === null ? '' : `/${incarnation.slice(0, 8)}`}`;

/** Whether an origin is one that this key's logs have. */
export const isOriginOf = (origin: string, publicKey: Buffer): boolean => {
  const base = originOf(publicKey, null);
  return origin === base || (origin.startsWith(`${base}/`) && /^[0-9a-f]{8}$/.test(origin.slice(base.length + 1)));
};

// Verifier keys (c2sp.org/signed-note, "verifier keys"): `<name>+<8 hex key id>+<base64(type ‖ key)>`.

/** Signature types for a log's own notes and for a witness's timestamped cosignatures (c2sp.org/tlog-cosignature). */
export const note_type = 1;
export const cosignature_type = 4;

const public_key_bytes = 32;

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
