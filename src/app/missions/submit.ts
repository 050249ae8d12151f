/** `run`: turns a mission file into a queued mission. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { parseJsonNode } from '../../base/json.js';
import * as limits from '../../base/limits.js';
import { invalid, invalidBy, RefusalError, unwrap } from '../../base/refusal.js';
import { quoted, standard_stream } from '../../base/text.js';
import { canonicalOf, canonicalText } from '../../codec/canonical.js';
import { decodeJson } from '../../codec/decode-json.js';
import { decode } from '../../codec/kit.js';
import { uuidInAnyCase } from '../../codec/scalars.js';
import { benchmarkOf, numberFaults, repeatedCases } from '../../kinds/code/cases.js';
import { missionRequest, type MissionRequest } from '../../kinds/request.js';
import { missionKind, needsSandbox } from '../../kinds/table.js';
import type { Mission } from '../../codec/record.js';
import { idsHashOf } from '../../domain/mission.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import { decideSubmit } from '../../domain/mission-decide.js';
import { changedPaths } from '../../domain/request-changes.js';
import { inputName, ofFile, readNamed } from '../../home/files.js';
import { input_file_bytes_max } from '../../intake/process/reading.js';
import type { Transaction } from '../../journal/writer.js';
import { readMission } from '../../tables/missions.js';
import { approverOf } from '../../tables/tokens.js';
import { exportBytesBound, isOfReference, isRepeatOfReference } from '../reference/mission.js';
import type { Home } from '../home/home.js';
import { requireRoom } from './assistants.js';
import { missionRecord, record, requireMission, requireRequest, storedRequest } from './record.js';
import type { Db } from '../../store/database.js';

/** The deepest nesting of a request: an entry and an export nest it a few levels deeper. */
const request_depth_max = 60;

type Submission = Readonly<ReturnType<typeof submissionOf>>;

/** Decodes a mission file. Refuses a mission whose result could not fit an export. */
export function readSubmission(bytes: Uint8Array): Submission {
  requireSize(bytes.length, limits.drafted_file_bytes_max);
  const request = unwrap(decodeJson(missionRequest, bytes, { byteOrderMark: 'ignore' }));
  if (request.provenance === undefined) requireSize(bytes.length, limits.mission_file_bytes_max);
  refuseRewritten(request, bytes);
  return submissionOf(request);
}

function requireSize(bytes: number, most: number): void {
  if (bytes > most) throw new RefusalError('too_large', `a mission has at most ${most} bytes`);
}

/** More than the blanks that begin a mission file. */
const beginning_bytes = 1_024;

/**
 * Refuses a code mission that writes a number which storing it would rewrite, because its cases count as they are written.
 * @param bytes the JSON text of the request
 */
export function refuseRewritten({ work }: MissionRequest, bytes: Uint8Array): void {
  if (!needsSandbox(work.kind)) return;
  const text = new TextDecoder().decode(bytes);
  const errors = numberFaults(unwrap(parseJsonNode(text)), text);
  if (errors.length > 0) throw new RefusalError(invalidBy(errors));
}

/**
 * Refuses a decoded request that is nested too deep or too large, or whose result could not fit an export. Returns what is stored of it,
 * and that as canonical JSON, which the hash covers.
 */
function submissionOf(request: MissionRequest) {
  if (depthOf(request) > request_depth_max) {
    throw new RefusalError(invalid('work', `is nested deeper than ${request_depth_max} levels`));
  }
  const stored = canonicalOf(missionRequest, request);
  const text = canonicalJson(stored);
  const bytes_max = request.provenance === undefined ? limits.mission_file_bytes_max : limits.drafted_mission_bytes_max;
  if (Buffer.byteLength(text) > bytes_max) {
    const detail = `with its defaults filled in, the mission has more than ${bytes_max} bytes`;
    throw new RefusalError('too_large', detail);
  }
  const bound = missionKind(request.work.kind).solver.size.result(request.work);
  if (bound.bytes > limits.result_bytes_max) throw tooLong('result', bound.bytes, limits.result_bytes_max);
  const exported = exportBytesBound(request, text, bound);
  if (exported > limits.export_bytes_max) throw tooLong('export', exported, limits.export_bytes_max);
  return { request, stored, text };
}

/** Returns the number of nested levels of arrays and objects. */
const depthOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : 1 + Object.values(value).reduce<number>((deepest, member) => Math.max(deepest, depthOf(member)), 0);

/** @throws RefusalError `invalid` for an effort above the ceiling of the configuration */
function refuseEffort(home: Home, effort: number): void {
  const { effort_max } = home.config();
  if (effort > effort_max)
    throw new RefusalError(invalid('effort', `must be at most ${effort_max}, the effort_max of the configuration`));
}

const tooLong = (what: string, bytes: number, bytes_max: number): RefusalError =>
  new RefusalError(
    invalid('work', `its ${what} could have ${bytes} bytes, at most ${bytes_max} are allowed; shorten ids and texts or split it`),
  );

/**
 * Returns the id of the mission that a request id names: the same UUID in lower case, whatever its case; a new one without a request id.
 */
function missionId(requestId: string | undefined): string {
  if (requestId === undefined) return randomUUID();
  if (/^0{8}(?:-0{4}){3}-0{12}$/.test(requestId)) throw new RefusalError(invalid('request-id', 'must not be the nil UUID'));
  if (!uuidInAnyCase.is(requestId)) throw new RefusalError(invalid('request-id', 'must be a UUID'));
  return requestId.toLowerCase();
}

/** Reads a mission file, or standard input by `-`. @throws RefusalError which names the file where its text is not JSON, and the member where that is wrong */
export function readMissionFile(file: string): Submission {
  // A file that is no mission file may be larger, and is told by its beginning.
  const bytes = readNamed(file, file === standard_stream ? limits.drafted_file_bytes_max : input_file_bytes_max);
  refuseOtherFile(file, bytes);
  return ofFile(file, () => readSubmission(bytes));
}

/** JSON of more than one value begins with a bracket; the faults of a file with the name of JSON are those of its text. Other files, such as spreadsheets, become missions of a kind that is named. @throws RefusalError `malformed` */
function refuseOtherFile(file: string, bytes: Buffer): void {
  if (/\.json$/i.test(file)) return;
  if (/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:[[{]|$)/.test(bytes.toString('latin1', 0, beginning_bytes))) return;
  throw new RefusalError(
    'malformed',
    `${inputName(file)} is not a mission file (JSON); where it is a spreadsheet or a document, agent-cli new KIND --from ${quoted(file)} makes a mission file of it, and agent-cli run ${quoted(file)} --kind KIND queues it at once`,
    { hint: 'agent-cli new --help' },
  );
}

/** Returns what a person should know of a mission that was queued: it is valid, but may not test what it seems to. */
export function submissionWarnings({ kind, request }: MissionRecord): string[] {
  if (!needsSandbox(kind)) return [];
  const decoded = unwrap(decode(missionRequest, request));
  const { work } = decoded;
  return work.kind === 'code' ? repeatedCases(unwrap(benchmarkOf(canonicalText(missionRequest, decoded))), work.language) : [];
}

interface SubmitOptions {
  /** The mission whose request was changed to make it. */
  readonly derivedFrom?: string | undefined;
  /** Whether the actor is an assistant. */
  readonly isAssistant?: boolean | undefined;
}

/**
 * Queues a mission from a request that is already decoded, as over HTTP; `created` is false when one with the same request id and input
 * existed already. @throws RefusalError `too_many_requests` for an assistant beyond its limits
 */
export async function submitMission(
  home: Home,
  request: MissionRequest,
  requestId: string | undefined,
  actor: string,
  options: SubmitOptions = {},
) {
  const submission = submissionOf(withChanges(home.db, request, options));
  if (typeof request.effort === 'number') refuseEffort(home, request.effort);
  const id = missionId(requestId);
  const { mission, created } = await home.transact((tx) => submit(tx, id, submission, actor, options));
  return { record: missionRecord(home, mission, created ? submission.stored : undefined), created };
}

/** Returns the request of a changed mission with the paths of the values that are no longer those of its files. */
function withChanges(db: Db, request: MissionRequest, { derivedFrom }: SubmitOptions): MissionRequest {
  const { provenance } = request;
  const origin = derivedFrom === undefined || provenance === undefined ? null : requireMission(db, derivedFrom);
  if (provenance === undefined || origin === null || storedRequest(db, origin) === null) return request;
  const before = requireRequest(db, origin);
  const read = (of: MissionRequest): string => canonicalJson({ ...of.provenance, changed: [] });
  if (before.provenance === undefined || read(before) !== read(request)) return request;
  const named = [...(before.provenance.changed ?? []), ...(provenance.changed ?? [])];
  const changed = changedPaths(before.work, request.work, named);
  return changed.length === 0 ? request : { ...request, provenance: { ...provenance, changed } };
}

/** Stores the request in the event, or in a blob when it is large or holds texts or names that may have to be erased. */
function submit(
  tx: Transaction,
  id: string,
  { request, stored, text }: Submission,
  actor: string,
  { derivedFrom, isAssistant = false }: SubmitOptions,
): { readonly mission: Mission; readonly created: boolean } {
  if (derivedFrom !== undefined) requireMission(tx.db, derivedFrom);
  const known = readMission(tx.db, id);
  const request_hash = sha256Hex(text);
  // The reference agent hashed its own text.
  const isSame = known !== null && isOfReference(tx.db, known) && isRepeatOfReference(tx.db, known, text);
  const existing = isSame ? { ...known, request_hash } : known;
  if (existing === null && isAssistant) requireRoom(tx, actor);
  const requester = approverOf(tx.db, actor);
  const { erasable, seedIds } = missionKind(request.work.kind);
  const isErasable = request.provenance !== undefined || erasable(request.work);
  const apart = existing === null && (isErasable || Buffer.byteLength(text) > limits.inline_value_bytes_max);
  const document = {
    kind: request.work.kind,
    goal: request.goal,
    request_hash,
    ...(apart ? { request_blob: tx.putBlob(Buffer.from(text)) } : { request: stored }),
    // It finds an earlier mission to seed the search of this one.
    ...(seedIds === null ? {} : { ids_hash: idsHashOf(request.work.kind, seedIds(request.work)) }),
    ...(requester === null ? {} : { requester }),
    ...(derivedFrom === undefined ? {} : { derived_from: derivedFrom }),
    ...(isAssistant ? { assistant: true as const } : {}),
    actor,
  };
  const mission = record(tx, id, decideSubmit(existing, document));
  return { mission, created: existing === null };
}

// The request of a mission that is made by changing the one of another mission.

/** A member of a request, such as `work.items[3].cost`, and its new value; null takes it out. */
type Setting = readonly [path: string, value: unknown];

/** Returns the request of a mission with other values. A path that names no member of the request itself is one of its work. */
export function changedRequest(db: Db, id: string, settings: readonly Setting[]): MissionRequest {
  const request: unknown = structuredClone(requireRequest(db, requireMission(db, id)));
  for (const [path, value] of settings) set(request as Record<string, unknown>, path, value);
  return unwrap(decode(missionRequest, request));
}

function set(request: Record<string, unknown>, path: string, value: unknown): void {
  const named = path.replaceAll(/\[([0-9]+)\]/g, '.$1').split('.');
  const names = Object.hasOwn(missionRequest.fields, named[0] ?? '') ? named : ['work', ...named];
  const last = names.pop() ?? '';
  let at: unknown = request;
  for (const name of names) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  if (!isObject(at) || (Array.isArray(at) && !Object.hasOwn(at, last)))
    throw new RefusalError(invalid('--set', `the request has no ${path}`));
  if (value === null) delete at[last];
  else Object.defineProperty(at, last, { value, writable: true, enumerable: true, configurable: true });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
