/**
 * Signed notes of runs (c2sp.org/signed-note). The text is `agent-cli transfer run`, a newline, the run's digest, and a newline:
 * 88 bytes. It can be mistaken neither for a checkpoint nor for the 32-byte digests that the same key signs.
 */
import { fromHex, fromUtf8 } from '../../base/bytes.js';
import { transfer_note_bytes_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { readInput } from '../../home/files.js';
import { identityOf, type Signer } from '../../journal/keys.js';
import { openNote, signNote, verifierKeyText, type VerifierKey } from '../../journal/note.js';

const use = 'agent-cli transfer run';
const textOf = (run_sha256: string): string => `${use}\n${run_sha256}\n`;

/**
 * Returns the verifier key with the name `agent-transfer/<first 16 hex of the key>`, which differs from the journal's name so
 * that the key ids differ too.
 */
const keyOf = (publicKey: Buffer): VerifierKey => ({
  name: `agent-transfer/${publicKey.toString('hex').slice(0, 16)}`,
  publicKey,
});

export interface SignedNote {
  readonly note: string;
  /** The verifier key in the format of Go's note package. */
  readonly vkey: string;
}

export function signRun(signer: Signer, run_sha256: string): SignedNote {
  const key = keyOf(signer.publicKey);
  return { note: signNote(signer, key.name, textOf(run_sha256)), vkey: verifierKeyText(key) };
}

export interface NoteClaim {
  readonly note: string;
  readonly publicKey: Buffer;
}

/** Reads a note and its key. @throws RefusalError for a file that is not a note, or text that is not a key */
export function readNote(file: string, key: string): NoteClaim {
  const publicKey = fromHex(key);
  if (publicKey?.length !== 32) throw new RefusalError(invalid('public-key', 'must be 64 lower-case hexadecimal digits'));
  const note = fromUtf8(readInput(file, transfer_note_bytes_max));
  if (note === null) throw new RefusalError({ code: 'malformed', detail: `${file} is not UTF-8` });
  return { note, publicKey };
}

/** Returns who signed the run, or why the note does not prove that. */
export function checkNote(
  { note, publicKey }: NoteClaim,
  run_sha256: string,
): { readonly identity: string } | { readonly why: string } {
  const text = openNote(note, keyOf(publicKey));
  if (text === null) return { why: 'the note is not signed by this key' };
  if (text === textOf(run_sha256)) return { identity: identityOf(publicKey) };
  return { why: text.startsWith(`${use}\n`) ? 'the note belongs to another run' : 'the note is for something else' };
}
