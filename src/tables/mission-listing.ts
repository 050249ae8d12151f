/** How a list of missions is narrowed and ordered. */
import { boundOf } from '../base/time.js';
import { type Kind, kinds } from '../codec/kinds.js';
import { missionStates, type Mission, type MissionSort, type MissionState, type SortOrder } from '../codec/record.js';
import type { ListedState } from './read.js';

/** The most recently changed missions that are ordered by their goals. */
export const sorted_missions_max = 10_000;

export interface MissionFilter {
  readonly state?: MissionState | undefined;
  readonly kind?: Kind | undefined;
  /** Only missions that changed last at this moment or later. */
  readonly since?: string | undefined;
  /** Only missions that changed last before this moment. */
  readonly until?: string | undefined;
  /** By change when absent, the most recent first; the order of goals covers the `sorted_missions_max` most recently changed. */
  readonly sort?: MissionSort | undefined;
  readonly order?: SortOrder | undefined;
  /** The `next` of the mission before the page. */
  readonly cursor?: number | undefined;
  readonly limit: number;
}

type Ordering = Pick<MissionFilter, 'sort' | 'order'>;

export const isByChange = ({ sort = 'changed' }: Ordering): boolean => sort === 'changed';
export const isDescending = ({ order, ...ordering }: Ordering): boolean =>
  order === undefined ? isByChange(ordering) : order === 'desc';

/** Returns the sequence of a mission's newest entry: an approval leaves the revision as it is. */
export const changeOf = ({ revision, approved_seq }: Mission): number => Math.max(revision, approved_seq);

/** A mission of a list. */
export interface ListedMission extends ListedState<Mission> {
  /** The cursor of the page after it. */
  readonly next: number;
}

/** What lists compare of a mission. */
export type Head = Pick<Mission, 'id' | 'goal' | 'updated_at'>;
/** Heads by the position of their missions' newest entries: each is proven, and no later entry changes it. */
export type Heads = Pick<Map<number, Head>, 'get'> & { readonly set: (position: number, head: Head) => unknown };

/** Returns the head of a mission, which is read once; null where it cannot be read. */
export function headOf({ position, state: read }: ListedState<Mission>, heads: Heads): Head | null {
  const known = heads.get(position);
  if (known !== undefined) return known;
  const mission = read();
  if (mission === null) return null;
  const { id, goal, updated_at } = mission;
  heads.set(position, { id, goal, updated_at });
  return mission;
}

/** Returns the states and kinds of a filter in groups that follow each other, each ordered by the change of its missions. */
export function groupsOf(
  filter: MissionFilter,
): readonly { readonly states: readonly MissionState[]; readonly kinds: readonly Kind[] }[] {
  const states = filter.state === undefined ? missionStates : [filter.state];
  const among = filter.kind === undefined ? kinds : [filter.kind];
  const inOrder = <T>(members: readonly T[]): readonly T[] => (isDescending(filter) ? members.toReversed() : members);
  if (filter.sort === 'state') return inOrder(states).map((state) => ({ states: [state], kinds: among }));
  if (filter.sort === 'kind') return inOrder(among.toSorted()).map((kind) => ({ states, kinds: [kind] }));
  return [{ states, kinds: among }];
}

/** Returns whether a mission changed last in the period of a filter. */
export const isWithin = (head: Head | null, { since, until }: Pick<MissionFilter, 'since' | 'until'>): boolean =>
  head !== null && head.updated_at >= boundOf(since ?? '') && head.updated_at < boundOf(until ?? '~');

/**
 * Returns missions by their goals, after as many as the cursor says. Those with the same goal keep their order: the one that changed last comes
 * first.
 */
export function byGoal(missions: Iterable<ListedMission>, filter: MissionFilter, heads: Heads): ListedMission[] {
  const newest: { readonly key: string; readonly mission: ListedMission }[] = [];
  for (const mission of missions)
    if (newest.push({ key: asciiLower(headOf(mission, heads)?.goal ?? ''), mission }) === sorted_missions_max) break;
  const sign = isDescending(filter) ? -1 : 1;
  const sorted = newest.toSorted((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return sorted.map(({ mission }, i) => ({ ...mission, next: i + 1 })).slice(filter.cursor ?? 0);
}

/** Folds case as SQLite's NOCASE does. */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
