/** The witness files of a home: compares one with the journal and keeps them at the newest checkpoint. */
import type { Refusal } from '../../base/refusal.js';
import { witnessDirectory, witnessFile } from '../../home/paths.js';
import { readWitness, writeWitness, type WitnessRead } from '../../home/witness-file.js';
import { contradiction } from '../../journal/against.js';
import type { Signer } from '../../journal/keys.js';
import { leftOrigins } from '../../journal/lineage.js';
import { openCheckpoint, readCheckpoint } from '../../journal/note.js';
import type { Position } from '../../journal/position.js';
import { latestNote, readHead, type Head } from '../../journal/reader.js';
import type { JournalWriter } from '../../journal/writer.js';
import type { Db } from '../../store/database.js';
import type { World } from './world.js';

/** Returns how the witness contradicts the journal, or null. */
export function witnessFault(db: Db, head: Head, { publicKey }: Signer, witness: WitnessRead): Refusal | null {
  // An unreadable witness proves nothing; doctor warns about it.
  const checkpoint = witness.status === 'read' ? openCheckpoint(witness.note, publicKey) : null;
  return checkpoint === null ? null : contradiction(db, head, publicKey, checkpoint);
}

/**
 * Returns the witness files that follow a journal: that of its own origin and those of the homes that it replaces. A copy of one of
 * these is refused when it is put back, because its witness file then holds a checkpoint that it does not extend.
 */
export function witnessFiles(db: Db, { publicKey }: Signer, { env }: Pick<World, 'env'>, position: Position): string[] {
  const origins = [position.origin, ...leftOrigins(db, publicKey, position).replaced];
  return origins.map((origin) => witnessFile(witnessDirectory(env), origin));
}

/** Returns whether a file does not hold this checkpoint. */
export function isBehind(file: string, note: string | undefined): boolean {
  const witness = readWitness(file);
  return witness.status !== 'read' || witness.note !== note;
}

const writes_max = 10;

/** Why a witness file is not up to date: an error code of the file system, or how the file contradicts the journal. */
export type WitnessFault = string | Refusal;

/**
 * Writes the newest checkpoint to a witness file; returns why that failed, or null. It never writes an uncommitted checkpoint, nor
 * one older than the file's, nor over one that contradicts the journal. The newest is read again after the rename, which may have replaced
 * another process's newer one.
 * @param isOwn whether the file is that of the journal's own origin; that of a home it replaces is written in any case
 */
export function bringWitnessUp(db: Db, signer: Signer, file: string, isOwn: boolean): WitnessFault | null {
  let written: string | null = null;
  for (let i = 0; i < writes_max; i++) {
    const note: string | null = db.inTransaction ? null : (latestNote(db)?.note ?? null);
    if (note === null || note === written) return null;
    const own = readCheckpoint(note);
    let contradicted: Refusal | null = null;
    const fault = writeWitness(file, note, (standing) => {
      const other = openCheckpoint(standing, signer.publicKey);
      // The head is read after the file, so that the journal is never behind an honest witness.
      if (isOwn) contradicted = witnessFault(db, readHead(db), signer, { status: 'read', note: standing });
      return contradicted !== null || (other !== null && own !== null && other.origin === own.origin && other.size > own.size);
    });
    if ((contradicted ?? fault) !== null) return contradicted ?? fault;
    written = note;
  }
  return null;
}

/** Returns a function that lists the witness files; they change only with the origin. */
export function witnessFilesOf(db: Db, signer: Signer, world: World, writer: JournalWriter): () => readonly string[] {
  let known: { readonly origin: string; readonly files: readonly string[] } | null = null;
  return () => {
    if (known?.origin !== writer.origin) known = { origin: writer.origin, files: witnessFiles(db, signer, world, writer.at) };
    return known.files;
  };
}
