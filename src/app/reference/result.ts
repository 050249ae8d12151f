/**
 * Verifies results of the reference agent with the engines that read them. This module is separate from the requests so that code
 * that only shows missions loads no engine.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { parseJsonNode } from '../../base/json.js';
import { isRefused } from '../../base/refusal.js';
import { export_bytes_max, result_bytes_max } from '../../base/limits.js';
import { canonicalText } from '../../codec/canonical.js';
import { cut } from '../../codec/entry.js';
import { missionRequest, type MissionRequest } from '../../kinds/request.js';
import type { Mission } from '../../codec/record.js';
import { referenceSolution, verifyReference } from '../../kinds/reference.js';
import type { Db } from '../../store/database.js';
import { marksIn } from '../../kinds/size.js';
import { requireEntry } from '../../journal/reader.js';
import { exportBytesBound, referenceRequest } from './mission.js';

export interface ReferenceReview {
  /** Why the result does not hold up, or null. */
  readonly failure: string | null;
  /** Hash of the result's RFC 8785 form; null when there is no such form. */
  readonly canonical_hash: string | null;
  /** Hash of the canonical request; null when it is not valid here. */
  readonly request_hash: string | null;
}

/**
 * Returns a solution in the form of this program's engines, from an approved result that keeps its rules; null when there is
 * none.
 */
function approvedSolution(db: Db, mission: Mission): unknown {
  const text = cut(requireEntry(db, mission.result_seq).text, ['document', 'result']);
  const node = text === null ? null : parseJsonNode(text, { bigIntegers: 'round' });
  const request = referenceRequest(db, mission);
  if (text === null || node === null || isRefused(node) || isRefused(request)) return null;
  return referenceSolution(request.right.work, { node: node.right, text });
}

/**
 * Returns the compact solution that a later mission may start from, or null. It is recorded in the entry, so a lost result does
 * not matter.
 */
export function storedSolution(db: Db, mission: Mission): unknown {
  const event = mission.result_seq === 0 ? null : requireEntry(db, mission.result_seq).event;
  if (event?.type === 'reference.mission') return approvedSolution(db, mission);
  return event?.type === 'mission.produced' ? event.document.solution : null;
}

/** Verifies a result again, over the text that its hash covers, by the reference agent's own rules. */
export function reviewReference(db: Db, mission: Mission): ReferenceReview {
  const text = cut(requireEntry(db, mission.result_seq).text, ['document', 'result']);
  const node = text === null ? null : parseJsonNode(text, { bigIntegers: 'round' });
  if (text === null || node === null) return failed('its text cannot be read');
  if (isRefused(node)) return failed(`its text cannot be read: ${node.left.detail}`);
  const canonical = canonicalJson(node.right.value);
  const canonical_hash = sha256Hex(canonical);
  if (sha256Hex(text) !== mission.result_hash)
    return failed('its text is not the one that the recorded hash is over', canonical_hash);
  const request = referenceRequest(db, mission);
  if (isRefused(request)) return failed(`its input is not valid in this version: ${request.left.detail}`, canonical_hash);
  const requestText = canonicalText(missionRequest, request.right);
  return {
    failure:
      verifyReference(request.right.work, { node: node.right, text }).failure ??
      sizeRefusal(request.right, requestText, canonical),
    canonical_hash,
    request_hash: sha256Hex(requestText),
  };
}

const failed = (failure: string, canonical_hash: string | null = null): ReferenceReview => ({
  failure,
  canonical_hash,
  request_hash: null,
});

/**
 * Returns why the result is too large, or null. An approved result must fit one entry and one export; the reference agent allows
 * larger ones.
 */
function sizeRefusal(request: MissionRequest, text: string, result: string): string | null {
  const bytes = Buffer.byteLength(result);
  if (bytes > result_bytes_max) return `it has ${bytes} bytes, at most ${result_bytes_max} can be approved here`;
  const exported = exportBytesBound(request, text, { bytes, marks: marksIn(result) });
  return exported > export_bytes_max ? `its export could have ${exported} bytes, at most ${export_bytes_max} are allowed` : null;
}
