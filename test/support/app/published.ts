/** A reader of a published log, written from c2sp.org/tlog-tiles: it follows the checkpoint to every tile and entry that it covers. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { publish, type PublishReport } from '../../../src/app/log/publish.js';
import { openCheckpoint, type Checkpoint } from '../../../src/journal/note.js';
import { submit, type TemporaryHome } from './temporary-home.js';

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** MTH of RFC 6962 over leaf hashes. */
function root(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return first;
  let k = 1;
  while (2 * k < leaves.length) k *= 2;
  return sha256(Buffer.of(1), root(leaves.slice(0, k)), root(leaves.slice(k)));
}

/** The path of index N: 1234067 is x001/x234/067. */
function indexPath(n: number): string {
  const last = String(n % 1_000).padStart(3, '0');
  let path = last;
  for (let rest = Math.floor(n / 1_000); rest > 0; rest = Math.floor(rest / 1_000)) {
    path = `x${String(rest % 1_000).padStart(3, '0')}/${path}`;
  }
  return path;
}

/** A tile's bytes; of a partial one that is gone, the beginning of the full one. */
function readTile(directory: string, kind: string, n: number, width: number, bytes: number): Buffer {
  const full = join(directory, 'tile', kind, indexPath(n));
  const file = width < 256 ? join(`${full}.p`, String(width)) : full;
  const data = readFileSync(existsSync(file) || width === 256 ? file : full);
  assert.ok(data.length === width * bytes || !existsSync(file), `${file} has ${data.length} bytes`);
  return data.subarray(0, width * bytes);
}

const hashesOf = (tile: Buffer): Buffer[] =>
  Array.from({ length: tile.length / 32 }, (_, i) => tile.subarray(i * 32, (i + 1) * 32));

/** Reads everything that the checkpoint covers and checks it; null where there is no checkpoint. */
export function readPublished(directory: string, publicKey: Buffer): Checkpoint | null {
  if (!existsSync(join(directory, 'checkpoint'))) return null;
  const checkpoint = openCheckpoint(readFileSync(join(directory, 'checkpoint'), 'utf8'), publicKey);
  assert.ok(checkpoint !== null, 'the published checkpoint is signed by the key');
  readAt(directory, checkpoint);
  return checkpoint;
}

/** Checks the log as of a checkpoint, the published one or an older one. */
export function readAt(directory: string, { size, root: signed }: Checkpoint): void {
  const leaves: Buffer[] = [];
  for (let level = 0, hashes = size; hashes > 0; level++, hashes = Math.floor(hashes / 256)) {
    for (let n = 0; n * 256 < hashes; n++) {
      const width = Math.min(256, hashes - n * 256);
      const tile = hashesOf(readTile(directory, String(level), n, width, 32));
      if (level === 0) {
        leaves.push(...tile);
        const bundle = readTile(directory, 'entries', n, width, 34);
        tile.forEach((leaf, i) => {
          assert.equal(bundle.readUInt16BE(i * 34), 32);
          assert.deepEqual(sha256(Buffer.of(0), bundle.subarray(i * 34 + 2, i * 34 + 34)), leaf);
        });
      } else {
        const span = 256 ** level;
        tile.forEach((hash, i) => {
          const first = (n * 256 + i) * span;
          assert.deepEqual(root(leaves.slice(first, first + span)), hash, `tile ${level}/${n}, hash ${i}`);
        });
      }
    }
  }
  assert.deepEqual(root(leaves), signed, 'the root is the signed one');
}

/** Every file below a directory: name to mode and hash. */
export function filesIn(directory: string, below = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) for (const [file, content] of filesIn(directory, name)) found.set(file, content);
    else
      found.set(
        name,
        `${(statSync(join(directory, name)).mode & 0o777).toString(8)} ${sha256(readFileSync(join(directory, name))).toString('hex')}`,
      );
  }
  return found;
}

/** Entries up to this size, in batches. */
export function grow(home: TemporaryHome, size: number, batch = 100): void {
  home.with((opened) => {
    const { writer } = opened;
    while (writer.head.size < size) {
      const first = writer.head.size;
      writer.begin();
      writer.run(Array.from({ length: Math.min(batch, size - first) }, (_, i) => submit(first + i)));
    }
  });
}

export const publishTo = (home: TemporaryHome, directory: string): Promise<PublishReport> =>
  home.with((opened) => publish(opened, { directory }));
