/** Changes tools: imports a manifest or sets a status. */
import { tool_note_chars_max } from '../../base/limits.js';
import { type FieldError, invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { ImportedTool, ToolRecord } from '../../codec/api-tools.js';
import type { ToolStatus } from '../../codec/tool-manifest.js';
import { decideImport, decideStatus, toolStream } from '../../domain/tool.js';
import { recordEvents } from '../../journal/stream.js';
import type { Home } from '../home/home.js';
import { manifestOf, type ManifestRead, readManifestFile, warningsOf } from './manifests.js';
import { toolRecord } from './records.js';
import { knownTool, placeholder, requireTool } from './require.js';

export const importTool = (home: Home, file: string, actor: string): Promise<ImportedTool> =>
  importRead(home, readManifestFile(file), actor);

/** Imports a manifest that is already parsed, as over HTTP. */
export const importManifest = (home: Home, json: unknown, actor: string): Promise<ImportedTool> =>
  importRead(home, manifestOf(json), actor);

async function importRead(home: Home, { manifest, refusal }: ManifestRead, actor: string): Promise<ImportedTool> {
  if (manifest === null) throw new RefusalError(refusal ?? invalid('', 'is not a manifest'));
  const { tool_id: id } = manifest;
  let said: readonly string[] = [];
  const recorded = await home.transact((tx) => {
    said = requireTool(tx.db, 'tool_import');
    return recordEvents(tx, toolStream, id, decideImport(knownTool(tx.db, id), manifest, actor));
  });
  const tool = toolRecord(home.db, id);
  const warnings = [...said.map((message) => ({ path: '', message })), ...warningsOf(manifest), ...otherStatus(tool)];
  return { ...tool, recorded: recorded.length > 0, warnings };
}

const otherStatus = ({ status, manifest }: ToolRecord): FieldError[] =>
  status === manifest.status ? [] : [{ path: 'status', message: `is ${manifest.status}; the tool stays ${status}` }];

export interface StatusChange {
  readonly to: ToolStatus;
  readonly note: string;
  readonly actor: string;
}

export async function setToolStatus(home: Home, id: string, { to, note, actor }: StatusChange): Promise<ToolRecord> {
  if (note.trim() === '' || note.length > tool_note_chars_max || !note.isWellFormed()) {
    throw new RefusalError(invalid('note', `must have 1 to ${tool_note_chars_max} characters and not be blank`));
  }
  if (note.trim() === placeholder)
    throw new RefusalError(invalid('note', `say why: "${placeholder}" is a placeholder for your reason`));
  await home.transact((tx) => recordEvents(tx, toolStream, id, decideStatus(id, knownTool(tx.db, id), to, note, actor)));
  return toolRecord(home.db, id);
}
