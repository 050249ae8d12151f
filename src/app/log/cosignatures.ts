/** Stored cosignatures of the registered witnesses on this journal's checkpoints. They are verified at every use. */
import { formatTime } from '../../base/time.js';
import { RefusalError } from '../../base/result.js';
import type { Witness } from '../../domain/witness.js';
import { noteText, openCosignature } from '../../journal/cosignature.js';
import { readCheckpoint, type Checkpoint } from '../../journal/note.js';
import { noteAt } from '../../journal/reader.js';
import { cosignature_type, readVerifierKey, type NamedKey } from '../../journal/vkey.js';
import { readWitnesses } from '../../tables/witnesses.js';
import { retryWhileBusy, storageError, type Db } from '../../store/database.js';

export interface Cosignature {
  readonly witness: string;
  /** The signature line of the note, without its newline. */
  readonly line: string;
}

interface Row extends Cosignature {
  readonly size: number;
  readonly note: string | null;
}

/** Returns the key of a registered witness. */
export function keyOf({ name, vkey }: Witness): NamedKey {
  const key = readVerifierKey(vkey, cosignature_type);
  if (typeof key !== 'string') return key;
  throw new RefusalError({ code: 'integrity', detail: `the verifier key of witness ${name} ${key}` });
}

/** Returns the stored cosignatures of a checkpoint that verify, in the order in which their witnesses were registered. */
export function cosignaturesOf(db: Db, { size, note }: Checkpoint): Cosignature[] {
  const rows = db.prepare<[number], Cosignature>('SELECT witness, line FROM cosignature WHERE size = ?').all(size);
  if (rows.length === 0) return [];
  const text = noteText(note) ?? '';
  return readWitnesses(db).flatMap((witness) => {
    const line = rows.find((row) => row.witness === witness.name)?.line;
    return line !== undefined && openCosignature(line, keyOf(witness), text) !== null ? [{ witness: witness.name, line }] : [];
  });
}

/** Stores a cosignature, and its checkpoint if a newer one has replaced it meanwhile. */
export function keepCosignature(db: Db, { size, note }: Checkpoint, { witness, line }: Cosignature, now: number): void {
  const insert = db.prepare('INSERT INTO cosignature(size, witness, line, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const insertNote = db.prepare('INSERT INTO checkpoint(size, note) VALUES (?, ?)');
  const keep = db.transaction(() => {
    insert.run(size, witness, line, formatTime(now));
    if (noteAt(db, size) === undefined) insertNote.run(size, note);
  });
  try {
    retryWhileBusy(() => keep.immediate());
  } catch (error) {
    throw storageError(error, 'a cosignature');
  }
}

/** Returns the newest size under this origin that the witness has cosigned, as far as this journal knows; 0 for none. */
export function cosignedSize(db: Db, witness: string, origin: string): number {
  const size =
    db.prepare<[string], number | null>('SELECT max(size) FROM cosignature WHERE witness = ?').pluck().get(witness) ?? 0;
  // After an accepted rollback the log has another origin, under which the witness has seen nothing.
  return readCheckpoint(noteAt(db, size) ?? '')?.origin === origin ? size : 0;
}

/**
 * Returns the first stored cosignature that is not a registered witness's valid cosignature of this journal's checkpoint of its
 * size, or null.
 */
export function cosignatureFault(db: Db): { readonly size: number; readonly detail: string } | null {
  const keys = new Map(readWitnesses(db).map((witness) => [witness.name, keyOf(witness)]));
  const rows = db.prepare<[], Row>(
    `SELECT cosignature.size, witness, line, note FROM cosignature LEFT JOIN checkpoint USING (size) ORDER BY cosignature.size, witness`,
  );
  for (const { size, witness, line, note } of rows.iterate()) {
    const key = keys.get(witness);
    const text = typeof note === 'string' ? noteText(note) : null;
    const verifies = key !== undefined && text !== null && typeof line === 'string' && openCosignature(line, key, text) !== null;
    if (!verifies) return { size, detail: `the cosignature of ${witness} on the checkpoint of size ${size} does not verify` };
  }
  return null;
}
