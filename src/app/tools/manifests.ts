/** Reads a manifest file from anyone and reports every fault with its path. */
import { canonicalJson } from '../../base/canonical-json.js';
import { parseJsonBytes } from '../../base/json.js';
import { type FieldError, invalid, invalidBy, isRefused, type Refusal, RefusalError } from '../../base/refusal.js';
import { fieldErrors } from '../../codec/faults.js';
import { manifestCodec, manifestWarnings, type ToolManifest, type ToolStatus } from '../../codec/tool-manifest.js';
import { decideImport, decideStatus, isToolId, toolStream } from '../../domain/tool.js';
import { ofFile, readInput } from '../../home/files.js';
import { tool_note_chars_max } from '../../base/limits.js';
import type { ImportedTool, ToolRecord } from '../../codec/api-tools.js';
import { recordEvents } from '../../journal/stream.js';
import type { Home } from '../home/home.js';
import { toolRecord } from './records.js';
import { knownTool, placeholder, requireTool } from './require.js';

const tool_manifest_bytes_max = 65_536;
const tool_manifest_depth_max = 20;

interface ManifestRead {
  /** Null when there are errors. */
  readonly manifest: ToolManifest | null;
  readonly errors: readonly FieldError[];
  /** The refusal of a command that needs the manifest; null without errors. */
  readonly refusal: Refusal | null;
}

const failed = (refusal: Refusal): ManifestRead => ({
  manifest: null,
  errors: refusal.errors ?? [{ path: '', message: refusal.detail }],
  refusal,
});

function readManifestFile(file: string): ManifestRead {
  let bytes: Buffer;
  try {
    bytes = readInput(file, tool_manifest_bytes_max);
  } catch (error) {
    if (error instanceof RefusalError) return failed(error.refusal);
    throw error;
  }
  return readManifest(bytes);
}

/** Reads a manifest. @param bytes UTF-8 without a byte order mark */
export function readManifest(bytes: Uint8Array): ManifestRead {
  if (bytes.length > tool_manifest_bytes_max) return failed(tooLarge);
  const parsed = parseJsonBytes(bytes);
  return isRefused(parsed) ? failed(parsed.left) : manifestOf(parsed.right);
}

/** Checks a manifest. @param json the parsed content of a manifest file */
function manifestOf(json: unknown): ManifestRead {
  const deep = tooDeep(json, '', 0);
  if (deep !== null) return failed(invalid(deep, `nested deeper than ${tool_manifest_depth_max} levels`));
  const decoded = manifestCodec.decode(json);
  if (isRefused(decoded)) {
    const errors = fieldErrors(decoded.left);
    return failed({ ...invalidBy(errors), errors });
  }
  // Numbers of unknown members may print longer than in the file.
  if (Buffer.byteLength(canonicalJson(decoded.right)) > tool_manifest_bytes_max) return failed(tooLarge);
  return { manifest: decoded.right, errors: [], refusal: null };
}

const tooLarge: Refusal = { code: 'too_large', detail: `a tool manifest has at most ${tool_manifest_bytes_max} bytes` };

/** Returns the path of the first array or object beyond the depth, or null. */
function tooDeep(value: unknown, path: string, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= tool_manifest_depth_max) return path;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const step = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = tooDeep(inner, step, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

export interface FileVerdict {
  readonly path: string;
  readonly valid: boolean;
  /** Every fault, with its path within the manifest; an empty path is the file as a whole. */
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

export interface ValidateReport {
  readonly valid: boolean;
  readonly files: readonly FileVerdict[];
}

export function validateManifests(paths: readonly string[]): ValidateReport {
  const files = paths.map((path): FileVerdict => {
    const { manifest, errors } = readManifestFile(path);
    return { path, valid: manifest !== null, errors, warnings: manifest === null ? [] : warningsOf(manifest) };
  });
  return { valid: files.every(({ valid }) => valid), files };
}

/** Warns of conflicts between members and of reasons why the manifest could not be imported. */
export const warningsOf = (manifest: ToolManifest): FieldError[] => [
  ...(isToolId(manifest.tool_id)
    ? []
    : [{ path: 'tool_id', message: 'is not a valid id here, so the manifest could not be imported' }]),
  ...manifestWarnings(manifest),
];

// Changes tools: imports a manifest or sets a status.

export async function importTool(home: Home, file: string, actor: string): Promise<ImportedTool> {
  const manifest = ofFile(file, () => required(readManifestFile(file)));
  return await importRead(home, manifest, actor);
}

/** Imports a manifest that is already parsed, as over HTTP. */
export const importManifest = async (home: Home, json: unknown, actor: string): Promise<ImportedTool> =>
  await importRead(home, required(manifestOf(json)), actor);

function required({ manifest, refusal }: ManifestRead): ToolManifest {
  if (manifest === null) throw new RefusalError(refusal ?? invalid('', 'is not a manifest'));
  return manifest;
}

async function importRead(home: Home, manifest: ToolManifest, actor: string): Promise<ImportedTool> {
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

interface StatusChange {
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
