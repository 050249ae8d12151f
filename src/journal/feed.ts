/**
 * The feed: entries in order from a sequence on, first those already there, then live ones. `PRAGMA data_version` tells that
 * another process committed, without reading a page; entries of this process are found by the same poll.
 */
import type { Entry } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import { entriesAfter, readHead } from './reader.js';

const poll_ms = 100;
const page_entries = 500;

export interface Feed {
  readonly stop: () => void;
}

/** Calls `onEntry` for every entry after `sequence`, each once and in order. What a poll throws ends the feed with `onError`. */
export function followFeed(db: Db, sequence: number, onEntry: (entry: Entry) => void, onError: (error: unknown) => void): Feed {
  let last = sequence;
  let version: unknown = null;
  const poll = (): void => {
    const now = db.pragma('data_version', { simple: true });
    if (now === version && readHead(db).size === last) return;
    version = now;
    for (const entry of entriesAfter(db, last, page_entries)) {
      last = entry.sequence;
      onEntry(entry);
    }
  };
  const timer = setInterval(() => {
    try {
      poll();
    } catch (error) {
      clearInterval(timer);
      onError(error);
    }
  }, poll_ms);
  return { stop: () => clearInterval(timer) };
}
