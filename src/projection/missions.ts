/** Projection of missions. */
import { canonicalJson } from '../base/canonical-json.js';
import { decode } from '../codec/kit.js';
import { missionCodec, type Mission } from '../codec/record.js';
import { missionStream } from '../domain/mission-evolve.js';
import type { MissionEvent } from '../domain/mission.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, parsed, type Table } from './table.js';

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
