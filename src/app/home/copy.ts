/**
 * Copies a journal that another program may be writing to a private temporary directory. Even to read, SQLite would write beside
 * the original: its shared memory, and the recovery of a log that a killed process left. In the copy this is harmless.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { RefusalError } from '../../base/result.js';
import { fileError } from '../../home/files.js';
import { pause } from '../../store/database.js';
import { makeStaging, removeAbandonedIn } from './staging.js';

/** Suffixes of the database and its logs; SQLite rebuilds the shared memory from them. */
const suffixes = ['', '-wal', '-journal'] as const;
const looks_max = 10;
const look_ms = 30;

/** Returns the result of `use`, which gets the path of the copy, and then deletes the copy. */
export function withCopy<A>(journal: string, use: (copy: string) => A): A {
  const copy = copyJournal(journal);
  try {
    return use(copy.file);
  } finally {
    copy.remove();
  }
}

export interface JournalCopy {
  readonly file: string;
  /** Deletes the copy, which must be closed. */
  readonly remove: () => void;
}

/** Makes a copy in the system's temporary directory. A signal removes it; one that a kill left goes with the next copy. */
export function copyJournal(journal: string): JournalCopy {
  removeAbandonedIn(os.tmpdir());
  const staging = makeStaging(path.join(os.tmpdir(), 'agent-cli-read'));
  try {
    const file = staging.file(path.basename(journal));
    copyAtRest(journal, file);
    return { file, remove: staging.remove };
  } catch (error) {
    staging.remove();
    throw error;
  }
}

/**
 * Copies the files until none changed during the copy. SQLite's checksums drop anything in a log after its last whole
 * transaction.
 */
function copyAtRest(journal: string, copy: string): void {
  for (let look = 0; look < looks_max; look++) {
    const before = state(journal);
    try {
      for (const suffix of suffixes) copyIfThere(`${journal}${suffix}`, `${copy}${suffix}`);
    } catch (error) {
      throw fileError(error, copy);
    }
    if (state(journal) === before) return;
    pause(look_ms);
  }
  throw new RefusalError({ code: 'in_use', detail: `${journal} is being written just now; repeat the command` });
}

const state = (journal: string): string =>
  suffixes
    .map((suffix) => fs.statSync(`${journal}${suffix}`, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? 'absent' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join();

function copyIfThere(from: string, to: string): void {
  fs.rmSync(to, { force: true });
  if (!fs.existsSync(from)) return;
  fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
  fs.chmodSync(to, 0o600);
}
