/**
 * Signed notes of runs (c2sp.org/signed-note): the text is `agent-cli transfer run`, a newline, the run's digest, a newline, so
 * 88 bytes, and can be taken neither for a checkpoint nor for the 32-byte digests that the same key signs.
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

/** `agent-transfer/<first 16 hex of the key>`: a name apart from the journal's, so that the key ids differ as well. */
const keyOf = (publicKey: Buffer): VerifierKey => ({
  name: `agent-transfer/${publicKey.toString('hex').slice(0, 16)}`,
  publicKey,
});

export interface SignedNote {
  readonly note: string;
  /** Verifier key as Go's note package reads it. */
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

/** @throws RefusalError for what is no note file or no key */
export function readNote(file: string, key: string): NoteClaim {
  const publicKey = fromHex(key);
  if (publicKey?.length !== 32) throw new RefusalError(invalid('public-key', 'must be 64 lower-case hexadecimal digits'));
  const note = fromUtf8(readInput(file, transfer_note_bytes_max));
  if (note === null) throw new RefusalError({ code: 'malformed', detail: `${file} is not UTF-8` });
  return { note, publicKey };
}

/** Who signed the run, or why the note does not say so. */
export function checkNote(
  { note, publicKey }: NoteClaim,
  run_sha256: string,
): { readonly identity: string } | { readonly why: string } {
  const text = openNote(note, keyOf(publicKey));
  if (text === null) return { why: 'the note is not signed by this key' };
  if (text === textOf(run_sha256)) return { identity: identityOf(publicKey) };
  return { why: text.startsWith(`${use}\n`) ? 'the note is of another run' : 'the note is of something else' };
}
