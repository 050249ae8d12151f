/** Checks that the tables have a row for each stream and no other: queries would not see a stream that lacks its row. */
import type { Event } from '../codec/event.js';
import { missionTable } from '../projection/missions.js';
import { simulationTable } from '../projection/simulations.js';
import type { Table } from '../projection/table.js';
import { tokenTable } from '../projection/tokens.js';
import { toolTable } from '../projection/tools.js';
import type { Db } from '../store/database.js';
import { rowsOf } from './compare.js';
import { connectionOf, isSmall } from './connection.js';
import { readMission } from './missions.js';
import { readRun } from './simulations.js';
import { readTool, recordedTokens } from './tools.js';

/**
 * Checks the tables of a small journal: a larger one takes too long for every command, and `verify --deep` checks it.
 * @throws RefusalError `integrity` for a row too many or too few, unless the connection tolerates damage
 */
export function requireAllRows(db: Db): void {
  connectionOf(db).snapshot(() => {
    if (!isSmall(db)) return;
    requireRows(db, missionTable, 'id', readMission);
    requireRows(db, simulationTable, 'id', readRun);
    requireRows(db, toolTable, 'id', readTool);
    requireRows(db, tokenTable, 'name', recordedTokens);
  });
}

/**
 * Reads every stream without a row and every row without a stream, which compares them: a stream need not make a state.
 * @param key the column that holds the stream's id
 */
function requireRows<State, A extends Event>(
  db: Db,
  table: Table<State, A>,
  key: string,
  read: (db: Db, id: string) => unknown,
): void {
  const { prefix, idOf } = table.stream;
  // Missions have no prefix, and every other stream begins with an @.
  const streams = `SELECT mission FROM events WHERE ${prefix === '' ? "mission NOT GLOB '@*'" : `mission GLOB '${prefix}*'`}`;
  const rows = `SELECT '${prefix}' || ${key} FROM ${table.name}`;
  const lacking = rowsOf(db, table, `${streams} EXCEPT ${rows}`, []).flatMap(([name]) => idOf(String(name)) ?? []);
  const foreign = rowsOf(db, table, `${rows} EXCEPT ${streams}`, []).map(([name]) => String(name).slice(prefix.length));
  for (const id of [...lacking, ...foreign]) read(db, id);
}
