/** Projection of missions, and the queries over it. */
import { canonicalJson } from '../base/canonical-json.js';
import { choice, decode, integer, object, required } from '../codec/kit.js';
import { missionCodec, type Mission, type MissionState } from '../codec/record.js';
import { missionStream } from '../domain/mission-evolve.js';
import type { MissionEvent } from '../domain/mission.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, parsed, valuesOf, type Table, type Value } from './table.js';
import { Fault } from '../base/fault.js';
import { unwrap } from '../base/result.js';
import { missionItem, type MissionItem } from '../codec/api-missions.js';
import { type Kind } from '../codec/kinds.js';
import type { Db } from '../store/database.js';

const columns = ['revision', 'id', 'kind', 'state', 'goal', 'ids_hash', 'updated_at', 'record'] as const;
const id_column = columns.indexOf('id');

export const missionTable: Table<Mission, MissionEvent> = {
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
  ddl: projectionDdl('missions.v1.sql'),
  key: 'id',
});

type MissionRow = Readonly<Record<(typeof columns)[number], Value>> & Pick<Mission, 'revision' | 'goal' | 'id'>;

function missionOf(row: MissionRow): Mission {
  const mission = missionTable.stateOf([valuesOf(columns, row)]);
  if (mission === null) throw new Fault('a row holds no mission');
  return mission;
}

export function readMission(db: Db, id: string): Mission | null {
  const row = db.prepare<[string], MissionRow>(`SELECT ${columns.join(', ')} FROM mission WHERE id = ?`).get(id);
  return row === undefined ? null : missionOf(row);
}

export interface MissionFilter {
  readonly state?: MissionState | undefined;
  readonly kind?: Kind | undefined;
  /** Only missions with a smaller revision: the page after the one that ended there. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns missions, the most recently changed first. */
export function listMissions(db: Db, { state, kind, before, limit }: MissionFilter): MissionItem[] {
  const rows = db.prepare(listSql({ state, kind, before })).all({ state, kind, before, limit });
  return rows.map((row) => unwrap(decode(missionItem, row)));
}

function listSql({ state, kind, before }: Omit<MissionFilter, 'limit'>): string {
  const where = [
    ...(state === undefined ? [] : ['state = @state']),
    ...(kind === undefined ? [] : ['kind = @kind']),
    ...(before === undefined ? [] : ['revision < @before']),
  ];
  return `SELECT id, kind, goal, state, revision, updated_at FROM mission
    ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`} ORDER BY revision DESC LIMIT @limit`;
}

export interface MissionSearch extends MissionFilter {
  /** Part of a goal, ignoring case, or the beginning of an id. */
  readonly q: string;
  /** Number of missions that are searched. */
  readonly scan_max: number;
}

/** Returns the matching missions, the most recently changed first, and `before` for the next page, which may follow an incomplete page. */
export function searchMissions(
  db: Db,
  { state, kind, before, limit, q, scan_max }: MissionSearch,
): { readonly items: readonly MissionItem[]; readonly before: number | null } {
  const sought = q.toLowerCase();
  const items: MissionItem[] = [];
  let scanned = 0;
  const rows = db.prepare<[object], MissionRow>(listSql({ state, kind, before }));
  for (const row of rows.iterate({ state, kind, before, limit: scan_max + 1 })) {
    if (items.length === limit || scanned++ === scan_max) return { items, before: row.revision + 1 };
    if (row.goal.toLowerCase().includes(sought) || row.id.startsWith(sought)) items.push(unwrap(decode(missionItem, row)));
  }
  return { items, before: null };
}

/** Returns the missions in `running`, whose leases may be live. */
export const runningMissions = (db: Db): Mission[] =>
  db
    .prepare<[], MissionRow>(`SELECT ${columns.join(', ')} FROM mission WHERE state = 'running' ORDER BY revision`)
    .all()
    .map(missionOf);

/** Returns the newest approved mission with the same ids. */
export function approvedMissionWithIds(db: Db, kind: Kind, idsHash: string): Mission | null {
  const row = db
    .prepare<[string, Kind], MissionRow>(
      `SELECT ${columns.join(', ')} FROM mission WHERE ids_hash = ? AND state = 'completed' AND kind = ? ORDER BY revision DESC LIMIT 1`,
    )
    .get(idsHash, kind);
  return row === undefined ? null : missionOf(row);
}

const countCodec = object('Count', {
  state: required(choice('queued', 'running', 'review', 'completed', 'rejected', 'failed')),
  n: required(integer(0, Number.MAX_SAFE_INTEGER)),
});

export function countByState(db: Db): Readonly<Partial<Record<MissionState, number>>> {
  const rows = db.prepare('SELECT state, count(*) AS n FROM mission GROUP BY state').all();
  return Object.fromEntries(rows.map((row) => unwrap(decode(countCodec, row))).map(({ state, n }) => [state, n]));
}
