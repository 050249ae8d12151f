import type { Home } from '../../../src/app/home/home.js';
import { buildSnapshot, signedBuild } from '../../../src/state/build.js';
import { storeSnapshot } from '../../../src/state/stored.js';
import { families } from '../../../src/tables/projections.js';

/** Stores the snapshot of a size, as if the entries after it had come since. */
export function storeAt({ db, signer }: Home, size: number): void {
  const built = buildSnapshot({ db, publicKey: signer.publicKey, families, size });
  db.transaction(() => storeSnapshot(db, signedBuild(signer, families, built), true))();
}
