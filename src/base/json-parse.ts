/**
 * A strict JSON reader (RFC 8259): refuses duplicate member names, unpaired surrogates, nesting over 64 levels, numbers that
 * overflow, and integers beyond ±(2^53 − 1), each with its path. `JSON.parse` makes the value; then a scan of the text, whose grammar is
 * known to be right, finds what `JSON.parse` accepts (json-scan.ts). Where `JSON.parse` refuses, the scan finds where and why.
 */
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from './canonical-json.js';
import { fromUtf8 } from './bytes.js';
import { Fault } from './fault.js';
import { nodeOf, type JsonNode } from './json-node.js';
import type { NumberOptions } from './json-number.js';
import { JsonFault } from './json-fault.js';
import { firstFault, scanParsed } from './json-scan.js';
import type { Refusal } from './refusal.js';
import type { Result } from './result.js';

/** Parses UTF-8 bytes (no byte order mark). */
export function parseJsonBytes(bytes: Uint8Array, options: NumberOptions = {}): Result<Json> {
  const text = fromUtf8(bytes);
  if (text === null) return E.left({ code: 'malformed', detail: 'not valid UTF-8' });
  return parseJson(text, options);
}

export function parseJson(text: string, options: NumberOptions = {}): Result<Json> {
  try {
    return E.right(read(text, options));
  } catch (error) {
    if (error instanceof JsonFault) return E.left(refusalOf(error));
    throw error;
  }
}

/** Parses a text and keeps the ranges of its values. */
export const parseJsonNode = (text: string, options: NumberOptions = {}): Result<JsonNode> =>
  E.map((value: Json) => nodeOf(text, value))(parseJson(text, options));

/** @throws JsonFault with the first fault of the text */
function read(text: string, options: NumberOptions): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw firstFault(text, options) ?? new Fault('JSON.parse refuses a text that the scan accepts', error);
  }
  return scanParsed(text, options, value);
}

function refusalOf({ path, reason, place }: JsonFault): Refusal {
  const message = `${reason} (line ${place.line}, column ${place.column})`;
  return { code: 'malformed', detail: path === '' ? message : `${path}: ${message}`, errors: [{ path, message }] };
}
