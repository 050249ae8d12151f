/** The file with the note of the last full verification. It is outside the home, so that a home that is put back does not bring its note along. */
import * as path from 'node:path';
import { utf8 } from '../base/bytes.js';
import { errorCode } from '../base/fault.js';
import { makeDirectories, replaceFile } from './files.js';
import { readWitness } from './witness-file.js';

/** Returns the note; null when there is none, and an empty text, which is not a note, when it cannot be read. */
export function readVerified(file: string): string | null {
  const read = readWitness(file);
  if (read.status === 'absent') return null;
  return read.status === 'read' ? read.note : '';
}

/** Replaces the note; returns why that failed, or null. Commands continue without it and verify the journal again. */
export function writeVerified(file: string, note: string): string | null {
  try {
    makeDirectories(path.dirname(file), 0o700);
    replaceFile(file, utf8(note));
    return null;
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return errorCode(error);
  }
}
