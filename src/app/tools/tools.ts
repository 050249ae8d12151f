/** Tools: whether one may be used, their records, and what imports them or changes their status. */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { Fault, type FieldError, invalid, invalidBy, isRefused, type Refusal, RefusalError, unwrap } from '../../base/refusal.js';
import { parseJsonBytes } from '../../base/json.js';
import { noteFault } from '../../base/text.js';
import type { Check } from '../../codec/api-status.js';
import { kinds } from '../../codec/kinds.js';
import { decode } from '../../codec/kit.js';
import { manifestCodec, manifestWarnings, type ToolManifest, type ToolStatus } from '../../codec/tool-manifest.js';
import { gateOf, isOwnTool, type OwnToolId, ownToolIds, toolOfKind } from '../../domain/tool-catalog.js';
import { decideImport, decideStatus, isToolId, type KnownTool, notFound, type Tool, toolStream } from '../../domain/tool.js';
import { missionKind } from '../../kinds/table.js';
import { readEvents } from '../../tables/read.js';
import { readTool, recordedTools } from '../../tables/tools.js';
import type { Db } from '../../store/database.js';
import { packageRoot } from '../../store/package-root.js';
import { damageRefusal } from '../../base/damage.js';
import type { ImportedTool, ToolList, ToolRecord } from '../../codec/api-tools.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { fieldErrors } from '../../codec/faults.js';
import { ofFile, readInput } from '../../home/files.js';
import { tool_note_chars_max } from '../../base/limits.js';
import { recordEvents } from '../../journal/stream.js';
import type { Home } from '../home/home.js';

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

const standing = (db: Db, id: OwnToolId): Pick<Tool, 'status' | 'note'> =>
  readTool(db, id) ?? { status: shippedManifest(id).status, note: null };

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
  const kind = kinds.find((candidate) => toolOfKind(candidate) === id);
  if (kind !== undefined) return missionKind(kind).manifest;
  return unwrap(parseJsonBytes(readFileSync(path.join(packageRoot, 'manifests', `${id}.json`))));
}

// Tools as commands print them, this program's own and imported ones, and their check by `doctor`.

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

const isStopped = ({ status }: ToolRecord): boolean => status !== 'deprecated';

/** Returns the command to run. A deprecated tool works: there is a reason to read, and nothing to fix. */
const fixOf = (tool: ToolRecord): string => (isStopped(tool) ? activating(tool.id) : `agent-cli tool show ${tool.id}`);

/** Returns the check of `doctor` for this program's tools: it warns of every own one that is not active, with its status. */
export function toolsCheck(home: Home): Check {
  try {
    const own = listTools(home).items.filter((tool) => tool.own);
    const idle = own.filter((tool) => tool.status !== 'active');
    const [first] = idle;
    if (first !== undefined) {
      const detail = idle.map(({ id, status }) => `${id} is ${status}`).join(', ');
      return { name: 'tools', status: 'warn', detail, fix: fixOf(idle.find(isStopped) ?? first) };
    }
    return { name: 'tools', status: 'ok', detail: `${own.length} active`, fix: null };
  } catch (error) {
    const refusal = error instanceof RefusalError ? error.refusal : damageRefusal(error);
    if (refusal === null) throw error;
    return { name: 'tools', status: 'fail', detail: refusal.detail, fix: refusal.hint ?? null };
  }
}

// Reads a manifest file from anyone and reports every fault with its path.

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

export type ValidateReport = Readonly<ReturnType<typeof validateManifests>>;

export function validateManifests(paths: readonly string[]) {
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
    const imported = readEvents(tx.db, toolStream, id).flatMap((event) =>
      event.type === 'tool.imported' ? event.document.manifest : [],
    );
    const earlier = isOwnTool(id) ? [shippedManifest(id), ...imported] : imported;
    return recordEvents(tx, toolStream, id, decideImport(knownTool(tx.db, id), manifest, actor, earlier));
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
  const fault = noteFault(note, tool_note_chars_max);
  if (fault !== null) throw new RefusalError(invalid('note', fault));
  if (note.trim() === placeholder)
    throw new RefusalError(invalid('note', `say why: "${placeholder}" is a placeholder for your reason`));
  await home.transact((tx) => recordEvents(tx, toolStream, id, decideStatus(id, knownTool(tx.db, id), to, note, actor)));
  return toolRecord(home.db, id);
}
