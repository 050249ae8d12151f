/** The daemon: holds the daemon's lock, follows the feed of entries (its own and those of other processes), keeps the witness file. */
import { once } from 'node:events';
import type { Entry } from '../codec/entry.js';
import { formatTime } from '../base/time.js';
import { followFeed, type Feed } from '../journal/feed.js';
import { storageError } from '../store/database.js';
import { removeDaemonFile, writeDaemonFile } from './daemon-file.js';
import type { Home } from './home.js';

export interface ServeOptions {
  readonly signal: AbortSignal;
  readonly onEntry: (entry: Entry) => void;
  readonly onWarning: (message: string) => void;
}

const witness_ms = 1_000;

/** Runs until the signal; answers the number of entries seen. What the feed throws ends it too, and it tidies up as ever. */
export async function serve(
  home: Home,
  { signal, onEntry, onWarning }: ServeOptions,
): Promise<{ readonly entries_seen: number }> {
  writeDaemonFile(home.paths.daemon, process.pid, formatTime(home.world.clock()));
  let seen = 0;
  let warned = '';
  const keepWitness = (): void => {
    const fault = witnessFault(home);
    if (fault !== '' && fault !== warned) onWarning(`the witness file cannot be written (${fault})`);
    warned = fault;
  };
  let due: NodeJS.Timeout | null = null;
  const take = (entry: Entry): void => {
    seen++;
    onEntry(entry);
    due ??= setTimeout(() => {
      due = null;
      keepWitness();
    }, witness_ms);
  };
  try {
    await followUntil(signal, (onError) => followFeed(home.db, home.writer.head.size, take, onError));
  } finally {
    if (due !== null) clearTimeout(due);
    keepWitness();
    removeDaemonFile(home.paths.daemon);
  }
  return { entries_seen: seen };
}

/** Resolves at the signal, rejects with what the feed's poll threw: thrown in its timer it would end the process at once. */
async function followUntil(signal: AbortSignal, follow: (onError: (error: unknown) => void) => Feed): Promise<void> {
  const end = new AbortController();
  const stopped = once(end.signal, 'abort');
  const stop = (): void => end.abort();
  const errors: unknown[] = [];
  const feed = follow((error) => {
    errors.push(error);
    stop();
  });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  await stopped;
  signal.removeEventListener('abort', stop);
  feed.stop();
  if (errors.length > 0) throw storageError(errors[0], 'journal.sqlite3');
}

/** Why the witness is not up to date, or an empty text. A journal that cannot be read any more is one of the reasons. */
function witnessFault(home: Home): string {
  try {
    return home.updateWitness() ?? '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
