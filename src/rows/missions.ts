/** Missions and the queries over them. Each mission that is returned was compared with its signed entries. */
import type { Kind } from '../codec/kinds.js';
import type { MissionItem } from '../codec/api-missions.js';
import { missionStates, type Mission, type MissionState } from '../codec/record.js';
import { missionTable } from '../projection/missions.js';
import type { Row } from '../projection/table.js';
import type { Db } from '../store/database.js';
import { connectionOf, isDamaged, isSmall } from './connection.js';
import { readByEntries, readMany, readOne } from './read.js';
import { readTable, rowsOf } from './compare.js';

const select = `SELECT ${missionTable.columns.join(', ')} FROM mission`;

export const readMission = (db: Db, id: string): Mission | null => readOne(db, missionTable, id, `${select} WHERE id = ?`, id);

export interface MissionFilter {
  readonly state?: MissionState | undefined;
  readonly kind?: Kind | undefined;
  /** Only missions with a smaller revision: the page after the one that ended there. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns missions, the most recently changed first. */
export function listMissions(db: Db, filter: MissionFilter): MissionItem[] {
  const { state, kind, before, limit } = filter;
  const found = missionsOf(db, `${select} ${listing(filter)}`, [{ state, kind, before, limit }], matcher(filter), limit);
  return found.map(itemOf);
}

/**
 * Returns the missions that a query selects from the table. Once damage is tolerated, the signed entries are searched instead.
 * @param matches what the query's condition says
 */
function missionsOf(
  db: Db,
  query: string,
  values: readonly unknown[],
  matches: (mission: Mission) => boolean,
  limit = Number.POSITIVE_INFINITY,
): Mission[] {
  return connectionOf(db).snapshot(() => {
    const missions = isDamaged(db) ? [] : readMany(db, missionTable, query, ...values);
    if (!isDamaged(db)) return missions;
    const found: Mission[] = [];
    for (const mission of missionsByEntries(db)) {
      if (found.length >= limit) break;
      if (matches(mission)) found.push(mission);
    }
    return found;
  });
}

const missionsByEntries = (db: Db): Iterable<Mission> =>
  readByEntries(
    db,
    missionTable,
    (id) => readMission(db, id),
    (a, b) => b.last - a.last,
  );

const matcher =
  ({ state, kind, before }: Omit<MissionFilter, 'limit'>) =>
  (mission: Mission): boolean =>
    (state === undefined || mission.state === state) &&
    (kind === undefined || mission.kind === kind) &&
    (before === undefined || mission.revision < before);

/** Returns a mission as lists show it. One that failed because its process ended is told apart from other failures. */
const itemOf = ({ id, kind, goal, state, revision, updated_at, error, erased }: Mission): MissionItem => ({
  id,
  kind,
  goal,
  state,
  revision,
  updated_at,
  ...(error?.code === 'interrupted' && !erased ? { interrupted: true, next: `agent-cli recover ${id}` } : {}),
});

function listing({ state, kind, before }: Omit<MissionFilter, 'limit'>): string {
  const where = [
    ...(state === undefined ? [] : ['state = @state']),
    ...(kind === undefined ? [] : ['kind = @kind']),
    ...(before === undefined ? [] : ['revision < @before']),
  ];
  return `${where.length === 0 ? '' : `WHERE ${where.join(' AND ')} `}ORDER BY revision DESC LIMIT @limit`;
}

export interface MissionSearch extends MissionFilter {
  /** Part of a goal, ignoring case, or the beginning of an id. */
  readonly q: string;
  /** Number of missions that are searched. */
  readonly scan_max: number;
}

export interface Searched {
  readonly items: readonly MissionItem[];
  /** `before` for the next page, which may follow an incomplete page; null at the end. */
  readonly before: number | null;
}

/** Returns the matching missions, the most recently changed first. */
export function searchMissions(db: Db, search: MissionSearch): Searched {
  return connectionOf(db).snapshot(() => {
    const inTable = isDamaged(db) ? null : searchTable(db, search);
    const missions = inTable?.found.flatMap(({ id }) => readMission(db, id) ?? []);
    if (inTable !== null && missions !== undefined && !isDamaged(db))
      return { items: missions.map(itemOf), before: inTable.before };
    const { found, before } = searched(missionsByEntries(db), search, matcher(search));
    return { items: found.map(itemOf), before };
  });
}

function searchTable(db: Db, search: MissionSearch): Matches<Searchable> | null {
  const { state, kind, before, scan_max } = search;
  const rows = connectionOf(db).statement(`SELECT id, goal, revision FROM mission ${listing(search)}`);
  // Nothing else can be read while the rows are iterated: the missions are read and compared afterwards.
  return readTable(db, missionTable, () => {
    const values = { state, kind, before, limit: scan_max + 1 };
    return searched(searchables(rows.iterate(values)), search, () => true);
  });
}

function* searchables(rows: Iterable<Row>): Generator<Searchable> {
  for (const [id, goal, revision] of rows) yield { id: String(id), goal: String(goal), revision: Number(revision) };
}

type Searchable = Pick<Mission, 'id' | 'goal' | 'revision'>;

interface Matches<A> {
  readonly found: readonly A[];
  readonly before: number | null;
}

function searched<A extends Searchable>(
  all: Iterable<A>,
  { q, limit, scan_max }: MissionSearch,
  isMeant: (one: A) => boolean,
): Matches<A> {
  const sought = q.toLowerCase();
  const found: A[] = [];
  let scanned = 0;
  for (const one of all) {
    if (!isMeant(one)) continue;
    if (found.length === limit || scanned++ === scan_max) return { found, before: one.revision + 1 };
    if (one.goal.toLowerCase().includes(sought) || one.id.startsWith(sought)) found.push(one);
  }
  return { found, before: null };
}

/** Returns the missions in `running`, whose leases may be live. */
export const runningMissions = (db: Db): Mission[] =>
  missionsOf(db, `${select} WHERE state = 'running' ORDER BY revision`, [], ({ state }) => state === 'running');

/** Returns the missions whose ids begin with a prefix, in order of their ids. */
export const missionsWithPrefix = (db: Db, prefix: string, limit: number): Mission[] =>
  missionsOf(
    db,
    `${select} WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT ?`,
    [prefix.length, prefix, limit],
    ({ id }) => id.startsWith(prefix),
    limit,
  );

/** Returns the newest approved mission with the same ids. */
export function approvedMissionWithIds(db: Db, kind: Kind, idsHash: string): Mission | null {
  const query = `${select} WHERE ids_hash = ? AND state = 'completed' AND kind = ? ORDER BY revision DESC LIMIT 1`;
  const matches = (mission: Mission): boolean =>
    mission.ids_hash === idsHash && mission.state === 'completed' && mission.kind === kind;
  return missionsOf(db, query, [idsHash, kind], matches, 1)[0] ?? null;
}

/** Returns the approved missions with exactly this goal, the most recently changed first. */
export const approvedMissionsWithGoal = (db: Db, goal: string): Mission[] =>
  missionsOf(
    db,
    `${select} WHERE state = 'completed' AND goal = ? ORDER BY revision DESC`,
    [goal],
    (mission) => mission.state === 'completed' && mission.goal === goal,
  );

export type MissionCounts = Readonly<Partial<Record<MissionState, number>>>;

/**
 * Returns the number of missions in each state, as the table says. Only a table that is known to be damaged is not counted, while the
 * journal is small: then the missions are counted by their entries.
 */
export function countByState(db: Db): MissionCounts {
  return connectionOf(db).snapshot(() => {
    const inTable = isDamaged(db) ? null : countTable(db);
    if (inTable !== null && !isDamaged(db)) return inTable;
    if (!isSmall(db)) return countTable(db);
    const counts: Partial<Record<MissionState, number>> = {};
    for (const { state } of missionsByEntries(db)) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  });
}

function countTable(db: Db): MissionCounts {
  const rows = rowsOf(db, missionTable, 'SELECT state, count(*) FROM mission GROUP BY state', []);
  const counts = rows.flatMap(([name, count]) => {
    const state = missionStates.find((one) => one === name);
    if (state !== undefined) return [[state, Number(count)] as const];
    const detail = `the mission table has a mission in the state "${String(name)}", which there is not`;
    connectionOf(db).damage.report({ code: 'integrity', detail, hint: 'agent-cli rebuild' });
    return [];
  });
  return Object.fromEntries(counts);
}
