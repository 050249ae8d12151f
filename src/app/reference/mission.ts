/**
 * Missions of the reference agent (entries of schema 1) in a native home. That agent hashed its own text, which is cut from the
 * entry unchanged; this program records RFC 8785 form and the hashes of that form.
 */
import { sha256Hex } from '../../base/bytes.js';
import { parseJsonNode } from '../../base/json.js';
import { isRefused, RefusalError, type Result } from '../../base/refusal.js';
import { canonicalText } from '../../codec/canonical.js';
import { cut } from '../../codec/entry.js';
import { isObject } from '../../codec/faults.js';
import { decode } from '../../codec/kit.js';
import { missionRequest, type MissionRequest } from '../../kinds/request.js';
import type { Mission } from '../../codec/record.js';
import { integrityFailure, requireEntry } from '../../journal/position.js';
import type { Db } from '../../store/database.js';

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
