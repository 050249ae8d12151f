/**
 * The note with which a home's key signs a snapshot of the state: a C2SP signed note (c2sp.org/signed-note) under the name and key id of the
 * log's checkpoints. Its first line names this use, so that it is never taken for a checkpoint, nor a checkpoint for it.
 */
import { fromBase64, toBase64 } from '../base/bytes.js';
import type { Signer } from '../journal/keys.js';
import { hash_bytes } from '../journal/merkle.js';
import { openNote, signNote } from '../journal/note.js';

const use = 'agent-state/1';

export interface Snapshot {
  readonly origin: string;
  /** Number of entries of which it is the state. */
  readonly size: number;
  /** Root of the log's tree at this size. */
  readonly root: Buffer;
  readonly positions: Buffer;
  readonly names: Buffer;
  /** `Schema.digest`. */
  readonly codecs: Buffer;
}

export const signSnapshot = (signer: Signer, { origin, size, root, positions, names, codecs }: Snapshot): string =>
  signNote(signer, origin, `${[use, origin, String(size), ...[root, positions, names, codecs].map(toBase64)].join('\n')}\n`);

/** Returns what a note of this key and origin says, or null. */
export function openSnapshot(note: string, publicKey: Buffer, origin: string): Snapshot | null {
  const lines = openNote(note, { name: origin, publicKey })?.split('\n') ?? [];
  const [first, named, size = '', ...hashes] = lines;
  if (lines.length !== 8 || hashes.pop() !== '' || first !== use || named !== origin) return null;
  const [root, positions, names, codecs] = hashes.map((text) => fromBase64(text));
  if (!/^[1-9][0-9]{0,15}$/.test(size) || !Number.isSafeInteger(Number(size))) return null;
  if (!isHash(root) || !isHash(positions) || !isHash(names) || !isHash(codecs)) return null;
  return { origin, size: Number(size), root, positions, names, codecs };
}

const isHash = (bytes: Buffer | null | undefined): bytes is Buffer => bytes?.length === hash_bytes;
