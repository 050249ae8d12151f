/**
 * `publish DIR`: writes the journal as a tiled log (c2sp.org/tlog-tiles) that any static host can serve. It contains hashes and
 * checkpoints only; the contents of entries stay here. The steps are: write the tiles, sync their directories to disk, request
 * cosignatures, and replace the checkpoint. So everything that a checkpoint covers is there for its readers, also after a kill or
 * a power loss at any moment. The next publish continues from the existing files.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { invalid } from '../../../base/refusal.js';
import { RefusalError } from '../../../base/result.js';
import { witnessDirectory } from '../../../home/paths.js';
import { PublicDirectory } from '../../../home/public-files.js';
import { withCosignatures } from '../../../journal/cosignature.js';
import { sameBytes } from '../../../journal/merkle.js';
import { openCheckpoint, type Checkpoint } from '../../../journal/note.js';
import { tileSource } from '../../../journal/tile-source.js';
import { rootAt } from '../../../journal/tree.js';
import { retryWhileBusy, storageError } from '../../../store/database.js';
import { newestCheckpoint } from '../checkpoint.js';
import { cosignaturesOf } from '../cosignatures.js';
import { afterCommit } from '../../home/recording.js';
import type { Home } from '../../home/home.js';
import { interruptible } from '../interruptible.js';
import { requireTool } from '../../tools/require.js';
import { gatherCosignatures } from '../witness-submit.js';
import { removePartials } from './partials.js';
import { checkpoint_name, readStanding } from './standing.js';
import { writeTiles } from './write-tiles.js';

export interface PublishOptions {
  readonly directory: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface PublishReport {
  readonly directory: string;
  readonly origin: string;
  /** Number of entries that the published checkpoint covers. */
  readonly size: number;
  readonly root: string;
  /** Number of files written, and of files that were there with the right content. */
  readonly written: number;
  readonly kept: number;
  /** Names of the witnesses whose cosignatures the published checkpoint carries. */
  readonly cosignatures: readonly string[];
  /** The message of each witness that failed. */
  readonly warnings: readonly string[];
}

export async function publish(home: Home, options: PublishOptions): Promise<PublishReport> {
  const deprecations = requireTool(home.db, 'publish');
  if (options.directory.trim() === '') throw new RefusalError(invalid('directory', 'must not be empty'));
  const directory = path.resolve(options.directory);
  const [wanted, own] = [real(directory), real(home.paths.directory)];
  if (isWithin(wanted, own))
    throw new RefusalError(invalid('directory', 'is inside the private home; publish into a directory outside it'));
  if (isWithin(own, wanted))
    throw new RefusalError(invalid('directory', 'contains the private home, which a web server would then serve too'));
  const kept = real(witnessDirectory(home.world.env));
  if (isWithin(wanted, kept))
    throw new RefusalError(invalid('directory', `is in ${kept}, where the checkpoint that reveals a rollback is kept apart`));
  const out = PublicDirectory.open(directory);
  const standing = readStanding(home, out, directory);
  const newest = soundCheckpoint(home);
  const source = tileSource(home.db);
  const counts = writeTiles({ out, source, size: newest.size, directory, onProgress: options.onProgress });
  out.sync();
  const warnings = await interruptible(stopped, (signal) => gatherCosignatures(home, newest, { signal }));
  const { origin, size, root, cosignatures, replaced } = placeCheckpoint(home, out, newest, directory);
  const done = { recorded: `the checkpoint of size ${size} is published`, remains: `agent-cli publish ${directory}` };
  if (standing !== null)
    afterCommit(done, 'files that it replaces could not be removed', () => removePartials(out, source, standing.size));
  return {
    directory,
    origin,
    size,
    root: root.toString('hex'),
    written: counts.written + (replaced ? 1 : 0),
    kept: counts.kept + (replaced ? 0 : 1),
    cosignatures,
    warnings: [...new Set([...deprecations, ...warnings])],
  };
}

const stopped =
  'stopped while requesting cosignatures: the tiles are written, the checkpoint is unchanged; run publish again to continue';

/** Returns a path with its links resolved as far as it exists. */
function real(file: string): string {
  if (fs.existsSync(file) || path.dirname(file) === file) return fs.realpathSync(file);
  return path.join(real(path.dirname(file)), path.basename(file));
}

/** Whether a path is the directory or is in it. */
function isWithin(file: string, directory: string): boolean {
  const relative = path.relative(directory, file);
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
}

/** Returns the newest committed checkpoint, compared once more with the tree that is about to be published. */
function soundCheckpoint(home: Home): Checkpoint {
  const { note } = newestCheckpoint(home);
  const checkpoint = openCheckpoint(note, home.signer.publicKey);
  if (checkpoint !== null && sameBytes(rootAt(home.db, checkpoint.size, checkpoint.size), checkpoint.root)) return checkpoint;
  throw new RefusalError({
    code: 'integrity',
    detail: 'the newest checkpoint does not sign the tree of this journal',
    hint: 'agent-cli verify',
  });
}

interface Placed extends Checkpoint {
  readonly cosignatures: readonly string[];
  readonly replaced: boolean;
}

/**
 * Puts the checkpoint in place, with every stored cosignature of its size. The journal's write lock, under which nothing is
 * written here, separates two publishers of one home: neither replaces the other's newer checkpoint with an older one.
 */
function placeCheckpoint(home: Home, out: PublicDirectory, newest: Checkpoint, directory: string): Placed {
  const { db } = home;
  try {
    retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'));
  } catch (error) {
    throw storageError(error, 'the journal');
  }
  try {
    const standing = readStanding(home, out, directory);
    const isNewer = standing !== null && standing.size > newest.size;
    const placed = isNewer ? standing : newest;
    const cosignatures = cosignaturesOf(db, placed);
    const note = isNewer
      ? placed.note
      : withCosignatures(
          newest.note,
          cosignatures.map(({ line }) => line),
        );
    const replaced = standing?.note !== note;
    if (replaced) out.replace(checkpoint_name, Buffer.from(note));
    return { ...placed, cosignatures: cosignatures.map(({ witness }) => witness), replaced };
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}
