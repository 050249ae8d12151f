/** Tools by their signed entries, which the table must match. */
import { toolStatus } from '../codec/events/tool.js';
import { integer, nullable, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { manifestCodec } from '../codec/tool-manifest.js';
import { type Tool, toolStream } from '../domain/tool.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { readAll, readOne } from './read.js';

/** One row a tool that the journal says something of. `manifest` is canonical JSON, null while the one that the program ships stands. */
const row = object('Tool', {
  id: required(text()),
  status: required(toolStatus),
  manifest: required(nullable(manifestCodec)),
  note: required(nullable(text())),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
  updated_at: required(time),
});

export const toolTable = defineRowTable<Tool>({
  stream: toolStream,
  name: 'tool',
  projection: 'tools',
  version: 1,
  row,
  key: 'id',
});

/** Returns the recorded state of a tool; null when the journal has no entry about it. */
export const readTool = (db: Db, id: string): Tool | null => readOne(db, toolTable, id);

/** Returns every tool that has entries, by id. */
export const recordedTools = (db: Db): Tool[] =>
  [...readAll(db, toolTable).values()].flatMap(({ state }) => state ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
