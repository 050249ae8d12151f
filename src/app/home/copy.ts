/**
 * A copy of a journal that another program may be writing, in a private temporary directory. SQLite itself would write beside the
 * original, even to read it (its shared memory, and the recovery of a log that a killed process left); in the copy it may.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { RefusalError } from '../../base/result.js';
import { fileError } from '../../home/files.js';
import { pause } from '../../store/database.js';

/** The database and its logs; the shared memory is made anew from them. */
const suffixes = ['', '-wal', '-journal'] as const;
const looks_max = 10;
const look_ms = 30;

/** Returns what `use` makes of the copy, which is gone afterwards. A kill leaves it in the system's temporary directory. */
export function withCopy<A>(journal: string, use: (copy: string) => A): A {
  const directory = temporaryDirectory();
  try {
    const copy = path.join(directory, path.basename(journal));
    copyAtRest(journal, copy);
    return use(copy);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

function temporaryDirectory(): string {
  const prefix = path.join(os.tmpdir(), 'agent-cli-read-');
  try {
    return fs.mkdtempSync(prefix);
  } catch (error) {
    throw fileError(error, prefix);
  }
}

/** Copies until no file changed meanwhile. What a log holds beyond its last whole transaction SQLite drops by its checksums. */
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
