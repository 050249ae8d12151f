/** Warnings for queued missions. Queueing uses no tool, but a mission whose tool is stopped will not run yet: its submitter should know. */
import type { Kind } from '../../codec/kinds.js';
import { toolOfKind, type OwnToolId } from '../../domain/tool-catalog.js';
import { missionKind } from '../../kinds/table.js';
import type { Home } from '../home/home.js';
import { isShippedDraft, toolRecord } from './records.js';
import { toolRefusal } from './require.js';

/** Returns the warnings. A tool that this version does not have causes none: executing reports that. */
export function queueWarnings(home: Home, kind: Kind): string[] {
  const asksModel = missionKind(kind).usesProvider && home.config().llm_url !== '';
  return [toolOfKind(kind), ...(asksModel ? (['provider_call'] as const) : [])].flatMap((tool) => stoppedTool(home, tool));
}

function stoppedTool(home: Home, tool: OwnToolId): string[] {
  const refusal = toolRefusal(home.db, tool);
  if (refusal === null || isShippedDraft(toolRecord(home.db, tool))) return [];
  return [`${refusal.detail}: the mission waits until it is active`];
}
