/**
 * Cosignatures of witnesses (c2sp.org/tlog-cosignature, cosignature/v1) and the request body for them
 * (c2sp.org/tlog-witness, add-checkpoint), which is also the text of a consistency proof.
 */
import { fromBase64, toBase64 } from '../base/bytes.js';
import { verifySignature } from './keys.js';
import { hash_bytes } from './merkle.js';
import { type Checkpoint, type NamedKey, readCheckpoint } from './note.js';

const key_id_bytes = 4;
const time_bytes = 8;
const signature_bytes = 64;
const line_pattern = /^— (\S+) (\S+)$/u;
/** The specification's bound on proof lines. */
const proof_lines_max = 63;
const time_max = 2n ** 63n - 1n;

/** Returns the text of a note, up to the blank line before its signatures; null when there is none. */
export function noteText(note: string): string | null {
  const split = note.lastIndexOf('\n\n');
  return split < 0 ? null : note.slice(0, split + 1);
}

/** Returns the signature lines of a note without their newlines. */
const signatureLines = (lines: string): string[] => lines.split('\n').slice(0, -1);

/** Returns the time of a cosignature over `text` in seconds since 1970; null when the line is of another key or does not verify. */
export function openCosignature(line: string, key: NamedKey, text: string): bigint | null {
  const [, name, encoded] = line_pattern.exec(line) ?? [];
  const blob = encoded === undefined ? null : fromBase64(encoded);
  if (name !== key.name || blob?.length !== key_id_bytes + time_bytes + signature_bytes) return null;
  const time = blob.readBigUInt64BE(key_id_bytes);
  if (!blob.subarray(0, key_id_bytes).equals(key.id) || time > time_max) return null;
  const signed = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
  return verifySignature(key.publicKey, signed, blob.subarray(key_id_bytes + time_bytes)) ? time : null;
}

/** Returns whether a line names this key, even if its signature does not verify. */
function isOf(line: string, key: NamedKey): boolean {
  const [, name, encoded] = line_pattern.exec(line) ?? [];
  const id = fromBase64(encoded ?? '')?.subarray(0, key_id_bytes);
  return name === key.name && id?.equals(key.id) === true;
}

/**
 * Returns the cosignature of `key` in a witness's response. Lines of other keys are ignored. Returns null for a response that contains anything
 * but signature lines, no line of this key, or a line of this key that does not verify.
 */
export function findCosignature(answer: string, key: NamedKey, text: string): string | null {
  if (!answer.endsWith('\n')) return null;
  const lines = signatureLines(answer);
  if (lines.some((line) => !line_pattern.test(line))) return null;
  const own = lines.filter((line) => isOf(line, key));
  return own.every((line) => openCosignature(line, key, text) !== null) ? (own[0] ?? null) : null;
}

/** Returns the signed checkpoint with more signature lines below its own. */
export const withCosignatures = (note: string, lines: readonly string[]): string =>
  note + lines.map((line) => `${line}\n`).join('');

export const formatAddCheckpoint = (oldSize: number, path: readonly Uint8Array[], note: string): string =>
  [`old ${oldSize}`, ...path.map(toBase64), '', note].join('\n');

export interface ConsistencyProof {
  readonly oldSize: number;
  readonly path: readonly Buffer[];
  readonly checkpoint: Checkpoint;
}

/** Reads what `formatAddCheckpoint` writes; signatures and hashes are not checked here. Null when malformed. */
export function readAddCheckpoint(text: string): ConsistencyProof | null {
  const split = text.indexOf('\n\n');
  const [first = '', ...lines] = text.slice(0, Math.max(split, 0)).split('\n');
  const oldSize = Number(/^old (0|[1-9][0-9]{0,15})$/.exec(first)?.[1] ?? Number.NaN);
  const checkpoint = split < 0 ? null : readCheckpoint(text.slice(split + 2));
  if (!Number.isSafeInteger(oldSize) || checkpoint === null || lines.length > proof_lines_max) return null;
  const path = lines.map(fromBase64);
  return path.every((hash) => hash?.length === hash_bytes) ? { oldSize, path: path as Buffer[], checkpoint } : null;
}
