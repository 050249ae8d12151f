/** Missions and the queries over them. Each mission that is returned was compared with its signed entries. */
import { canonicalJson } from '../base/canonical-json.js';
import type { MissionItem } from '../codec/api-missions.js';
import type { Kind } from '../codec/kinds.js';
import { decode } from '../codec/kit.js';
import { type Mission, missionCodec, type MissionState, missionStates } from '../codec/record.js';
import { missionStream } from '../domain/mission-evolve.js';
import type { MissionEvent } from '../domain/mission.js';
import { rowProjector } from './project.js';
import { decoded, named, parsed, type Row, type Table } from './table.js';
import type { Db } from '../store/database.js';
import { readTable, rowsOf } from './compare.js';
import { connectionOf, isDamaged, isSmall } from './connection.js';
import {
  actedSql,
  actedValues,
  cursorOf,
  isByChange,
  isDescending,
  listed,
  listing,
  type MissionFilter,
  valuesOf,
} from './mission-listing.js';
import { readByEntries, readMany, readOne } from './read.js';

/**
 * One row a mission, in the order of change: the key is the revision, so a change moves the row to the end, where writes are
 * cheap. `record` is canonical JSON of what the columns do not say and what differs from a mission's beginning.
 */
const ddl = `CREATE TABLE mission(
  revision INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  goal TEXT NOT NULL,
  ids_hash TEXT,
  updated_at TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX mission_state ON mission(state);
CREATE INDEX mission_parent ON mission(ids_hash) WHERE ids_hash IS NOT NULL AND state = 'completed';
`;

const columns = ['revision', 'id', 'kind', 'state', 'goal', 'ids_hash', 'updated_at', 'record'] as const;
const id_column = columns.indexOf('id');

const missionTable: Table<Mission, MissionEvent> = {
  stream: missionStream,
  name: 'mission',
  columns,
  idOf: (row) => String(row[id_column]),
  rowsOf({ revision, id, kind, state, goal, ids_hash, updated_at, ...rest }) {
    const record: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(rest)) if (!isBeginning(value)) record[key] = value;
    return [[revision, id, kind, state, goal, ids_hash, updated_at, canonicalJson(record)]];
  },
  stateOf([row]) {
    if (row === undefined) return null;
    const { record, ...values } = named(columns, row);
    const rest = parsed('mission', record);
    return decoded('mission', decode(missionCodec, typeof rest === 'object' ? { ...values, ...rest } : null));
  },
};

/** Returns whether a member still has the initial value of every mission. */
const isBeginning = (value: unknown): boolean =>
  value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

export const missionsProjector = rowProjector(missionTable, {
  name: 'missions',
  version: 1,
  ddl,
  key: 'id',
});

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
