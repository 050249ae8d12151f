/** What those who follow the daemon's feed are told. */
import type { FeedEntry, FeedProgress } from '../../codec/api-journal.js';
import type { Entry } from '../../codec/entry.js';
import { isUuid } from '../missions/store.js';

/** An entry; the event's type is `event` here. */
export interface EntryItem extends Omit<FeedEntry, 'type'> {
  readonly type: 'entry';
  /** Empty for a type that this program does not know. */
  readonly event: string;
}

export interface ProgressItem extends FeedProgress {
  readonly type: 'progress';
}

export type FeedItem = EntryItem | ProgressItem;

/** After one of these the attempt has nothing more to say. */
const ends = new Set(['mission.produced', 'mission.failed', 'mission.cancelled', 'mission.recovered']);

export const endsAttempt = ({ event }: EntryItem): boolean => ends.has(event);

export const itemOf = ({ sequence, time, stream, event }: Entry): EntryItem => ({
  type: 'entry',
  sequence,
  time,
  stream,
  event: event?.type ?? '',
  mission: isUuid(stream) ? stream : null,
});
