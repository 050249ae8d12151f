/** Tools and access tokens by their signed entries, which the tables must match. */
import { canonicalJson } from '../base/canonical-json.js';
import { toolStatus } from '../codec/events/tool.js';
import { decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { manifestCodec } from '../codec/tool-manifest.js';
import type { Token, TokenEvent } from '../domain/token.js';
import { type Tool, type ToolEvent, toolStream } from '../domain/tool.js';
import { requireSigned } from '../journal/stream.js';
import { rowProjector } from './project.js';
import { decoded, named, parsed, type Table, valuesOf } from './table.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { readAll, readOne } from './read.js';
import { tokenTable } from './tokens.js';

/** One row a tool that the journal says something of. `manifest` is canonical JSON, null while the one that the program ships stands. */
const ddl = `CREATE TABLE tool(
  id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  manifest TEXT,
  note TEXT,
  revision INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
`;

const toolCodec = object('Tool', {
  id: required(text()),
  status: required(toolStatus),
  manifest: required(nullable(manifestCodec)),
  note: required(nullable(text())),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
  updated_at: required(time),
});
const columns = Object.keys(toolCodec.fields);

const toolTable: Table<Tool, ToolEvent> = {
  stream: toolStream,
  name: 'tool',
  columns,
  idOf: ([id]) => String(id),
  rowsOf: (tool) => [valuesOf(columns, { ...tool, manifest: tool.manifest === null ? null : canonicalJson(tool.manifest) })],
  stateOf([row]) {
    if (row === undefined) return null;
    const values = named(columns, row);
    const manifest = values['manifest'] === null ? null : parsed('tool', values['manifest']);
    return decoded('tool', decode(toolCodec, { ...values, manifest }));
  },
};

export const toolsProjector = rowProjector(toolTable, {
  name: 'tools',
  version: 1,
  ddl,
  key: 'id',
});

const selectTools = `SELECT ${toolTable.columns.join(', ')} FROM tool`;

/** Returns the recorded state of a tool; null when the journal has no entry about it. */
export const readTool = (db: Db, id: string): Tool | null => readOne(db, toolTable, id, `${selectTools} WHERE id = ?`, id);

/** Returns every tool that has entries, by id. */
export const recordedTools = (db: Db): Tool[] =>
  [...readAll(db, toolTable, selectTools).values()]
    .flatMap(({ state }) => state ?? [])
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Whoever can write to the file could add a token, so the signature of every entry about one is checked. */
const checkedTokens: CheckedTable<Token, TokenEvent> = { ...tokenTable, check: requireSigned };

export interface RecordedTokens {
  readonly byId: ReadonlyMap<string, Token>;
  /** Names of the tokens whose entries are damaged: they can be revoked, and not be used. */
  readonly doubtful: ReadonlySet<string>;
}

/** Returns every token that the journal records. */
export function recordedTokens(db: Db): RecordedTokens {
  const all = [...readAll(db, checkedTokens, `SELECT ${tokenTable.columns.join(', ')} FROM token`)];
  return {
    byId: new Map(all.flatMap(([name, { state }]) => (state === null ? [] : [[name, state]]))),
    doubtful: new Set(all.flatMap(([name, { isDoubtful }]) => (isDoubtful ? [name] : []))),
  };
}
