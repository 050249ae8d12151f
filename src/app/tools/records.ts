/** Tools as commands print them: this program's own and imported ones. */
import { RefusalError } from '../../base/result.js';
import type { ToolList, ToolRecord } from '../../codec/api-tools.js';
import { notFound, type Tool } from '../../domain/tool.js';
import { gateOf, isOwnTool, ownToolIds } from '../../domain/tool-catalog.js';
import { readTool, recordedTools } from '../../rows/tools.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { known } from './require.js';

/** Whether a tool is a draft that nobody has changed, that is, a tool that this version does not have yet. */
export const isShippedDraft = ({ status, revision }: ToolRecord): boolean => status === 'draft' && revision === null;

/** Lists this program's own tools first, in the order of the catalogue, then the others by id. */
export function listTools(home: Home): ToolList {
  const recorded = new Map(recordedTools(home.db).map((tool) => [tool.id, tool]));
  const others = [...recorded.keys()].filter((id) => !isOwnTool(id));
  return { items: [...ownToolIds, ...others].flatMap((id) => recordOf(id, recorded.get(id) ?? null) ?? []) };
}

/** Returns the record of a tool. @throws RefusalError `not_found` */
export function toolRecord(db: Db, id: string): ToolRecord {
  const record = recordOf(id, readTool(db, id));
  if (record === null) throw new RefusalError(notFound(id));
  return record;
}

export const showTool = (home: Home, id: string): ToolRecord => toolRecord(home.db, id);

function recordOf(id: string, tool: Tool | null): ToolRecord | null {
  const counts = known(id, tool);
  if (counts === null) return null;
  const { note, revision, updated_at } = tool ?? { note: null, revision: null, updated_at: null };
  const own = isOwnTool(id);
  return { id, status: counts.status, own, gate: own ? gateOf(id) : null, note, revision, updated_at, manifest: counts.manifest };
}
