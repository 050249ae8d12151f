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
import {
  actedSql,
  actedValues,
  cursorOf,
  isByChange,
  isDescending,
  listed,
  listing,
  valuesOf,
  type MissionFilter,
} from './mission-listing.js';

const select = `SELECT ${missionTable.columns.join(', ')} FROM mission`;

export const readMission = (db: Db, id: string): Mission | null => readOne(db, missionTable, id, `${select} WHERE id = ?`, id);

/** Returns a page of missions. */
export function listMissions(db: Db, filter: MissionFilter): MissionItem[] {
  const query = listing(missionTable.columns.join(', '), filter);
  const found = missionsOf(db, query, [valuesOf(filter)], filter.limit, (all) => listed(all, filter), isNewestFirst(filter));
  return found.map(itemOf);
}

/** The entries are read in the order of change, in one direction or the other. */
const isNewestFirst = (filter: MissionFilter): boolean => !isByChange(filter) || isDescending(filter);

/**
 * Returns the missions that a query selects from the table. Once damage is tolerated, the signed entries are read instead.
 * @param select what the query does, over all missions in the order of their change
 */
function missionsOf(
  db: Db,
  query: string,
  values: readonly unknown[],
  limit: number,
  select: (all: Iterable<Mission>) => Iterable<Mission>,
  newestFirst = true,
): Mission[] {
  return connectionOf(db).snapshot(() => {
    const missions = isDamaged(db) ? [] : readMany(db, missionTable, query, ...values);
    if (!isDamaged(db)) return missions;
    const found: Mission[] = [];
    for (const mission of select(missionsByEntries(db, newestFirst))) {
      if (found.length >= limit) break;
      found.push(mission);
    }
    return found;
  });
}

const all_missions = Number.POSITIVE_INFINITY;

const missionsByEntries = (db: Db, newestFirst = true): Iterable<Mission> =>
  readByEntries(
    db,
    missionTable,
    (id) => readMission(db, id),
    (a, b) => (newestFirst ? b.last - a.last : a.last - b.last),
  );

function* those(all: Iterable<Mission>, matches: (mission: Mission) => boolean): Generator<Mission> {
  for (const mission of all) if (matches(mission)) yield mission;
}

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

export interface MissionSearch extends MissionFilter {
  /** Part of a goal, ignoring case, or the beginning of an id. */
  readonly q?: string | undefined;
  /** Who acted on the mission or decided on its result. */
  readonly actor?: string | undefined;
  /** Number of missions that are searched. */
  readonly scan_max: number;
}

export interface Searched {
  readonly items: readonly MissionItem[];
  /** `cursor` for the next page, which may follow an incomplete page; null at the end. */
  readonly next: number | null;
}

/** Returns the matching missions, in the order of the filter. */
export function searchMissions(db: Db, search: MissionSearch): Searched {
  return connectionOf(db).snapshot(() => {
    const inTable = isDamaged(db) ? null : searchTable(db, search);
    const missions = inTable?.found.flatMap(({ id }) => readMission(db, id) ?? []);
    if (inTable !== null && missions !== undefined && !isDamaged(db)) return { items: missions.map(itemOf), next: inTable.next };
    const all = listed(missionsByEntries(db, isNewestFirst(search)), search);
    const { found, next } = searched(all, search, ({ id }) => hasActed(db, id, search.actor));
    return { items: found.map(itemOf), next };
  });
}

function searchTable(db: Db, search: MissionSearch): Matches<Searchable> | null {
  const { actor, scan_max } = search;
  const acted = actor === undefined ? '1' : actedSql;
  const rows = connectionOf(db).statement(listing(`id, goal, revision, ${acted}`, search));
  // Nothing else can be read while the rows are iterated: the missions are read and compared afterwards.
  return readTable(db, missionTable, () => {
    const values = { ...valuesOf({ ...search, limit: scan_max + 1 }), ...(actor === undefined ? {} : actedValues(actor)) };
    return searched(searchables(rows.iterate(values)), search, (one) => one.acted);
  });
}

/** Returns whether an entry of a mission names an actor; always true for none. */
function hasActed(db: Db, id: string, actor: string | undefined): boolean {
  if (actor === undefined) return true;
  const rows = connectionOf(db).statement(`SELECT ${actedSql} FROM (SELECT @id AS id) AS mission`);
  return rows.get({ id, ...actedValues(actor) })?.[0] === 1;
}

function* searchables(rows: Iterable<Row>): Generator<Searchable & { readonly acted: boolean }> {
  for (const [id, goal, revision, acted] of rows)
    yield { id: String(id), goal: String(goal), revision: Number(revision), acted: acted === 1 };
}

type Searchable = Pick<Mission, 'id' | 'goal' | 'revision'>;

interface Matches<A> {
  readonly found: readonly A[];
  readonly next: number | null;
}

function searched<A extends Searchable>(all: Iterable<A>, search: MissionSearch, acted: (one: A) => boolean): Matches<A> {
  const { q = '', limit, scan_max } = search;
  const sought = q.toLowerCase();
  const found: A[] = [];
  let scanned = 0;
  for (const one of all) {
    if (found.length === limit || scanned === scan_max) return { found, next: cursorOf(search, one, scanned) };
    scanned++;
    if ((one.goal.toLowerCase().includes(sought) || one.id.startsWith(sought)) && acted(one)) found.push(one);
  }
  return { found, next: null };
}

/** Returns the missions in `running`, whose leases may be live. */
export const runningMissions = (db: Db): Mission[] =>
  missionsOf(db, `${select} WHERE state = 'running' ORDER BY revision`, [], all_missions, (all) =>
    those(all, ({ state }) => state === 'running'),
  );

/** Returns the missions whose ids begin with a prefix, in order of their ids. */
export const missionsWithPrefix = (db: Db, prefix: string, limit: number): Mission[] =>
  missionsOf(db, `${select} WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT ?`, [prefix.length, prefix, limit], limit, (all) =>
    those(all, ({ id }) => id.startsWith(prefix)),
  );

/** Returns the newest approved mission with the same ids. */
export function approvedMissionWithIds(db: Db, kind: Kind, idsHash: string): Mission | null {
  const query = `${select} WHERE ids_hash = ? AND state = 'completed' AND kind = ? ORDER BY revision DESC LIMIT 1`;
  const matches = (mission: Mission): boolean =>
    mission.ids_hash === idsHash && mission.state === 'completed' && mission.kind === kind;
  return missionsOf(db, query, [idsHash, kind], 1, (all) => those(all, matches))[0] ?? null;
}

/** Returns the approved missions with exactly this goal, the most recently changed first. */
export const approvedMissionsWithGoal = (db: Db, goal: string): Mission[] =>
  missionsOf(db, `${select} WHERE state = 'completed' AND goal = ? ORDER BY revision DESC`, [goal], all_missions, (all) =>
    those(all, (mission) => mission.state === 'completed' && mission.goal === goal),
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
    const detail = `the mission table has a mission in the unknown state "${String(name)}"`;
    connectionOf(db).damage.report({ code: 'integrity', detail, hint: 'agent-cli rebuild' });
    return [];
  });
  return Object.fromEntries(counts);
}
