/** How a list of missions is narrowed and ordered. */
import { boundOf } from '../base/time.js';
import type { Kind } from '../codec/kinds.js';
import { missionStates, type Mission, type MissionSort, type MissionState, type SortOrder } from '../codec/record.js';
import type { Listed } from './read.js';

/** The most recently changed missions that are ordered by anything but their change. */
export const sorted_missions_max = 10_000;
/** Longer goals are read again for each page that is ordered by them. */
const kept_goal_chars_max = 200;

export interface MissionFilter {
  readonly state?: MissionState | undefined;
  readonly kind?: Kind | undefined;
  /** Only missions that changed last at this moment or later. */
  readonly since?: string | undefined;
  /** Only missions that changed last before this moment. */
  readonly until?: string | undefined;
  /** By change when absent, the most recent first; any other order covers the `sorted_missions_max` most recently changed. */
  readonly sort?: MissionSort | undefined;
  readonly order?: SortOrder | undefined;
  /** Where the page begins: after the mission with this revision, or, when not sorted by change, after this many missions. */
  readonly cursor?: number | undefined;
  readonly limit: number;
}

type Ordering = Pick<MissionFilter, 'sort' | 'order'>;

export const isByChange = ({ sort = 'changed' }: Ordering): boolean => sort === 'changed';
export const isDescending = ({ order, ...ordering }: Ordering): boolean =>
  order === undefined ? isByChange(ordering) : order === 'desc';

/** Returns the sequence of a mission's newest entry: an approval leaves the revision as it is. */
export const changeOf = ({ revision, approved_seq }: Mission): number => Math.max(revision, approved_seq);

/** Returns the cursor of the page that begins with a mission. @param place its place among those that follow the filter's cursor */
export function cursorOf(filter: MissionFilter, mission: Mission, place: number): number {
  if (!isByChange(filter)) return (filter.cursor ?? 0) + place;
  return isDescending(filter) ? changeOf(mission) + 1 : changeOf(mission) - 1;
}

/** Goals by the position of their missions' newest entries: each is proven, and no later entry changes it. */
export type Goals = Pick<Map<number, string>, 'get'> & { readonly set: (position: number, goal: string) => unknown };

/** Yields the missions of a page, of all that come in the order of their change with the filter's states and kinds. */
export function* listed(missions: Iterable<Listed<Mission>>, filter: MissionFilter, goals: Goals): Generator<Mission> {
  const { sort = 'changed', cursor = 0, since, until } = filter;
  const matches = matcher(filter);
  const isNarrowed = sort === 'changed' || since !== undefined || until !== undefined;
  const newest: Keyed[] = [];
  for (const one of missions) {
    const { state: read } = one;
    const mission = isNarrowed ? read() : null;
    if (isNarrowed && (mission === null || !matches(mission))) continue;
    if (sort === 'changed' && mission !== null) yield mission;
    else if (newest.push({ key: keyOf(sort, one, goals), read }) === sorted_missions_max) break;
  }
  const sign = isDescending(filter) ? -1 : 1;
  // Equal missions keep their order: those that changed last come first.
  const sorted = newest.toSorted((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  for (const { read } of sorted.slice(cursor)) {
    const mission = read();
    if (mission !== null) yield mission;
  }
}

interface Keyed {
  readonly key: string | number;
  readonly read: () => Mission | null;
}

/** Returns what a mission is sorted by. Only for its goal it has to be read. */
function keyOf(sort: MissionSort, { position, code, state: read }: Listed<Mission>, goals: Goals): string | number {
  const [state = '', kind = ''] = code.split(':');
  if (sort === 'state') return missionStates.findIndex((one) => one === state);
  if (sort === 'kind') return kind;
  const known = goals.get(position);
  if (known !== undefined) return known;
  const goal = asciiLower(read()?.goal ?? '');
  if (goal.length <= kept_goal_chars_max) goals.set(position, goal);
  return goal;
}

function matcher({ since, until, cursor, ...ordering }: MissionFilter): (mission: Mission) => boolean {
  const isAfter = (mission: Mission): boolean => {
    if (cursor === undefined || !isByChange(ordering)) return true;
    return isDescending(ordering) ? changeOf(mission) < cursor : changeOf(mission) > cursor;
  };
  return (mission) =>
    (since === undefined || mission.updated_at >= boundOf(since)) &&
    (until === undefined || mission.updated_at < boundOf(until)) &&
    isAfter(mission);
}

/** Folds case as SQLite's NOCASE does. */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
