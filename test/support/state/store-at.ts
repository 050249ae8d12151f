import type { Home } from '../../../src/app/home/home.js';
import { newestCheckpoint } from '../../../src/journal/reader.js';
import { rootAt } from '../../../src/journal/tree.js';
import { type Built, buildSnapshot, signedBuild } from '../../../src/state/build.js';
import { storeSnapshot } from '../../../src/state/stored.js';
import { schema } from '../../../src/tables/projections.js';

/** Returns the snapshot of a size, which an earlier checkpoint would sign. */
export function builtAt({ db, signer }: Pick<Home, 'db' | 'signer'>, size: number): Built {
  const newest = newestCheckpoint(db, signer.publicKey);
  return buildSnapshot({ db, schema, of: { origin: newest.origin, size, root: rootAt(db, newest.size, size) } });
}

/** Stores the snapshot of a size, as if the entries after it had come since. */
export function storeAt({ db, signer }: Home, size: number): void {
  const built = builtAt({ db, signer }, size);
  db.transaction(() => storeSnapshot(db, signedBuild(signer, schema, built), true))();
}
