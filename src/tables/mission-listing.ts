/** How a list of missions is narrowed and ordered: as SQL over the mission table, and as rules over missions computed from entries. */
import { canonicalJson } from '../base/canonical-json.js';
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

const stateRank = `CASE state ${missionStates.map((state, i) => `WHEN '${state}' THEN ${i}`).join(' ')} END`;
const sortKeys: Readonly<Record<Exclude<MissionSort, 'changed'>, string>> = {
  goal: 'goal COLLATE NOCASE',
  kind: 'kind',
  state: stateRank,
};

/** Returns the query for a page; `valuesOf` gives its values. */
export function listing(columns: string, filter: MissionFilter): string {
  const { sort = 'changed' } = filter;
  const direction = isDescending(filter) ? 'DESC' : 'ASC';
  if (sort === 'changed') return `SELECT ${columns} FROM mission ${whereOf(filter)}ORDER BY revision ${direction} LIMIT @limit`;
  const order = `ORDER BY ${sortKeys[sort]} ${direction}, revision DESC`;
  const newest = `SELECT revision, goal, kind, state FROM mission ${whereOf(filter)}ORDER BY revision DESC LIMIT ${sorted_missions_max}`;
  const page = `SELECT revision FROM (${newest}) ${order} LIMIT @limit OFFSET @cursor`;
  return `SELECT ${columns} FROM mission WHERE revision IN (${page}) ${order}`;
}

function whereOf({ state, kind, since, until, cursor, ...ordering }: MissionFilter): string {
  const where = [
    ...(state === undefined ? [] : ['state = @state']),
    ...(kind === undefined ? [] : ['kind = @kind']),
    ...(since === undefined ? [] : ['updated_at >= @since']),
    ...(until === undefined ? [] : ['updated_at < @until']),
    ...(cursor === undefined || !isByChange(ordering) ? [] : [`revision ${isDescending(ordering) ? '<' : '>'} @cursor`]),
  ];
  return where.length === 0 ? '' : `WHERE ${where.join(' AND ')} `;
}

/** Returns the values of the query that `listing` returns. */
export const valuesOf = ({ state, kind, since, until, cursor = 0, limit }: MissionFilter): Readonly<Record<string, unknown>> => ({
  state,
  kind,
  since: since === undefined ? undefined : boundOf(since),
  until: until === undefined ? undefined : boundOf(until),
  cursor,
  limit,
});

/** Returns the page that `listing` selects, of all missions, which come in the order of their change. */
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

/**
 * Whether an entry of a mission names `@actor` as who acted or decided. The text of an entry is canonical, so the member is looked for in it
 * before it is parsed.
 */
export const actedSql = `EXISTS (SELECT 1 FROM events WHERE events.mission = mission.id AND instr(body, @acting) > 0
  AND CASE WHEN json_valid(body) THEN @actor IN (json_extract(body, '$.document.actor'), json_extract(body, '$.document.review.actor')) END)`;

/** Returns the values of `actedSql`. */
export const actedValues = (actor: string): Readonly<Record<string, string>> => ({
  actor,
  acting: `"actor":${canonicalJson(actor)}`,
});
