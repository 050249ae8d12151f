/** Tools by their signed entries, which the table must match. */
import { type Tool, toolCodec, toolStream } from '../domain/tool.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { readOne, readAll } from './read.js';

export const toolTable = defineRowTable<Tool>({
  stream: toolStream,
  name: 'tool',
  projection: 'tools',
  version: 1,
  row: toolCodec,
  key: 'id',
});

/** Returns the recorded state of a tool; null when the journal has no entry about it. */
export const readTool = (db: Db, id: string): Tool | null => readOne(db, toolTable, id);

/** Returns every tool that has entries, by id. */
export const recordedTools = (db: Db): Tool[] =>
  [...readAll(db, toolTable).values()].flatMap(({ state }) => state ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
