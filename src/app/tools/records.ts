/** Tools as commands print them, this program's own and imported ones; their check by `doctor`, and the warnings for queued missions. */
import { damageRefusal } from '../../base/damage.js';
import { RefusalError } from '../../base/refusal.js';
import type { ToolList, ToolRecord } from '../../codec/api-tools.js';
import type { Mission } from '../../codec/record.js';
import { gateOf, isOwnTool, type OwnToolId, ownToolIds, toolOfKind } from '../../domain/tool-catalog.js';
import { notFound, type Tool } from '../../domain/tool.js';
import { missionKind } from '../../kinds/table.js';
import { readTool, recordedTools } from '../../tables/tools.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { afterCommit } from '../home/recording.js';
import { activating, known, toolRefusal } from './require.js';

/** Whether a tool is a draft that nobody has changed, that is, a tool that this version does not have yet. */
const isShippedDraft = ({ status, revision }: ToolRecord): boolean => status === 'draft' && revision === null;

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

/** The check of `doctor` for this program's tools. */
interface ToolsCheck {
  readonly name: 'tools';
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix: string | null;
}

const isStopped = ({ status }: ToolRecord): boolean => status !== 'deprecated';

/** Returns the command to run. A deprecated tool works: there is a reason to read, and nothing to fix. */
const fixOf = (tool: ToolRecord): string => (isStopped(tool) ? activating(tool.id) : `agent-cli tool show ${tool.id}`);

/** Warns of every own tool that is not active, with its status. */
export function toolsCheck(home: Home): ToolsCheck {
  try {
    const own = listTools(home).items.filter((tool) => tool.own);
    const drafts = own.filter(isShippedDraft);
    const idle = own.filter((tool) => tool.status !== 'active' && !isShippedDraft(tool));
    const [first] = idle;
    if (first !== undefined) {
      const detail = idle.map(({ id, status }) => `${id} is ${status}`).join(', ');
      return { name: 'tools', status: 'warn', detail, fix: fixOf(idle.find(isStopped) ?? first) };
    }
    const detail = `${own.length - drafts.length} active, ${drafts.length} drafts of what this version does not have yet`;
    return { name: 'tools', status: 'ok', detail, fix: null };
  } catch (error) {
    const refusal = error instanceof RefusalError ? error.refusal : damageRefusal(error);
    if (refusal === null) throw error;
    return { name: 'tools', status: 'fail', detail: refusal.detail, fix: refusal.hint ?? null };
  }
}

/** Returns the warnings about a mission that was just queued. A tool that this version does not have causes none: executing reports that. */
export function queueWarnings(home: Home, { id, kind }: Pick<Mission, 'id' | 'kind'>): string[] {
  const done = { recorded: `mission ${id} is queued`, remains: null };
  return afterCommit(done, 'its tool could not be read', () => {
    const asksModel = missionKind(kind).usesProvider && home.config().llm_url !== '';
    return [toolOfKind(kind), ...(asksModel ? (['provider_call'] as const) : [])].flatMap((tool) => stoppedTool(home, tool));
  });
}

function stoppedTool(home: Home, tool: OwnToolId): string[] {
  const refusal = toolRefusal(home.db, tool);
  if (refusal === null || isShippedDraft(toolRecord(home.db, tool))) return [];
  return [`${refusal.detail}: the mission waits until it is active`];
}
