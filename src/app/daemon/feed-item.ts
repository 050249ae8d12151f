/** What those who follow the daemon's feed are told. */
import type { Entry } from '../../codec/entry.js';
import type { Role } from '../../codec/roles.js';
import { isUuid } from '../missions/store.js';

export interface EntryItem {
  readonly type: 'entry';
  readonly sequence: number;
  readonly time: string;
  readonly stream: string;
  /** The event's type; empty for one that this program does not know. */
  readonly event: string;
  readonly mission: string | null;
}

export interface ProgressItem {
  readonly type: 'progress';
  readonly mission: string;
  readonly attempt: number;
  readonly stage: Role;
  /** 0..1 of the stage. */
  readonly done: number;
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
