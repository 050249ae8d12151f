/**
 * Returns the length of the body of a request (RFC 9112, section 6.3), more strictly than the standard: input that two readers
 * could take for two lengths is refused, here or by the parser. A request that only reads has no body.
 */
import type { Denial } from './problem.js';
import { valuesOf, type RawHeaders } from './headers.js';

interface Framing {
  /** Every method but GET, HEAD and OPTIONS. */
  readonly mutation: boolean;
  /** The length of the body in bytes, null for a chunked body; 0 with a denial. */
  readonly length: number | null;
  readonly denial: Denial | null;
}

interface FramingRules {
  readonly bytes_max: number;
  /**
   * If true, chunked bodies are accepted, and a mutation without any length has no body; otherwise it needs exactly one
   * Content-Length.
   */
  readonly chunked: boolean;
}

/**
 * Header fields that are for every recipient of a request. A proxy removes the fields that Connection lists (RFC 9110, section 7.6.1), so a request
 * that lists one of these has another length, target or sender behind a proxy than in front of it.
 */
const end_to_end: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'origin',
  'transfer-encoding',
]);

/** Returns the denial of a request whose Connection field lists such a field, or null. */
export function connectionDenial(raw: RawHeaders): Denial | null {
  const options = valuesOf(raw, 'connection').flatMap((value) => value.split(','));
  const name = options.map((option) => option.trim().toLowerCase()).find((option) => end_to_end.has(option));
  if (name === undefined) return null;
  return { code: 'malformed', detail: `Connection lists ${name}, which is not a hop-by-hop field`, close: true };
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export function readFraming(method: string, raw: RawHeaders, { bytes_max, chunked }: FramingRules): Framing {
  const mutation = !reading.has(method);
  const deny = (code: Denial['code'], detail: string): Framing => ({
    mutation,
    length: 0,
    denial: { code, detail, close: true },
  });
  const connection = connectionDenial(raw);
  if (connection !== null) return { mutation, length: 0, denial: connection };
  const lengths = valuesOf(raw, 'content-length');
  const codings = valuesOf(raw, 'transfer-encoding');
  const coding = codings.length === 0 ? null : codingFault(codings, lengths.length > 0, chunked);
  if (coding !== null) return deny('malformed', coding);
  if (lengths.length > 1) return deny('malformed', 'more than one Content-Length');
  const [text] = lengths;
  if (text === undefined && mutation && !chunked) return deny('length_required', 'Content-Length is required');
  if (text !== undefined && !/^[0-9]+$/.test(text)) return deny('malformed', 'Content-Length is not one decimal number');
  // A long row of digits loses precision as a number, but stays large.
  const length = codings.length > 0 ? null : Number(text ?? '0');
  if (!mutation && length !== 0) return deny('malformed', `${method} takes no body`);
  if (length !== null && length > bytes_max) return deny('too_large', `the body has more than ${bytes_max} bytes`);
  return { mutation, length, denial: null };
}

/** Returns what is wrong with the transfer codings of a request, or null. */
function codingFault(codings: readonly string[], hasLength: boolean, chunked: boolean): string | null {
  if (!chunked) return 'Transfer-Encoding is not accepted';
  if (hasLength) return 'Transfer-Encoding and Content-Length cannot be used together';
  const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
  return isChunked ? null : 'only Transfer-Encoding: chunked is supported';
}
