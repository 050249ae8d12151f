/**
 * Compares an archive with checkpoints kept elsewhere to find missing entries: signatures alone cannot tell an old backup from
 * the newest one.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fromUtf8 } from '../../base/bytes.js';
import { errorCode } from '../../base/fault.js';
import { checkpoint_file_bytes_max } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import type { Documents } from '../../codec/event.js';
import { readInput } from '../../home/files.js';
import { witnessDirectory } from '../../home/paths.js';
import { readWitness } from '../../home/witness-file.js';
import { contradiction } from '../../journal/against.js';
import { leftOrigins } from '../../journal/lineage.js';
import { openCheckpoint, type Checkpoint } from '../../journal/note.js';
import { loadPosition } from '../../journal/position.js';
import type { Head } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';
import type { World } from '../home/world.js';

export type Behind = Documents['journal.restored']['behind'];

export interface BehindOptions {
  readonly world: World;
  readonly publicKey: Buffer;
  /** A checkpoint that the operator names in addition to the witness files. */
  readonly against?: Checkpoint | undefined;
}

export interface Compared {
  readonly behind: Behind;
  /** Number of checkpoints from elsewhere that were compared. */
  readonly compared: number;
}

/**
 * Returns how many entries are missing, from a checkpoint of the archive's own origin that is ahead. A checkpoint of another
 * origin belongs to another continuation (an earlier restore of the same home): its size says nothing about the entries missing
 * here.
 */
export function behindOf(db: Db, head: Head, options: BehindOptions): Compared {
  const { world, publicKey, against } = options;
  const { position } = loadPosition(db, publicKey);
  const own = position.origin;
  // The log left these knowingly, by an earlier restore or an accepted rollback.
  const left = new Set(leftOrigins(db, publicKey, position).left);
  const known = witnesses(witnessDirectory(world.env), publicKey).filter(({ origin }) => !left.has(origin));
  if (against !== undefined) known.push(against);
  const refuting = known
    .filter((checkpoint) => contradiction(db, head, publicKey, checkpoint) !== null)
    .toSorted((a, b) => b.size - a.size);
  const ahead = refuting.find(({ origin }) => origin === own);
  const other = ahead ?? refuting[0];
  const entries = ahead === undefined ? 0 : Math.max(0, ahead.size - head.size);
  return { behind: other === undefined ? null : { entries, checkpoint: other.note }, compared: known.length };
}

/** Returns the checkpoints of all witness files, each once: the files of several origins may hold the same one. */
function witnesses(directory: string, publicKey: Buffer): Checkpoint[] {
  const notes = new Set(
    fileNames(directory).flatMap((name) => {
      const read = /^[0-9a-f]{64}$/.test(name) ? readWitness(path.join(directory, name)) : null;
      return read?.status === 'read' ? [read.note] : [];
    }),
  );
  return [...notes].flatMap((note) => openCheckpoint(note, publicKey) ?? []);
}

function fileNames(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return [];
  }
}

export function readAgainst(file: string, publicKey: Buffer): Checkpoint {
  const note = fromUtf8(readInput(file, checkpoint_file_bytes_max));
  const checkpoint = note === null ? null : openCheckpoint(note, publicKey);
  if (checkpoint !== null) return checkpoint;
  throw new RefusalError({ code: 'verification_failed', detail: `${file} is not a checkpoint that the archive's key signed` });
}
