/**
 * Missions of the reference agent (entries of schema 1) in a native home. That agent hashed its own text, which is cut from the
 * entry unchanged; this program records RFC 8785 form and the hashes of that form.
 */
import { sha256Hex } from '../../base/bytes.js';
import { parseJsonNode } from '../../base/json.js';
import { isRefused, RefusalError, type Result } from '../../base/refusal.js';
import { canonicalText } from '../../codec/canonical.js';
import { cut, type Entry, typeOf } from '../../codec/entry.js';
import { isObject } from '../../codec/faults.js';
import { decode } from '../../codec/kit.js';
import { type MissionRequest, missionRequest } from '../../kinds/request.js';
import type { Mission } from '../../codec/record.js';
import { entryOf, integrityFailure, requireEntry, rowsAfter } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { type Extent, marksIn, no_warm_start } from '../../kinds/size.js';
import { missionKind } from '../../kinds/table.js';

/** Whether an entry of schema 1 holds the mission's request. */
export const isOfReference = (db: Db, mission: Mission): boolean =>
  requireEntry(db, mission.request_seq).event?.type === 'reference.mission';

/** Returns the request's own text. @throws RefusalError `integrity` when the text does not match its recorded hash */
export function referenceRequestText(db: Db, mission: Mission): string {
  const text = cut(requireEntry(db, mission.request_seq).text, ['document', 'request']);
  if (text !== null && sha256Hex(text) === mission.request_hash) return text;
  throw integrityFailure('the request does not match its hash', mission.request_seq);
}

/** The defaults of that agent that are not this program's, by the kind of the work. */
const defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { forecast: { season: 1 } };

function withDefaults(request: unknown): unknown {
  const work = isObject(request) ? request['work'] : undefined;
  if (!isObject(request) || !isObject(work)) return request;
  const own = Object.entries(defaults).find(([kind]) => kind === work['kind'])?.[1];
  return { ...request, work: { ...own, ...work } };
}

/** Returns the request as this program reads it, with that agent's defaults filled in. */
export function referenceRequest(db: Db, mission: Mission): Result<MissionRequest> {
  const node = parseJsonNode(referenceRequestText(db, mission));
  return isRefused(node) ? node : decode(missionRequest, withDefaults(node.right.value));
}

/** Returns the request. @throws RefusalError `wrong_state` when it is not valid in this version */
export function requireReferenceRequest(db: Db, mission: Mission): MissionRequest {
  const request = referenceRequest(db, mission);
  if (!isRefused(request)) return request.right;
  throw new RefusalError(
    'wrong_state',
    `the reference agent's input of mission ${mission.id} is not valid in this version: ${request.left.detail}`,
    {
      ...(request.left.errors === undefined ? {} : { errors: request.left.errors }),
      hint: 'queue a corrected copy with agent-cli run',
    },
  );
}

/**
 * Whether a new request repeats this one: what a file leaves out, that agent left out too, and each program fills in its own default.
 * @param text the new request in canonical form
 */
export function isRepeatOfReference(db: Db, mission: Mission, text: string): boolean {
  const node = parseJsonNode(referenceRequestText(db, mission));
  if (isRefused(node)) return false;
  const { value } = node.right;
  return [value, withDefaults(value)].some((each) => {
    const request = decode(missionRequest, each);
    return !isRefused(request) && canonicalText(missionRequest, request.right) === text;
  });
}

/** Returns the hash of the canonical request; null when the request is not valid here. */
export function canonicalRequestHash(db: Db, mission: Mission): string | null {
  const request = referenceRequest(db, mission);
  return isRefused(request) ? null : sha256Hex(canonicalText(missionRequest, request.right));
}

// The export of a result that the reference agent approved: the same document, with its entry, result and request as the text
// that it signed. No part of it is converted to numbers and back.

interface ReferenceExport {
  /** 64 hexadecimal digits. */
  readonly public_key: string;
  /** The note `agent-newest/1`, or null. */
  readonly newest: string | null;
  /** tlog-proof text, or null where no checkpoint covers the entry. */
  readonly proof: string | null;
  /**
   * Whether to omit what verifiers can cut from the body themselves: this agent's entries may be four times as large as this
   * program's.
   */
  readonly lean: boolean;
}

/** Returns the export's text, its members sorted by code point as in canonical JSON. */
export function referenceExportText(entry: Entry, { public_key, newest, proof, lean }: ReferenceExport): string {
  const [request, result] = [member(entry, 'request'), member(entry, 'result')];
  const receipt = [
    `"body":${entry.text}`,
    ...(lean ? [] : [`"canonical_body":${canonicalJson(entry.text)}`, `"canonical_result":${canonicalJson(result)}`]),
    `"hash":"${entry.hash}"`,
    `"signature":"${entry.signature}"`,
  ];
  const members = [
    ...(newest === null ? [] : [`"newest":${canonicalJson(newest)}`]),
    ...(proof === null ? [] : [`"proof":${canonicalJson(proof)}`]),
    `"public_key":"${public_key}"`,
    `"receipt":{${receipt.join(',')}}`,
    ...(lean ? [] : [`"request":${request}`]),
    '"schema":1',
  ];
  return `{${members.join(',')}}`;
}

function member(entry: Entry, name: string): string {
  const text = cut(entry.text, ['document', name]);
  if (text === null) throw integrityFailure(`entry ${entry.sequence} holds no ${name}`, entry.sequence);
  return text;
}

// Computes an upper bound of the size of a mission's export, known when the mission is queued. An export contains the result three times:
// in the entry's body, and as text nested in a text in canonical_body and canonical_result, where every quotation mark and backslash takes
// one more byte. So the bound counts bytes and those characters separately.

/**
 * A note of 2000 characters, an actor and an assistant of 64 each, at most 13 bytes each in the two copies of the body; a proof of 64 hashes; the
 * rest.
 */
const fixed_bytes = 40_000;

/** Returns the bound in bytes. @param text canonical JSON of the request @param result the bound of its result */
export function exportBytesBound({ goal, work }: MissionRequest, text: string, result: Extent): number {
  const goal_text = canonicalJson(goal);
  const seed = missionKind(work.kind).solver.size.warmStart?.(work) ?? no_warm_start;
  const inBody = Buffer.byteLength(goal_text) + seed.bytes + result.bytes;
  const marks = marksIn(goal_text) + seed.marks + 2 * result.marks;
  return fixed_bytes + Buffer.byteLength(text) + 2 * inBody + result.bytes + marks;
}

// Transactions that the reference agent's entries name. The format of its invoices is not known here.

const page_entries = 100;

/**
 * Returns whether an entry of schema 1 names a transaction, in any member and with letters of any case. These entries come before all of
 * this program's.
 */
export function isNamedByReference(db: Db, transaction: string): boolean {
  const digits = transaction.slice(2).toLowerCase();
  for (let after = 0; ; ) {
    const rows = rowsAfter(db, after, page_entries);
    for (const row of rows) {
      if (typeOf(row.body) !== null) return false;
      if (entryOf(row, db).text.toLowerCase().includes(digits)) return true;
      after = row.seq;
    }
    if (rows.length < page_entries) return false;
  }
}
