/**
 * How long the body of a request is (RFC 9112, section 6.3), more strictly than the standard: whatever two readers could take for two
 * lengths is refused. A mutation says its length in exactly one Content-Length; a reading request has no body.
 */
import type { Denial } from './problem.js';
import { valuesOf, type RawHeaders } from './headers.js';

export interface Framing {
  /** Every method but GET, HEAD and OPTIONS. */
  readonly mutation: boolean;
  /** Bytes of the body, null where its end tells; 0 where `denial` stands. */
  readonly length: number | null;
  readonly denial: Denial | null;
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export function readFraming(method: string, raw: RawHeaders, bytes_max: number): Framing {
  const mutation = !reading.has(method);
  const deny = (code: Denial['code'], detail: string): Framing => ({ mutation, length: 0, denial: { code, detail } });
  const lengths = valuesOf(raw, 'content-length');
  if (valuesOf(raw, 'transfer-encoding').length > 0) return deny('malformed', 'Transfer-Encoding is not accepted');
  if (lengths.length > 1) return deny('malformed', 'more than one Content-Length');
  const [text] = lengths;
  if (text === undefined)
    return mutation ? deny('length_required', 'Content-Length is required') : { mutation, length: 0, denial: null };
  if (!/^[0-9]+$/.test(text)) return deny('malformed', 'Content-Length is not one decimal number');
  // A long row of digits loses precision as a number, and stays large.
  const length = Number(text);
  if (!mutation && length > 0) return deny('malformed', `${method} takes no body`);
  if (length > bytes_max) return deny('too_large', `the body has more than ${bytes_max} bytes`);
  return { mutation, length, denial: null };
}
