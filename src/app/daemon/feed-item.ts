/** The items of the daemon's feed. */
import type { FeedEntry, FeedProgress } from '../../codec/api-journal.js';
import type { Announced } from '../../journal/announced.js';
import { isUuid } from '../missions/store.js';

/** A journal entry; `event` is the event's type. */
export interface EntryItem extends Omit<FeedEntry, 'type'> {
  readonly type: 'entry';
  /** The event's type; empty for a type that this program does not know. */
  readonly event: string;
}

export interface ProgressItem extends FeedProgress {
  readonly type: 'progress';
}

export type FeedItem = EntryItem | ProgressItem;

/** The events that end an attempt, after which it reports no more progress. */
const ends = new Set(['mission.produced', 'mission.failed', 'mission.cancelled', 'mission.recovered']);

export const endsAttempt = ({ event }: EntryItem): boolean => ends.has(event);

export const itemOf = ({ sequence, time, stream, type }: Announced): EntryItem => ({
  type: 'entry',
  sequence,
  time,
  stream,
  event: type,
  mission: isUuid(stream) ? stream : null,
});
