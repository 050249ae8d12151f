/**
 * The export of a result that the reference agent approved: the same document, with its entry, result and request as the text
 * that it signed. No part of it is converted to numbers and back.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { cut, type Entry } from '../../codec/entry.js';
import { integrityFailure } from '../../journal/position.js';
import type { MissionRequest } from '../../kinds/request.js';
import { type Extent, marksIn, no_warm_start } from '../../kinds/size.js';
import { missionKind } from '../../kinds/table.js';

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
  const seed = missionKind(work.kind).solver?.size.warmStart?.(work) ?? no_warm_start;
  const inBody = Buffer.byteLength(goal_text) + seed.bytes + result.bytes;
  const marks = marksIn(goal_text) + seed.marks + 2 * result.marks;
  return fixed_bytes + Buffer.byteLength(text) + 2 * inBody + result.bytes + marks;
}
