/** Recognises a home of the reference agent, which a few commands read (app/reference) and all others refuse. */
import * as fs from 'node:fs';
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { HomePaths } from '../../home/paths.js';
import { openDatabase, storageError } from '../../store/database.js';
import { withCopy } from './copy.js';

/**
 * Returns the result of `use` for a copy of the reference agent's journal; null when the home is this program's, or there is
 * none.
 */
export function withReferenceJournal<A>(paths: HomePaths, use: (copy: string) => A): A | null {
  if (!mayBeReference(paths)) return null;
  return withCopy(paths.journal, (copy) => (isReferenceJournal(copy) ? use(copy) : null));
}

/** @throws RefusalError `wrong_state` for a home of the reference agent */
export function refuseReferenceHome(paths: HomePaths): void {
  withReferenceJournal(paths, () => {
    throw new RefusalError(referenceIsReadOnly(paths));
  });
}

export const referenceIsReadOnly = ({ directory }: HomePaths): Refusal => ({
  code: 'wrong_state',
  detail: `${directory} is a home of the reference agent, which agent-cli only reads (list, show, verify, export). To continue with it, run backup with the reference agent there, then agent-cli restore here into a new directory`,
  hint: 'agent-cli restore --help',
});

/** Whether the files could be those of the reference agent. A home of this program has a lock and a ballast from the start. */
const mayBeReference = ({ identityKey, journal, lock, ballast }: HomePaths): boolean =>
  [identityKey, journal].every((file) => fs.existsSync(file)) && ![lock, ballast].some((file) => fs.existsSync(file));

/** Whether the journal has a table of events without the migrations that this program's journal has from its first entry on. */
function isReferenceJournal(copy: string): boolean {
  const db = openDatabase(copy);
  try {
    const has = db.prepare<[string], 1>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck();
    return has.get('events') === 1 && has.get('migration') !== 1;
  } catch (error) {
    throw storageError(error, 'journal.sqlite3');
  } finally {
    db.close();
  }
}
