/**
 * The CORS fields: which pages of other origins may read responses (Fetch standard, section 3.2). Browser credentials are never
 * used.
 */
import { cors_max_age_s } from '../../base/simulation-limits.js';
import { valuesOf, type RawHeaders } from '../core/headers.js';

/** Header fields, names and values in turn. */
type Fields = readonly string[];

export interface Cors {
  /** Returns the fields for every response. */
  readonly fieldsOf: (headers: RawHeaders) => Fields;
  /** Returns the fields for the response to a preflight, or null for another OPTIONS request. */
  readonly preflight: (headers: RawHeaders) => Fields | null;
}

const exposed =
  'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Content-Disposition, X-Request-Id, WWW-Authenticate, Allow';
const permitted: Fields = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, POST, DELETE'],
  ['Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key'],
  ['Access-Control-Max-Age', String(cors_max_age_s)],
].flat();

const allowing = (origin: string): Fields => ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed];

/** @param origins `*`, or the permitted origins, each returned by name */
export function cors(origins: '*' | readonly string[]): Cors {
  const fieldsOf = origins === '*' ? anyOrigin : namedOrigins(new Set(origins));
  const preflight = (headers: RawHeaders): Fields | null => {
    const isOne = valuesOf(headers, 'origin').length > 0 && valuesOf(headers, 'access-control-request-method').length > 0;
    if (!isOne) return null;
    const fields = fieldsOf(headers);
    return fields.includes('Access-Control-Allow-Origin') ? [...fields, ...permitted] : fields;
  };
  return { fieldsOf, preflight };
}

const toAny = allowing('*');
const anyOrigin = (): Fields => toAny;

/** Returns fields that name one origin. They include Vary, because such a response is not valid for other origins. */
function namedOrigins(named: ReadonlySet<string>): Cors['fieldsOf'] {
  const fields = new Map([...named].map((origin) => [origin, ['Vary', 'Origin', ...allowing(origin)]]));
  const toOthers: Fields = ['Vary', 'Origin'];
  return (headers) => {
    const [origin = '', ...more] = valuesOf(headers, 'origin');
    return (more.length === 0 ? fields.get(origin) : undefined) ?? toOthers;
  };
}
