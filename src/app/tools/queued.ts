/**
 * Warnings for queued missions. Queueing uses neither tool nor provider, but a mission whose tool is stopped will not run yet, and
 * one whose provider does not exist will run without it: its submitter should know.
 */
import type { Kind } from '../../codec/kinds.js';
import { toolOfKind } from '../../domain/tool-catalog.js';
import { missionKind } from '../../kinds/table.js';
import type { Home } from '../home/home.js';
import { providerWarning } from '../home/provider.js';
import { isShippedDraft, toolRecord } from './records.js';
import { toolRefusal } from './require.js';

/** Returns the warnings. A tool that this version does not have causes none: executing reports that. */
export function queueWarnings(home: Home, kind: Kind): string[] {
  const warning = missionKind(kind).usesProvider ? providerWarning(home.config()) : null;
  return [...stoppedTool(home, kind), ...(warning === null ? [] : [warning])];
}

function stoppedTool(home: Home, kind: Kind): string[] {
  const tool = toolOfKind(kind);
  const refusal = toolRefusal(home.db, tool);
  if (refusal === null || isShippedDraft(toolRecord(home.db, tool))) return [];
  return [`${refusal.detail}: the mission waits until it is active`];
}
