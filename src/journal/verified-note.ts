/**
 * The note with which a home's key records that the whole journal was verified: a C2SP signed note (c2sp.org/signed-note) under the name and key
 * id of the log's checkpoints. Its first line names this use, so that it is never taken for a checkpoint, nor a checkpoint for it.
 */
import { fromBase64, toBase64 } from '../base/bytes.js';
import { formatTime, parseTime, timePattern } from '../base/time.js';
import type { Signer } from './keys.js';
import { hash_bytes, sameBytes } from './merkle.js';
import { openNote, signNote } from './note.js';

/** A larger home is verified in full at least this often. */
export const full_verification_ms_max = 604_800_000;
/** How far the clock may be behind the time of a full verification that was recorded on the same machine. */
export const clock_behind_ms_max = 300_000;

const use = 'agent-cli/full-verification/v1';

export interface Verified {
  readonly origin: string;
  /** Number of entries that were verified. */
  readonly size: number;
  readonly root: Buffer;
  /** When the verification ended, in milliseconds since 1970. */
  readonly time: number;
}

export const signVerified = (signer: Signer, { origin, size, root, time }: Verified): string =>
  signNote(signer, origin, `${use}\n${origin}\n${size}\n${toBase64(root)}\n${formatTime(time)}\n`);

/** Returns what a note of this key and origin says, or null. */
export function openVerified(note: string, publicKey: Buffer, origin: string): Verified | null {
  const lines = openNote(note, { name: origin, publicKey })?.split('\n') ?? [];
  const [first, named, size = '', encoded = '', time = '', end] = lines;
  if (lines.length !== 6 || first !== use || named !== origin || end !== '') return null;
  const root = fromBase64(encoded);
  const verified = { origin, size: Number(size), root: root ?? Buffer.alloc(0), time: parseTime(time) };
  const isValid =
    /^[1-9][0-9]{0,15}$/.test(size) &&
    Number.isSafeInteger(verified.size) &&
    verified.root.length === hash_bytes &&
    timePattern.test(time) &&
    Number.isFinite(verified.time);
  return isValid ? verified : null;
}

/** Why a note counts or does not: only `fresh` does. */
export type VerifiedStatus = 'fresh' | 'missing' | 'unreadable' | 'old' | 'future' | 'another_tree';

export interface Present {
  readonly publicKey: Buffer;
  readonly origin: string;
  /** Number of entries in the journal. */
  readonly size: number;
  /** Returns the root of the journal's first entries, at most `size`. */
  readonly rootAt: (size: number) => Buffer;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns whether the note is of a recent verification of this journal or of its beginning. @param note null when there is none */
export function judgeVerified(note: string | null, { publicKey, origin, size, rootAt, now }: Present): VerifiedStatus {
  if (note === null) return 'missing';
  const verified = openVerified(note, publicKey, origin);
  if (verified === null) return 'unreadable';
  if (verified.time > now + clock_behind_ms_max) return 'future';
  if (verified.time < now - full_verification_ms_max) return 'old';
  return verified.size <= size && sameBytes(rootAt(verified.size), verified.root) ? 'fresh' : 'another_tree';
}
