/**
 * How long the body of a request to the simulation is (RFC 9112, section 6.3). Chunked bodies and mutations without any are in order
 * here; what two readers could take for two lengths is refused, here or by the parser.
 */
import type { Framing } from '../core/framing.js';
import type { Denial } from '../core/problem.js';
import { valuesOf, type RawHeaders } from '../core/headers.js';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export function readOpenFraming(method: string, raw: RawHeaders, bytes_max: number): Framing {
  const mutation = !reading.has(method);
  const deny = (code: Denial['code'], detail: string): Framing => ({
    mutation,
    length: 0,
    denial: { code, detail, close: true },
  });
  const lengths = valuesOf(raw, 'content-length');
  const codings = valuesOf(raw, 'transfer-encoding');
  if (codings.length > 0 && lengths.length > 0)
    return deny('malformed', 'Transfer-Encoding and Content-Length exclude each other');
  if (codings.length > 1 || codings.some((coding) => coding.toLowerCase() !== 'chunked'))
    return deny('malformed', 'Transfer-Encoding knows chunked only');
  if (lengths.length > 1) return deny('malformed', 'more than one Content-Length');
  const text = lengths[0] ?? '0';
  if (!/^[0-9]+$/.test(text)) return deny('malformed', 'Content-Length is not one decimal number');
  const length = codings.length > 0 ? null : Number(text);
  if (!mutation && length !== 0) return deny('malformed', `${method} takes no body`);
  if (length !== null && length > bytes_max) return deny('too_large', `the body has more than ${bytes_max} bytes`);
  return { mutation, length, denial: null };
}
