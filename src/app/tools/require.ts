/**
 * Checks whether a tool may be used: inside the write transaction that decides on its use, and again before an effect.
 */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { Fault, type Refusal, RefusalError, unwrap } from '../../base/refusal.js';
import { parseJsonBytes } from '../../base/json.js';
import { kinds } from '../../codec/kinds.js';
import { decode } from '../../codec/kit.js';
import { manifestCodec, type ToolManifest } from '../../codec/tool-manifest.js';
import { isOwnTool, type OwnToolId, toolOfKind } from '../../domain/tool-catalog.js';
import type { KnownTool, Tool } from '../../domain/tool.js';
import { missionKind } from '../../kinds/table.js';
import { readTool } from '../../tables/tools.js';
import type { Db } from '../../store/database.js';
import { packageRoot } from '../../store/package-root.js';

/** Returns the tool with its effective status and manifest, or null for a tool that is neither this program's nor imported. */
export const knownTool = (db: Db, id: string): KnownTool | null => known(id, readTool(db, id));

/** Returns the effective status and manifest of a tool. @param tool the recorded tool, or null when the journal has none */
export function known(id: string, tool: Tool | null): KnownTool | null {
  const shipped = isOwnTool(id) ? shippedManifest(id) : null;
  const manifest = tool?.manifest ?? shipped;
  return manifest === null ? null : { manifest, status: tool?.status ?? manifest.status };
}

/**
 * The number of characters of a note that a refusal shows: it becomes part of a mission's failure, which is shorter than a note
 * may be.
 */
const note_chars_shown = 300;

const because = (note: string | null): string => {
  if (note === null) return '';
  return note.length <= note_chars_shown ? ` (${note})` : ` (${note.slice(0, note_chars_shown).toWellFormed()}…)`;
};

/** The placeholder for the operator's reason in a printed command; it is not a valid reason itself. */
export const placeholder = 'YOUR REASON';
export const activating = (id: string): string => `agent-cli tool status ${id} --set active --note "${placeholder}"`;

/** Returns why one of this program's tools may not be used now, or null. */
export function toolRefusal(db: Db, id: OwnToolId): Refusal | null {
  const { status, note } = standing(db, id);
  if (status === 'active' || status === 'deprecated') return null;
  return {
    code: 'tool_disabled',
    detail: `tool ${id} is ${status}${because(note)}`,
    facts: { tool: id, status },
    hint: activating(id),
  };
}

/** Returns why the first of these tools that may not be used is refused, or null. */
export function stoppedTool(db: Db, ids: readonly OwnToolId[]): Refusal | null {
  for (const id of ids) {
    const refusal = toolRefusal(db, id);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Returns warnings for the operator when the tool is used: a deprecated tool works with a warning. */
export function toolWarnings(db: Db, id: OwnToolId): string[] {
  const { status, note } = standing(db, id);
  return status === 'deprecated' ? [`tool ${id} is deprecated${because(note)}`] : [];
}

/**
 * Allows the use of one of this program's tools and returns its warnings.
 * @throws RefusalError `tool_disabled` while its manifest is draft, disabled or quarantined
 */
export function requireTool(db: Db, id: OwnToolId): readonly string[] {
  const refusal = toolRefusal(db, id);
  if (refusal !== null) throw new RefusalError(refusal);
  return toolWarnings(db, id);
}

function standing(db: Db, id: OwnToolId): Pick<Tool, 'status' | 'note'> {
  return readTool(db, id) ?? { status: shippedManifest(id).status, note: null };
}

/** The manifests that the program ships for its own tools. Each is checked at its first use. */
const read = new Map<OwnToolId, ToolManifest>();

export function shippedManifest(id: OwnToolId): ToolManifest {
  const known = read.get(id) ?? load(id);
  read.set(id, known);
  return known;
}

function load(id: OwnToolId): ToolManifest {
  try {
    return unwrap(decode(manifestCodec, shipped(id)));
  } catch (error) {
    throw new Fault(`the installation is incomplete: the manifest of ${id} is missing or damaged`, error);
  }
}

/** Returns the unchecked manifest: the tool of a mission kind is declared with the kind; each other tool has a file. */
function shipped(id: OwnToolId): unknown {
  const kind = kinds.find((one) => toolOfKind(one) === id);
  if (kind !== undefined) return missionKind(kind).manifest;
  return unwrap(parseJsonBytes(readFileSync(path.join(packageRoot, 'manifests', `${id}.json`))));
}
