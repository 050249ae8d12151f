/** Tools by their signed entries, which the table must match. */
import { canonicalJson } from '../base/canonical-json.js';
import { toolStatus } from '../codec/events/tool.js';
import { decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { manifestCodec } from '../codec/tool-manifest.js';
import { type Tool, toolStream } from '../domain/tool.js';
import { decoded, defineTable, named, parsed, valuesOf } from '../state/table.js';
import type { Db } from '../store/database.js';
import { readAll, readOne } from './read.js';

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

export const toolTable = defineTable<Tool>({
  stream: toolStream,
  name: 'tool',
  projection: 'tools',
  ddl,
  version: 1,
  columns,
  key: 'id',
  rowsOf: (tool) => [valuesOf(columns, { ...tool, manifest: tool.manifest === null ? null : canonicalJson(tool.manifest) })],
  stateOf([row]) {
    if (row === undefined) return null;
    const values = named(columns, row);
    const manifest = values['manifest'] === null ? null : parsed('tool', values['manifest']);
    return decoded('tool', decode(toolCodec, { ...values, manifest }));
  },
});

/** Returns the recorded state of a tool; null when the journal has no entry about it. */
export const readTool = (db: Db, id: string): Tool | null => readOne(db, toolTable, id);

/** Returns every tool that has entries, by id. */
export const recordedTools = (db: Db): Tool[] =>
  [...readAll(db, toolTable).values()].flatMap(({ state }) => state ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
