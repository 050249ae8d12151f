/** How a list of missions is narrowed and ordered. */
import { boundOf } from '../base/time.js';
import type { Kind } from '../codec/kinds.js';
import { missionStates, type Mission, type MissionSort, type MissionState, type SortOrder } from '../codec/record.js';

/** The most recently changed missions that are ordered by anything but their change. */
const sorted_missions_max = 10_000;

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

/** Returns the cursor of the page that begins with a mission. @param place its place among those that follow the filter's cursor */
export function cursorOf(filter: MissionFilter, { revision }: Pick<Mission, 'revision'>, place: number): number {
  if (!isByChange(filter)) return (filter.cursor ?? 0) + place;
  return isDescending(filter) ? revision + 1 : revision - 1;
}

/** Yields the missions of a page, of all that come in the order of their change. */
export function* listed(missions: Iterable<Mission>, filter: MissionFilter): Generator<Mission> {
  const { sort = 'changed', cursor = 0 } = filter;
  const matches = matcher(filter);
  const newest: Mission[] = [];
  for (const mission of missions) {
    if (!matches(mission)) continue;
    if (sort === 'changed') yield mission;
    else if (newest.push(mission) === sorted_missions_max) break;
  }
  const sign = isDescending(filter) ? -1 : 1;
  const inOrder = (a: Mission, b: Mission): number => sign * compareBy(sort, a, b) || b.revision - a.revision;
  yield* newest.toSorted(inOrder).slice(cursor);
}

function matcher(filter: MissionFilter): (mission: Mission) => boolean {
  const { state, kind, since, until, cursor } = filter;
  const isAfter = ({ revision }: Mission): boolean =>
    cursor === undefined || !isByChange(filter) || (isDescending(filter) ? revision < cursor : revision > cursor);
  return (mission) =>
    (state === undefined || mission.state === state) &&
    (kind === undefined || mission.kind === kind) &&
    (since === undefined || mission.updated_at >= boundOf(since)) &&
    (until === undefined || mission.updated_at < boundOf(until)) &&
    isAfter(mission);
}

function compareBy(sort: MissionSort, a: Mission, b: Mission): number {
  if (sort === 'state') return missionStates.indexOf(a.state) - missionStates.indexOf(b.state);
  const keyOf = ({ goal, kind }: Mission): string => (sort === 'goal' ? asciiLower(goal) : kind);
  return keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0;
}

/** Folds case as SQLite's NOCASE does. */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
