/** The daemon: holds the daemon's lock, follows the feed of entries (its own and those of other processes), keeps the witness file. */
import { once } from 'node:events';
import type { Entry } from '../codec/entry.js';
import { formatTime } from '../base/time.js';
import { followFeed } from '../journal/feed.js';
import { removeDaemonFile, writeDaemonFile } from './daemon-file.js';
import type { Home } from './home.js';

export interface ServeOptions {
  readonly signal: AbortSignal;
  readonly onEntry: (entry: Entry) => void;
  readonly onWarning: (message: string) => void;
}

const witness_ms = 1_000;

/** Runs until the signal; answers the number of entries seen. */
export async function serve(
  home: Home,
  { signal, onEntry, onWarning }: ServeOptions,
): Promise<{ readonly entries_seen: number }> {
  writeDaemonFile(home.paths.daemon, process.pid, formatTime(home.world.clock()));
  let seen = 0;
  let warned = '';
  const keepWitness = (): void => {
    const fault = home.updateWitness() ?? '';
    if (fault !== '' && fault !== warned) onWarning(`the witness file cannot be written (${fault})`);
    warned = fault;
  };
  let due: NodeJS.Timeout | null = null;
  const feed = followFeed(home.db, home.writer.head.size, (entry) => {
    seen++;
    onEntry(entry);
    due ??= setTimeout(() => {
      due = null;
      keepWitness();
    }, witness_ms);
  });
  try {
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    feed.stop();
    if (due !== null) clearTimeout(due);
    keepWitness();
    removeDaemonFile(home.paths.daemon);
  }
  return { entries_seen: seen };
}
