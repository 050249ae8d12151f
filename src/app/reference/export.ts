/**
 * The export of a result that the reference agent approved: the same document, with its entry, result and request as the text
 * that it signed. No part of it is converted to numbers and back.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { cut, type Entry } from '../../codec/entry.js';
import { integrityFailure } from '../../journal/position.js';

export interface ReferenceExport {
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
