/** `rebuild`: makes the tables of a home again from its entries. */
import type { Home } from './home.js';
import { rebuildAll } from './upgrade.js';
import { rememberRebuilt } from './verified.js';

/** Rebuilds the tables, and forgets the damage of tables that was found. @throws RefusalError `integrity` for damaged entries */
export function rebuildHome({ db, world, writer }: Home, onProgress: (applied: number) => void): ReturnType<typeof rebuildAll> {
  const rebuilt = rebuildAll(db, onProgress);
  rememberRebuilt({ world, origin: writer.origin });
  return rebuilt;
}
