/**
 * `publish DIR`: writes the journal as a tiled log (c2sp.org/tlog-tiles) that any static host can serve. It contains hashes and
 * checkpoints only; the contents of entries stay here. The steps are: write the tiles, sync their directories to disk, request
 * cosignatures, and replace the checkpoint. So everything that a checkpoint covers is there for its readers, also after a kill or
 * a power loss at any moment. The next publish continues from the existing files.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { invalid, RefusalError } from '../../base/refusal.js';
import { fromUtf8, quoted } from '../../base/text.js';
import { witnessDirectory } from '../../home/paths.js';
import { PublicDirectory } from '../../home/public-files.js';
import { contradiction } from '../../journal/against.js';
import { hash_bytes, sameBytes } from '../../journal/merkle.js';
import { type Checkpoint, openCheckpoint, readCheckpoint } from '../../journal/note.js';
import { readHead } from '../../journal/reader.js';
import { tileSource, type TileSource } from '../../journal/tile-source.js';
import { countTiles, leavesOfBundle, type Tile, tilePath, tilesOf } from '../../journal/tiles.js';
import { rootAt, tile_width } from '../../journal/tree.js';
import { retryWhileBusy, storageError } from '../../store/database.js';
import { throwIf } from '../home/checks.js';
import type { Home } from '../home/home.js';
import { afterCommit } from '../home/recording.js';
import { requireTool } from '../tools/tools.js';
import { cosigned, gatherCosignatures, interruptible, newestCheckpoint } from './checkpoint.js';

interface PublishOptions {
  readonly directory: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface PublishReport extends Counts {
  readonly directory: string;
  readonly origin: string;
  /** Number of entries that the published checkpoint covers. */
  readonly size: number;
  readonly root: string;
  /** Names of the witnesses whose cosignatures the published checkpoint carries. */
  readonly cosignatures: readonly string[];
  /** The message of each witness that failed. */
  readonly warnings: readonly string[];
}

export async function publish(home: Home, options: PublishOptions): Promise<PublishReport> {
  const deprecations = requireTool(home.db, 'publish');
  // The journal's write lock separates two publishers, and it takes the cosignatures.
  throwIf(home.unwritable);
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
  const done = { recorded: `the checkpoint of size ${size} is published`, remains: `agent-cli publish ${quoted(directory)}` };
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
  throw new RefusalError('integrity', 'the newest checkpoint does not sign the tree of this journal', {
    hint: 'agent-cli verify',
  });
}

interface PublishedCheckpoint extends Checkpoint {
  readonly cosignatures: readonly string[];
  readonly replaced: boolean;
}

/**
 * Puts the checkpoint in place, with every stored cosignature of its size. The journal's write lock, under which nothing is
 * written here, separates two publishers of one home: neither replaces the other's newer checkpoint with an older one.
 */
function placeCheckpoint(home: Home, out: PublicDirectory, newest: Checkpoint, directory: string): PublishedCheckpoint {
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
    const { note: whole, cosignatures } = cosigned(db, placed);
    const note = isNewer ? placed.note : whole;
    const replaced = standing?.note !== note;
    if (replaced) out.replace(checkpoint_name, Buffer.from(note));
    return { ...placed, cosignatures, replaced };
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

interface WriteOptions {
  readonly out: PublicDirectory;
  readonly source: TileSource;
  /** Size of the tree that is published. */
  readonly size: number;
  readonly directory: string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Number of files written, and of files that were there with the right content. */
interface Counts {
  readonly written: number;
  readonly kept: number;
}

/**
 * Writes one tile after the other, so that memory does not grow with the log. Existing entries are checked by their leaf hashes.
 */
function writeTiles({ out, source, size, directory, onProgress }: WriteOptions): Counts {
  const total = countTiles(size);
  const counts = { written: 0, kept: 0 };
  let done = 0;
  for (const tile of tilesOf(size)) {
    const tally = (isNew: boolean): void => void counts[isNew ? 'written' : 'kept']++;
    if (tile.level === 0) tally(writeBundle(tile, out, source, directory));
    tally(writeTile(tile, out, source, directory));
    onProgress?.(++done, total);
  }
  return counts;
}

/** Writes a tile; returns true when its file was written, false when it was there. */
function writeTile(tile: Tile, out: PublicDirectory, source: TileSource, directory: string): boolean {
  const name = tilePath(tile.level, tile.n, tile.width);
  const hashes = source.tile(tile);
  if (isThere(out, name, (standing) => standing.equals(hashes), directory)) return false;
  source.confirm(tile, hashes);
  // Another publisher of this home may have created the file meanwhile.
  return out.create(name, hashes) || !isThere(out, name, (standing) => standing.equals(hashes), directory);
}

function writeBundle(tile: Tile, out: PublicDirectory, source: TileSource, directory: string): boolean {
  const name = tilePath('entries', tile.n, tile.width);
  const hashes = source.tile(tile);
  const fits = (standing: Buffer): boolean => leavesOfBundle(standing)?.equals(hashes) === true;
  if (isThere(out, name, fits, directory)) return false;
  const made = source.bundle(tile);
  // The tile is recomputed from the entries: a stored tile that differs is not published.
  if (!made.hashes.equals(hashes)) {
    const detail = `tile ${tile.level}/${tile.n} of the journal does not match its entries`;
    throw new RefusalError('integrity', detail, { hint: 'agent-cli verify' });
  }
  return out.create(name, made.bundle) || !isThere(out, name, fits, directory);
}

/** Whether the file exists. @throws RefusalError `integrity` when it exists with other content */
function isThere(out: PublicDirectory, name: string, fits: (standing: Buffer) => boolean, directory: string): boolean {
  const standing = out.read(name);
  if (standing === null) return false;
  if (fits(standing)) return true;
  throw new RefusalError(
    'integrity',
    `${path.join(directory, name)} does not have the content that this journal gives it; it was not changed`,
    { hint: 'find out who changed it; a copy of the directory without that file can be published into' },
  );
}

/**
 * Removes the partial tiles. Files under such a name that this program did not write are left unchanged.
 * @param size the size of the checkpoint that was published before
 */
function removePartials(out: PublicDirectory, source: TileSource, size: number): void {
  const seen = new Map<string, Set<string>>();
  const has = (name: string): boolean => {
    const directory = path.dirname(name);
    const names = seen.get(directory) ?? new Set(out.names(directory));
    seen.set(directory, names);
    return names.has(path.basename(name));
  };
  for (const tile of tilesOf(size)) {
    if (tile.width < tile_width) continue;
    const kinds = tile.level === 0 ? ([tile.level, 'entries'] as const) : [tile.level];
    for (const kind of kinds) {
      const folder = `${tilePath(kind, tile.n, tile_width)}.p`;
      if (has(folder)) removeIn(folder, kind, tile, out, source);
    }
  }
}

function removeIn(folder: string, kind: number | 'entries', tile: Tile, out: PublicDirectory, source: TileSource): void {
  const whole = source.tile(tile);
  for (const name of out.names(folder)) {
    if (!/^[1-9][0-9]{0,2}$/.test(name) || Number(name) >= tile_width) continue;
    const bytes = out.read(`${folder}/${name}`);
    const hashes = bytes === null ? null : kind === 'entries' ? leavesOfBundle(bytes) : bytes;
    if (hashes?.equals(whole.subarray(0, Number(name) * hash_bytes)) === true) out.remove(`${folder}/${name}`);
  }
}

const checkpoint_name = 'checkpoint';

/**
 * Returns the existing checkpoint, or null in a directory that has none.
 * @throws RefusalError for a checkpoint that is not this log's, or that its journal contradicts
 */
function readStanding(home: Home, out: PublicDirectory, directory: string): Checkpoint | null {
  const bytes = out.read(checkpoint_name);
  if (bytes === null) return null;
  const file = path.join(directory, checkpoint_name);
  const note = fromUtf8(bytes) ?? '';
  const { publicKey } = home.signer;
  const [claimed, signed] = [readCheckpoint(note), openCheckpoint(note, publicKey)];
  const { origin } = newestCheckpoint(home);
  if (claimed === null) throw another(`${file} is not a checkpoint`);
  if (claimed.origin !== origin) {
    // A home that was restored or put back continues under its own origin, because the two histories may differ.
    throw signed === null
      ? another(`${file} belongs to another log, ${printableOrigin(claimed.origin)}`)
      : another(`${file} belongs to ${claimed.origin}; since its restore or rollback this journal is ${origin}`);
  }
  if (signed === null) throw another(`${file} is not signed by this home's key`);
  const refusal = contradiction(home.db, readHead(home.db), publicKey, signed);
  if (refusal === null) return signed;
  const { code, detail, facts } = refusal;
  const hint = 'readers have seen that checkpoint: put the newest copy of the home back, then agent-cli verify --deep';
  throw new RefusalError(code, `${file}: ${detail}`, { ...(facts === undefined ? {} : { facts }), hint });
}

const printableOrigin = (origin: string): string => (/^[\x21-\x7e]{1,200}$/.test(origin) ? origin : 'whose name is not printed');

const another = (detail: string): RefusalError =>
  new RefusalError('conflict', `${detail}; it was not changed. Publish into another directory`, {
    hint: 'agent-cli publish ANOTHER-DIRECTORY',
  });
