/** `checkpoint`: the newest signed checkpoint, to keep elsewhere. */
import { ok, RefusalError, type Result } from '../base/result.js';
import { createFile, fileError } from '../home/files.js';
import { readCheckpoint, verifierKeyText } from '../journal/note.js';
import { latestNote } from '../journal/reader.js';
import type { Home } from './home.js';

export interface CheckpointReport {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly note: string;
  /** Verifier key as Go's note package and witnesses read it. */
  readonly vkey: string;
  readonly output: string | null;
}

export function checkpoint(home: Home, output: string | undefined): Result<CheckpointReport> {
  const latest = latestNote(home.db);
  const read = latest === undefined ? null : readCheckpoint(latest.note);
  if (read === null) throw new RefusalError({ code: 'integrity', detail: 'the journal has no checkpoint' });
  if (output !== undefined) {
    try {
      createFile(output, Buffer.from(read.note), 0o644);
    } catch (error) {
      throw fileError(error, output);
    }
  }
  const { origin, size, root, note } = read;
  const vkey = verifierKeyText({ name: origin, publicKey: home.signer.publicKey });
  return ok({ origin, size, root: root.toString('hex'), note, vkey, output: output ?? null });
}
