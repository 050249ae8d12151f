/** Takes a home for this process: the process lock, and what is done while no other process has the home. */
import * as fs from 'node:fs';
import { RefusalError } from '../../base/result.js';
import { type HomePaths, witnessDirectory } from '../../home/paths.js';
import { witnessTemporaries } from '../../home/witness-file.js';
import { hasDaemon, type LockOptions, type ProcessLock, remakeProcessLock, takeProcessLock } from '../../store/process-lock.js';
import { refuseUnreleasedFile } from '../../store/unreleased.js';
import { clearAfterKill, describeDaemon, onLentBallast } from './files.js';
import type { OpenOptions, Upgrade } from './home.js';
import { upgradeJournal } from './upgrade.js';
import { programVersion, type World } from './world.js';

export interface TakenHome {
  readonly lock: ProcessLock;
  readonly upgrade: Upgrade | null;
  /** Whether the last process was killed while it had the journal open. */
  readonly isUnclean: boolean;
  /** Whether the journal was already checked for that reason. */
  readonly isChecked: boolean;
  /** Temporary files beside the witness file; those of this home were left by killed processes. */
  readonly witnessLeft: readonly string[];
}

/** Returns whether a daemon serves the home. */
export const isServed = ({ paths }: { readonly paths: HomePaths }): boolean => hasDaemon(paths.lock);

export function takeHome(world: World, paths: HomePaths, mode: OpenOptions['lock'] = 'command'): TakenHome {
  // The lock file holds only a version, so a lost one is recreated.
  if (!fs.existsSync(paths.lock)) remakeProcessLock(paths.lock);
  const found: { -readonly [name in keyof Omit<TakenHome, 'lock'>]: TakenHome[name] } = {
    upgrade: null,
    isUnclean: false,
    isChecked: false,
    witnessLeft: [],
  };
  const options: LockOptions = {
    version: programVersion,
    mode,
    describeHolder: () => describeDaemon(paths.daemon),
    whileAlone: () => {
      found.witnessLeft = witnessTemporaries(witnessDirectory(world.env));
      found.isUnclean ||= clearAfterKill(paths);
    },
    upgrade: (from) => {
      refuseUnreleasedFile(paths.journal);
      found.witnessLeft = witnessTemporaries(witnessDirectory(world.env));
      const { wasUnclean, ...steps } = upgradeJournal(paths, world.clock());
      found.isUnclean ||= wasUnclean;
      found.isChecked = true;
      if (from !== null) found.upgrade = { from, state: 'done', ...steps };
    },
  };
  // On a full disk all of it is run again, on the ballast's room.
  try {
    const lock = onLentBallast(paths, () => takeProcessLock(paths.lock, options));
    return { lock, ...found };
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === 'newer_version') refuseUnreleasedFile(paths.journal);
    throw error;
  }
}
