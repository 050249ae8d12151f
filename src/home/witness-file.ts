/** The witness file: the newest checkpoint verbatim, kept outside the home so that a journal that was cut short or replaced by an older copy is detected. */
import * as fs from 'node:fs';
import { checkpoint_file_bytes_max } from '../base/limits.js';
import { fromUtf8 } from '../base/text.js';
import { errorCode, RefusalError } from '../base/refusal.js';
import { readRegularFile } from './regular-file.js';
import * as path from 'node:path';
import { fsyncDirectory, makeDirectories, removeFile, removeTemporary, writeTemporary } from './files.js';

export type WitnessRead =
  | { readonly status: 'absent' }
  | { readonly status: 'unreadable'; readonly reason: string }
  | { readonly status: 'read'; readonly note: string };

export function readWitness(file: string): WitnessRead {
  try {
    const bytes = readRegularFile(file);
    const note = bytes.length > checkpoint_file_bytes_max ? null : fromUtf8(bytes);
    return note === null ? { status: 'unreadable', reason: 'not a checkpoint' } : { status: 'read', note };
  } catch (error) {
    return errorCode(error) === 'ENOENT'
      ? { status: 'absent' }
      : { status: 'unreadable', reason: error instanceof RefusalError ? 'not a regular file' : errorCode(error) };
  }
}

/**
 * Writes the checkpoint through a rename; returns the reason when the directory cannot be written (commands continue). The present file
 * is read just before the rename and kept when `isNewer`: another process may have written it since the note was read.
 */
export function writeWitness(file: string, note: string, isNewer: (standing: string) => boolean = () => false): string | null {
  let temporary: string | null = null;
  try {
    makeDirectories(path.dirname(file), 0o700);
    temporary = writeTemporary(file, Buffer.from(note), 0o600);
    const standing = readWitness(file);
    if (standing.status === 'read' && isNewer(standing.note)) fs.unlinkSync(temporary);
    else fs.renameSync(temporary, file);
    fsyncDirectory(path.dirname(file));
    return null;
  } catch (error) {
    if (temporary !== null) removeTemporary(temporary);
    return errorCode(error) || 'unwritable';
  }
}

/** Returns the temporary files in a directory of witness files, of all origins; none in one that cannot be read. */
export function witnessTemporaries(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory).filter((name) => temporary_name.test(name));
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return [];
  }
}

const temporary_name = /\.tmp-[0-9a-f]{12}$/;

/**
 * Removes what killed processes left of a witness file, and of the note of the last verification beside it. A directory that cannot be
 * written stops nothing: writing the witness file reports it.
 * @param found what `witnessTemporaries` returned while no process had a home of this origin open
 */
export function removeWitnessTemporaries(file: string, found: readonly string[]): void {
  try {
    const [directory, base] = [path.dirname(file), path.basename(file)];
    for (const name of found)
      if ([`${base}.tmp-`, `${base}.verified.tmp-`].some((start) => name.startsWith(start)))
        removeFile(path.join(directory, name));
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}
