/**
 * SQLite, by the better-sqlite3 that fits this Node. Version 13 needs Node-API 10, which came with Node 22.14. Version 12 is for those before;
 * compiled for Node 24.19 or later, it ends the process when memory is collected (better-sqlite3 issue 1515).
 */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const load = createRequire(import.meta.url);
const node_api_min = 10;

const library = (): typeof BetterSqlite3 =>
  (Number(process.versions.napi) >= node_api_min ? load('better-sqlite3-13') : load('better-sqlite3')) as typeof BetterSqlite3;

/** Opens a database, called with `new`. The library is loaded at the first one: to verify an export needs none. */
export const Database = function (...args: ConstructorParameters<typeof BetterSqlite3>) {
  return new (library())(...args);
} as unknown as typeof BetterSqlite3;
