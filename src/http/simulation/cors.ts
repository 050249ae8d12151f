/**
 * The CORS fields: which pages of other origins may read responses (Fetch standard, section 3.2). Browser credentials are never
 * used.
 */
import { valuesOf, type RawHeaders } from '../core/head.js';

/** Time for which a browser may cache the response to a preflight. */
const cors_max_age_s = 600;

type Fields = Readonly<Record<string, string>>;

/** `*`, or the permitted origins, each returned by name. */
export type Origins = '*' | readonly string[];

const exposed =
  'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Preference-Applied, Content-Disposition, ETag, X-Request-Id, WWW-Authenticate, Allow';
const permitted: Fields = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer',
  'Access-Control-Max-Age': String(cors_max_age_s),
};

const allowing = (origin: string): Fields => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': exposed,
});

/** Returns the fields for every response. */
export function corsFields(origins: Origins, headers: RawHeaders): Fields {
  if (origins === '*') return allowing('*');
  const [origin = '', ...more] = valuesOf(headers, 'origin');
  // The response is not valid for other origins.
  return { Vary: 'Origin', ...(more.length === 0 && origins.includes(origin) ? allowing(origin) : {}) };
}

/** Returns the fields for the response to a preflight, or null for another OPTIONS request. */
export function preflightFields(origins: Origins, headers: RawHeaders): Fields | null {
  if (['origin', 'access-control-request-method'].some((name) => valuesOf(headers, name).length === 0)) return null;
  const fields = corsFields(origins, headers);
  return 'Access-Control-Allow-Origin' in fields ? { ...fields, ...permitted } : fields;
}
