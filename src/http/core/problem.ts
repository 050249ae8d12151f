/**
 * The one document for every failure that leaves the server (RFC 9457, application/problem+json). It describes a denial by the
 * boundary, a refusal, or a fault, whose details go to the log and never to the client.
 */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { damageRefusal } from '../../base/damage.js';
import { errorCode, type FieldError, RecordedFault, type Refusal, RefusalError, refusals } from '../../base/refusal.js';
import type { WrongTokens } from '../../base/wrong-tokens.js';
import { boundaryCodes, type ProblemCode, type ProblemDocument } from '../../codec/api-problem.js';

const problem_text_chars_max = 500;

/** The reason why a request is refused: what the client receives, and the header fields sent with it. */
export interface Denial {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the document (RFC 9457, section 3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
}

export class Denied extends Error {
  readonly denial: Denial;
  constructor(denial: Denial) {
    super(`${denial.code}: ${denial.detail}`);
    this.name = 'Denied';
    this.denial = denial;
  }
}

export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly document: ProblemDocument;
}

export const problem_type = 'application/problem+json';

export function problemOfDenial({ code, detail, headers = {}, members = {} }: Denial, errors?: readonly FieldError[]): Problem {
  const status = statusOf(code);
  // The title for about:blank (RFC 9457, section 4.2.1).
  const title = STATUS_CODES[status] ?? '';
  const list: Pick<ProblemDocument, 'errors'> =
    errors === undefined ? {} : { errors: errors.map(({ path, message }) => ({ path: cut(path), message: cut(message) })) };
  return { status, headers, document: { ...members, type: 'about:blank', title, status, detail: cut(detail), code, ...list } };
}

/** Returns the document for any thrown value, and whether it is a fault: an unexpected error, which the log must explain. */
export function problemOf(error: unknown): { readonly problem: Problem; readonly fault: boolean } {
  if (error instanceof Denied) return { problem: problemOfDenial(error.denial), fault: false };
  const refusal = error instanceof RefusalError ? error.refusal : damageRefusal(error);
  if (refusal !== null) {
    const { code, detail, errors, facts, hint } = refusal;
    const headers = headersOf(refusal);
    const problem = problemOfDenial({ code, detail, headers }, errors);
    const more: Pick<ProblemDocument, 'facts' | 'hint'> = {
      ...(facts === undefined ? {} : { facts }),
      ...(hint === undefined ? {} : { hint }),
    };
    return { problem: { ...problem, document: { ...problem.document, ...more } }, fault: false };
  }
  const failed = error instanceof RecordedFault ? error.message : 'the request failed';
  return { problem: problemOfDenial({ code: 'fault', detail: `${failed}; see the server log for the cause` }), fault: true };
}

/** The field that goes with every 401 (RFC 9110, section 11.6.1). */
export const challenge = { 'WWW-Authenticate': 'Bearer' } as const;

export const tokenRequired: Denial = { code: 'unauthorized', detail: 'an access token is required', headers: challenge };
export const wrong_token = 'the access token is not valid';

/** Counts a wrong token. Returns what it is denied with: the given denial while it is within the limit, 429 beyond. */
export function deniedToken(wrongTokens: WrongTokens, address: string, denial: Denial): Denial {
  const wait_s = wrongTokens.failed(address);
  if (wait_s === 0) return denial;
  return { code: 'too_many_requests', detail: 'too many wrong tokens', headers: { 'Retry-After': String(wait_s) } };
}

/** The field for a daemon that is stopping, which is most often started again. */
const again = { 'Retry-After': '10' } as const;

function headersOf({ code, facts }: Refusal): Readonly<Record<string, string>> {
  if (code === 'unauthorized') return challenge;
  if (code !== 'interrupted' && code !== 'busy' && code !== 'too_many_requests') return {};
  const wait_s = facts?.['retry_after_s'];
  return typeof wait_s === 'number' ? { 'Retry-After': String(wait_s) } : again;
}

const statusOf = (code: ProblemCode): number => (isBoundaryCode(code) ? boundaryCodes[code] : refusals[code].status);

const isBoundaryCode = (code: ProblemCode): code is keyof typeof boundaryCodes => Object.hasOwn(boundaryCodes, code);

/** Shortens a member name: names are the client's own text and may be as long as its body. */
const cut = (text: string): string =>
  text.length <= problem_text_chars_max ? text : `${text.slice(0, problem_text_chars_max)}…`;

/** The fields of every response, including those to requests that the parser rejects. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
};

/** Returns the denial for an error of Node's parser or its timeouts. */
export function denialOf(error: Error): Denial {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'headers_too_large', detail: 'the request line and header fields are too large' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'timeout', detail: 'the request took too long to arrive' };
    case 'HPE_INVALID_CONTENT_LENGTH':
      return 'reason' in error && error.reason === 'Content-Length overflow'
        ? { code: 'too_large', detail: 'the body is too large' }
        : { code: 'malformed', detail: 'Content-Length is not one decimal number' };
    case 'HPE_INVALID_EOF_STATE':
      return { code: 'malformed', detail: 'the request ends too early' };
    default:
      return { code: 'malformed', detail: 'the request is not well-formed HTTP/1.1' };
  }
}

/** Writes a whole response to the socket itself, for failures that never become a request: parser errors and CONNECT. */
export function rawAnswer(socket: Duplex, denial: Denial, requestId: string): Problem {
  const problem = problemOfDenial(denial);
  const body = JSON.stringify(problem.document);
  const fields: Readonly<Record<string, string>> = {
    ...securityHeaders,
    'X-Request-Id': requestId,
    ...problem.headers,
    'Content-Type': problem_type,
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${head.join('')}\r\n${body}`);
  return problem;
}
