/**
 * Transfer documents as bytes: strict JSON (RFC 8259) of integers within ±(2^53 − 1), without duplicate members, at most 1 000 000
 * bytes and 20 levels. Digests are SHA-256 over the canonical form (RFC 8785), whatever the layout of the file.
 */
import * as E from 'fp-ts/lib/Either.js';
import { sha256Hex } from '../base/bytes.js';
import { fromUtf8 } from '../base/text.js';
import { canonicalJson, type Json } from '../base/canonical-json.js';
import { type JsonNode, parseJsonNode } from '../base/json.js';
import { transfer_depth_max, transfer_document_bytes_max } from '../base/limits.js';
import { ok, type Refusal, refuse, type Result } from '../base/refusal.js';

export interface TransferText {
  readonly value: Json;
  readonly text: string;
}

/** SHA-256 of the canonical form, 64 hexadecimal digits. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));

/** Reads a document in any layout. */
export function readTransferText(bytes: Uint8Array): Result<TransferText> {
  if (bytes.length > transfer_document_bytes_max) {
    return refuse({ code: 'too_large', detail: `it has more than ${transfer_document_bytes_max} bytes` });
  }
  const text = fromUtf8(bytes);
  if (text === null) return refuse({ code: 'malformed', detail: 'not valid UTF-8' });
  const node = parseJsonNode(text);
  if (E.isLeft(node)) return node;
  const wrong = faultOf(node.right, text, '', 1);
  return wrong === null ? ok({ value: node.right.value, text }) : refuse(wrong);
}

const plainInteger = /^-?[0-9]+$/;

/** Returns a refusal for the first thing that the protocol forbids beyond RFC 8259, or null. */
function faultOf(node: JsonNode, text: string, path: string, depth: number): Refusal | null {
  if (typeof node.value === 'number') {
    const whole = plainInteger.test(text.slice(node.start, node.end));
    return whole ? null : malformed(path, 'must be an integer, without a point or an exponent');
  }
  if (node.members === null && node.items === null) return null;
  if (depth > transfer_depth_max) return malformed(path, `nested deeper than ${transfer_depth_max} levels`);
  for (const [name, member] of node.members ?? []) {
    const fault = faultOf(member, text, path === '' ? name : `${path}.${name}`, depth + 1);
    if (fault !== null) return fault;
  }
  for (const [i, item] of (node.items ?? []).entries()) {
    const fault = faultOf(item, text, `${path}[${i}]`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

const malformed = (path: string, message: string): Refusal => ({
  code: 'malformed',
  detail: path === '' ? message : `${path}: ${message}`,
  errors: [{ path, message }],
});

/** The layout of a docket's members: members sorted, indented by two spaces, a newline at the end. */
export const indentedText = (value: unknown): string => `${JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)}\n`;

/**
 * Returns whether a run's text has a layout that programs of this protocol write: canonical (command line), or indented by two spaces with a
 * newline at the end, members sorted (dockets) or not (browser).
 */
export const isWrittenForm = ({ value, text }: TransferText): boolean =>
  text === canonicalJson(value) || text === `${JSON.stringify(value, null, 2)}\n`;
