/**
 * A whole response written to the socket itself, for failures that never become a request: parser errors, CONNECT, and upgrades.
 */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode } from '../../base/fault.js';
import type { FieldError } from '../../base/refusal.js';
import { problem_type, problemOfDenial, type Denial, type Problem } from './problem.js';
import { securityHeaders } from './headers.js';

/** Returns the denial for an error of Node's parser or its timeouts. */
export function denialOf(error: Error): Denial {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'headers_too_large', detail: 'the request line and header fields are too large' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'timeout', detail: 'the head of the request took too long' };
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

export function rawAnswer(socket: Duplex, denial: Denial, requestId: string, errors?: readonly FieldError[]): Problem {
  const problem = problemOfDenial(denial, errors);
  const body = JSON.stringify(problem.document);
  const fields: Readonly<Record<string, string>> = {
    ...securityHeaders,
    'X-Request-Id': requestId,
    ...problem.headers,
    'Content-Type': problem_type,
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    // RFC 9110, section 7.8: a sender of Upgrade names it in Connection too.
    Connection: 'Upgrade' in problem.headers ? 'close, Upgrade' : 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${head.join('')}\r\n${body}`);
  return problem;
}
