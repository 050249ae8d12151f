/** What a home to which nothing is written has in common, whyever it is so, and how the journal of one that cannot be written is opened. */
import { existsSync } from 'node:fs';
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { Loaded } from '../../journal/position.js';
import { ReadOnlyWriter } from '../../journal/writer.js';
import { type Db, openDatabase } from '../../store/database.js';
import { projectors } from '../../tables/projections.js';
import { readConfig } from './config.js';
import { hasLog, quickCheck } from './files.js';
import type { Home } from './home.js';
import { copyJournal } from './staging.js';

const onlyRead: Refusal = { code: 'wrong_state', detail: 'the home was opened for reading only' };

type Given = 'paths' | 'world' | 'signer' | 'db' | 'faults' | 'damage' | 'witness' | 'close';
type Known = Partial<Pick<Home, 'isReference' | 'newer' | 'older' | 'upgrade' | 'unwritable' | 'isOutdated' | 'uncleanStop'>>;

/** Returns a home to which nothing is written. @param refusal of every attempt to write */
export function onlyReadHome({
  loaded,
  refusal,
  ...given
}: Pick<Home, Given> & Known & { readonly loaded: Loaded; readonly refusal?: Refusal }): Home {
  const { db, signer, world, paths, unwritable = null } = given;
  const why = refusal ?? unwritable ?? onlyRead;
  return {
    isReference: false,
    newer: null,
    older: null,
    upgrade: null,
    uncleanStop: false,
    isOutdated: () => false,
    ...given,
    unwritable,
    writer: new ReadOnlyWriter(db, signer, projectors, world.clock, loaded, why),
    transact: () => Promise.reject(new RefusalError(why)),
    config: () => readConfig(db, paths),
    updateWitness: () => null,
    moveSnapshot: () => false,
  };
}

export interface ReadableJournal {
  readonly db: Db;
  /** Closes the database, and deletes it if it is a copy. */
  readonly close: () => void;
  readonly isOutdated: Home['isOutdated'];
}

/**
 * Opens a journal that cannot be written. SQLite reads the file where it finds the shared memory and the log, which are there while another
 * process has the journal open; otherwise it would have to create them, so that a private copy is read. The binding of SQLite knows no
 * `immutable`, which would ignore what the log holds.
 */
export function openReadable({ journal }: Home['paths'], isCopied = false): ReadableJournal {
  const isInUse = ['-wal', '-shm'].every((suffix) => existsSync(`${journal}${suffix}`));
  const direct = isInUse && !isCopied ? openDirectly(journal) : null;
  return direct ?? openCopy(journal);
}

/** Returns null where SQLite cannot read the file as it is, for example because the last process that had it open has just ended. */
function openDirectly(journal: string): ReadableJournal | null {
  try {
    const db = openDatabase(journal, { readonly: true });
    return { db, close: () => void db.close(), isOutdated: () => false };
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

function openCopy(journal: string): ReadableJournal {
  const copy = copyJournal(journal);
  let db: Db | null = null;
  const close = (): void => {
    db?.close();
    copy.remove();
  };
  try {
    const isUnclean = hasLog({ journal: copy.file });
    db = openDatabase(copy.file);
    if (isUnclean) quickCheck(db);
    return { db, close, isOutdated: () => !copy.isCurrent() };
  } catch (error) {
    close();
    throw error;
  }
}
