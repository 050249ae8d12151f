/** Files of the transfer commands: untrusted inputs, outputs that must not exist, labels of specs, and signed notes (c2sp.org/signed-note). */
import { canonicalJson } from '../../base/canonical-json.js';
import { transfer_document_bytes_max } from '../../base/limits.js';
import { RefusalError, unwrap } from '../../base/refusal.js';
import { decodeRun, type TransferRun } from '../../codec/transfer-run.js';
import { builtInScenarios, type TransferSpec } from '../../codec/transfer.js';
import type { Outcome } from '../../engines/transfer/outcome.js';
import { replay } from '../../engines/transfer/run.js';
import { builtInSpec } from '../../engines/transfer/scenarios.js';
import { ofFile, readInput, readInputText } from '../../home/files.js';
import { identityOf, type Signer, readPublicKey } from '../../journal/keys.js';
import { openNote, signNote, type VerifierKey, verifierKeyText } from '../../journal/note.js';

const transfer_note_bytes_max = 65_536;

/** Whether the file is a ZIP: local file headers and the end record begin with these bytes (APPNOTE 4.3.7, 4.3.16). */
export const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === 'PK';

/** Reads and recomputes a run. @throws RefusalError */
export function readRun(file: string): { readonly run: TransferRun; readonly outcome: Outcome } {
  const bytes = readInput(file, transfer_document_bytes_max);
  if (isArchive(bytes)) {
    throw new RefusalError('invalid', `${file} is an archive; give the JSON file of a run`);
  }
  const run = ofFile(file, () => unwrap(decodeRun(bytes)));
  return { run, outcome: unwrap(replay(run)) };
}

/** Checks that content can be read back. @throws RefusalError when it cannot */
export function expectReadable(content: Uint8Array, what: string): void {
  if (content.length <= transfer_document_bytes_max) return;
  throw new RefusalError('too_large', `${what} would have more than ${transfer_document_bytes_max} bytes`);
}

/** Warns when a spec has a built-in scenario's name but differs from the built-in spec, and names the differences. */
export function labelWarnings(spec: TransferSpec): string[] {
  const known = builtInScenarios.find((name) => name === spec.scenario);
  if (known === undefined) return [];
  const builtIn = builtInSpec(known, spec.seed);
  const names = Object.keys(builtIn) as (keyof TransferSpec)[];
  const others = names.filter((name) => canonicalJson(spec[name]) !== canonicalJson(builtIn[name]));
  if (others.length === 0) return [];
  return [
    `the spec is labelled ${known}, seed ${spec.seed}, but differs from the built-in one of that label in ${others.join(', ')}`,
  ];
}

/**
 * Signed notes of runs (c2sp.org/signed-note). The text is `agent-cli transfer run`, a newline, the run's digest, and a newline:
 * 88 bytes. It can be mistaken neither for a checkpoint nor for the 32-byte digests that the same key signs.
 */
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

interface SignedNote {
  readonly note: string;
  /** The verifier key in the format of Go's note package. */
  readonly vkey: string;
}

export function signRun(signer: Signer, run_sha256: string): SignedNote {
  const key = keyOf(signer.publicKey);
  return { note: signNote(signer, key.name, textOf(run_sha256)), vkey: verifierKeyText(key) };
}

interface NoteClaim {
  readonly note: string;
  readonly publicKey: Buffer;
}

/** Reads a note and its key. @throws RefusalError for a file that is not a note, or text that is not a key */
export function readNote(file: string, key: string): NoteClaim {
  const publicKey = readPublicKey(key);
  return { note: readInputText(file, transfer_note_bytes_max), publicKey };
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
