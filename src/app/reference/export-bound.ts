/**
 * Computes an upper bound of the size of a mission's export, known when the mission is queued. An export contains the result
 * three times: in the entry's body, and as text nested in a text in canonical_body and canonical_result, where every quotation
 * mark and backslash takes one more byte. So the bound counts bytes and those characters separately.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import type { MissionRequest } from '../../kinds/request.js';
import { marksIn, noWarmStart } from '../../kinds/size.js';
import { missionKind } from '../../kinds/table.js';

/**
 * A note of 2000 characters, an actor and an assistant of 64 each, at most 13 bytes each in the two copies of the body; a proof of 64 hashes; the
 * rest.
 */
const fixed_bytes = 40_000;

/** Returns the bound in bytes. @param text canonical JSON of the request @param result_bytes the bound of its result */
export function exportBytesBound({ goal, work }: MissionRequest, text: string, result_bytes: number): number {
  const goal_text = canonicalJson(goal);
  const size = missionKind(work.kind).solver?.size;
  const seed = size?.warmStart(work) ?? noWarmStart();
  const inBody = Buffer.byteLength(goal_text) + seed.bytes + result_bytes;
  const marks = marksIn(goal_text) + seed.marks + 2 * (size?.resultMarks(work) ?? 0);
  return fixed_bytes + Buffer.byteLength(text) + 2 * inBody + result_bytes + marks;
}
