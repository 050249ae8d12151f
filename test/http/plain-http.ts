/** Requests as text, and the header fields that every response of the operator's server carries. */
import { strictEqual } from 'node:assert';
import type { Answer } from './raw-client.js';

/** A request with Host x and, for a mutation, its Content-Length. */
export function request(method: string, path: string, { token, headers = {}, body }: RequestParts = {}): string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const type = body === undefined || body === '' ? {} : { 'Content-Type': 'application/json' };
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const fields = Object.entries({ Host: 'x', ...authorization, ...length, ...type, ...headers });
  return `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

interface RequestParts {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const csp =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/** Every final response has the security header fields, each once. */
export function assertSecured({ status, headers }: Answer): void {
  if (status < 200) return;
  strictEqual(headers['cache-control'], 'no-store', `${status}: Cache-Control`);
  strictEqual(headers['x-content-type-options'], 'nosniff', `${status}: X-Content-Type-Options`);
  strictEqual(headers['referrer-policy'], 'no-referrer', `${status}: Referrer-Policy`);
  strictEqual(headers['content-security-policy'], csp, `${status}: Content-Security-Policy`);
}
