/** The state of a tool in this home: its imported manifests and its status. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { canonicalJson } from '../base/canonical-json.js';
import { tool_id_chars_max } from '../base/limits.js';
import { invalid, ok, type Refusal, type Result } from '../base/refusal.js';
import { toolStatus } from '../codec/events/tool.js';
import { nullable, object, required, text } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { manifestCodec, type ToolManifest, toolMoves, type ToolStatus } from '../codec/tool-manifest.js';
import { type EventContext, type EventIn, streams } from './stream.js';
import { gateOf, isOwnTool } from './tool-catalog.js';

export type ToolEvent = EventIn<'tool.'>;

/** The state of a tool by the home's entries. */
export const toolCodec = object('Tool', {
  id: required(text()),
  status: required(toolStatus),
  /** The newest imported manifest; null while the shipped one is in force. */
  manifest: required(nullable(manifestCodec)),
  /** The reason for the status; null while nobody has set it. */
  note: required(nullable(text())),
  /** Sequence of its newest event. */
  revision: required(sequence),
  updated_at: required(time),
});

export type Tool = t.TypeOf<typeof toolCodec>;

/** The effective state of a tool: the shipped manifest and status, overridden by its entries. */
export interface KnownTool {
  readonly status: ToolStatus;
  readonly manifest: ToolManifest;
}

export const toolStream = streams<Tool, 'tool.'>('@tool:', { noun: 'tool', events: ['tool.'], evolve: evolveTool });

const idPattern = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${tool_id_chars_max - 1}}$`);
export const isToolId = (id: string): boolean => idPattern.test(id);

function evolveTool(tool: Tool | null, { type, document }: ToolEvent, { id, sequence, time }: EventContext): Tool {
  const at = { id, revision: sequence, updated_at: time };
  switch (type) {
    case 'tool.imported':
      return { ...at, status: document.status, manifest: document.manifest, note: tool?.note ?? null };
    case 'tool.status_set':
      return { ...at, status: document.to, manifest: tool?.manifest ?? null, note: document.note };
  }
}

type Events = Result<readonly ToolEvent[]>;

/** Decides to set a tool's status. @param tool null for one that is neither shipped nor imported */
export function decideStatus(id: string, tool: KnownTool | null, to: ToolStatus, note: string, actor: string): Events {
  if (tool === null) return E.left(notFound(id));
  const from = tool.status;
  if (!toolMoves[from].includes(to)) return E.left(wrongMove(id, from, to));
  return ok([{ type: 'tool.status_set', document: { from, to, note, actor } }]);
}

export const notFound = (id: string): Refusal => ({
  code: 'not_found',
  detail: isToolId(id) ? `there is no tool ${id}` : 'there is no such tool',
  hint: 'agent-cli tool list',
});

const wrongMove = (id: string, from: ToolStatus, to: ToolStatus): Refusal => ({
  code: 'wrong_state',
  detail:
    from === to
      ? `tool ${id} is ${from} already`
      : `tool ${id} is ${from}; from there it becomes ${toolMoves[from].join(' or ')}`,
  facts: { tool: id, status: from, next: toolMoves[from] },
});

/**
 * Decides to import a manifest. The same manifest changes nothing; a changed one needs another `tool_version`. The status does not change.
 * @param earlier the manifests that the tool had before the one in force
 */
export function decideImport(
  tool: KnownTool | null,
  manifest: ToolManifest,
  actor: string,
  earlier: readonly ToolManifest[] = [],
): Events {
  const refusal = importRefusal(manifest);
  if (refusal !== null) return E.left(refusal);
  const text = canonicalJson(manifest);
  const isOther = (known: ToolManifest): boolean => known.tool_version === manifest.tool_version && canonicalJson(known) !== text;
  if (tool !== null && canonicalJson(tool.manifest) === text) return E.right([]);
  if (earlier.some(isOther) || (tool !== null && isOther(tool.manifest))) {
    return E.left({
      code: 'conflict',
      detail: `tool ${manifest.tool_id} has another manifest with this tool_version; a changed manifest needs another one`,
      errors: [{ path: 'tool_version', message: 'a different manifest of this tool already has this version' }],
      hint: `agent-cli tool show ${manifest.tool_id}`,
    });
  }
  const status = tool?.status ?? manifest.status;
  return ok([{ type: 'tool.imported', document: { manifest, status, actor } }]);
}

/** A manifest of a shipped tool describes this program, so it must not require an approval for which there is no gate. */
function importRefusal({ tool_id, approval_required_for }: ToolManifest): Refusal | null {
  if (!isToolId(tool_id)) {
    return invalid('tool_id', `must match ${idPattern.source} to be imported here`);
  }
  if (!isOwnTool(tool_id) || approval_required_for.length === 0 || gateOf(tool_id) !== null) return null;
  return invalid(
    'approval_required_for',
    `neither a review nor a signed configuration controls ${tool_id}, so it would promise an approval that nobody gives`,
  );
}
