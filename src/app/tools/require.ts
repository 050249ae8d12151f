/**
 * Whether a tool may be used: asked inside the write transaction that decides on its use, and again before an effect. The status is
 * read from the signed entries of the tool's stream, never from the table alone.
 */
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { KnownTool, Tool } from '../../domain/tool.js';
import { toolStream } from '../../domain/tool.js';
import { isOwnTool, type OwnToolId } from '../../domain/tool-catalog.js';
import { signedState } from '../../journal/stream.js';
import { readTool } from '../../projection/tools.js';
import type { Db } from '../../store/database.js';
import { shippedManifest } from './shipped.js';

/**
 * What the journal says of a tool, as its own entries make it, which must be what the table says; null when nothing does.
 * @throws RefusalError `integrity` when it is not
 */
export const signedTool = (db: Db, id: string): Tool | null => signedState(db, toolStream, id, readTool(db, id));

/** The tool as it counts here, or null for one that is neither ours nor imported. */
export const knownTool = (db: Db, id: string): KnownTool | null => known(id, signedTool(db, id));

/** @param tool what the journal says of it */
export function known(id: string, tool: Tool | null): KnownTool | null {
  const shipped = isOwnTool(id) ? shippedManifest(id) : null;
  const manifest = tool?.manifest ?? shipped;
  return manifest === null ? null : { manifest, status: tool?.status ?? manifest.status };
}

/** A refusal goes into a mission's failure, which is shorter than a note may be. */
const note_chars_shown = 300;

const because = (note: string | null): string => {
  if (note === null) return '';
  return note.length <= note_chars_shown ? ` (${note})` : ` (${note.slice(0, note_chars_shown).toWellFormed()}…)`;
};

/** Stands in the command where the operator's reason belongs; it is no reason itself. */
export const placeholder = 'YOUR REASON';
export const activating = (id: string): string => `agent-cli tool status ${id} --set active --note "${placeholder}"`;

/** Why one of our tools may not be used now, or null. */
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

/** What the operator should read when the tool is used: a deprecated tool works, and says so. */
export function toolWarnings(db: Db, id: OwnToolId): string[] {
  const { status, note } = standing(db, id);
  return status === 'deprecated' ? [`tool ${id} is deprecated${because(note)}`] : [];
}

/**
 * Lets a use of one of our tools pass, and returns its warnings.
 * @throws RefusalError `tool_disabled` while its manifest is draft, disabled or quarantined
 */
export function requireTool(db: Db, id: OwnToolId): readonly string[] {
  const refusal = toolRefusal(db, id);
  if (refusal !== null) throw new RefusalError(refusal);
  return toolWarnings(db, id);
}

function standing(db: Db, id: OwnToolId): Pick<Tool, 'status' | 'note'> {
  return signedTool(db, id) ?? { status: shippedManifest(id).status, note: null };
}
