/** Older copies of a home: made by copying its directory, or by cutting its journal. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { allEntries } from '../../src/app/home/upgrade.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { signCheckpoint } from '../../src/journal/note.js';
import { loadPosition } from '../../src/journal/position.js';
import { readHead } from '../../src/journal/reader.js';
import { rootAt } from '../../src/journal/tree.js';
import { rebuildProjections } from '../../src/projection/projections.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { alter } from './tamper.js';

/** Copies the directory of a closed home. */
export const keepCopy = ({ root, directory }: TemporaryHome, name: string): void =>
  cpSync(directory, join(root, name), { recursive: true });

/** Replaces the directory of a closed home by a copy; the witness directory stays as it is. */
export function putBack({ root, directory }: TemporaryHome, name: string): void {
  rmSync(directory, { recursive: true });
  cpSync(join(root, name), directory, { recursive: true });
}

/**
 * Makes the journal what it was at `size`: nothing inside can tell. The checkpoint of then is signed again, which gives the same
 * bytes, because Ed25519 is deterministic.
 */
export function cutTo(home: TemporaryHome, size: number): void {
  const signer = signerFromSeed(readFileSync(join(home.directory, 'identity.key')));
  alter(home, (db) => {
    const root = rootAt(db, readHead(db).size, size);
    db.exec(`DELETE FROM events WHERE seq > ${size}; DELETE FROM checkpoint`);
    const tiles = Math.floor(size / 256);
    db.exec(`DELETE FROM tile WHERE level = 0 AND n >= ${tiles}`);
    db.exec(tiles === 0 ? 'DELETE FROM tile' : `UPDATE tile SET hashes = substr(hashes, 1, ${tiles * 32}) WHERE level = 1`);
    const { origin } = loadPosition(db, signer.publicKey).position;
    db.prepare('INSERT INTO checkpoint VALUES (?, ?)').run(size, signCheckpoint(signer, origin, size, root));
    rebuildProjections(db, allEntries(db));
  });
}

/** Returns what the witness files hold. */
export const witnessed = ({ witness }: TemporaryHome): readonly string[] =>
  readdirSync(witness)
    .toSorted()
    .map((name) => readFileSync(join(witness, name), 'utf8'));
