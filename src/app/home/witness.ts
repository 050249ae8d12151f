/** The witness file of a home's origin: compares it with the journal and keeps it at the newest checkpoint. */
import type { Refusal } from '../../base/refusal.js';
import { writeWitness, type WitnessRead } from '../../home/witness-file.js';
import { contradiction } from '../../journal/against.js';
import type { Signer } from '../../journal/keys.js';
import { openCheckpoint, readCheckpoint } from '../../journal/note.js';
import { latestNote, type Head } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';

/** Returns how the witness contradicts the journal, or null. */
export function witnessFault(db: Db, head: Head, { publicKey }: Signer, witness: WitnessRead): Refusal | null {
  // An unreadable witness proves nothing; doctor warns about it.
  const checkpoint = witness.status === 'read' ? openCheckpoint(witness.note, publicKey) : null;
  return checkpoint === null ? null : contradiction(db, head, publicKey, checkpoint);
}

const writes_max = 10;

/**
 * Writes the newest checkpoint to the origin's witness file; returns why that failed, or null. It never writes an uncommitted
 * checkpoint, nor one older than the file's. The newest is read again after the rename, which may have replaced another process's
 * newer one.
 */
export function bringWitnessUp(db: Db, { publicKey }: Signer, file: string): string | null {
  let written: string | null = null;
  for (let i = 0; i < writes_max; i++) {
    const note: string | null = db.inTransaction ? null : (latestNote(db)?.note ?? null);
    if (note === null || note === written) return null;
    const own = readCheckpoint(note);
    const fault = writeWitness(file, note, (standing) => {
      const other = openCheckpoint(standing, publicKey);
      return other !== null && own !== null && other.origin === own.origin && other.size > own.size;
    });
    if (fault !== null) return fault;
    written = note;
  }
  return null;
}
