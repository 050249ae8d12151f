/** Requests as text and by fetch, and what every response and every refusal has. */
import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { freshFetch } from '../support/http/fetch.js';
import type { Loose } from '../support/http/schema-check.js';
import type { Answer } from './raw-client.js';

/** A request with Host x and, for a mutation, its Content-Length. */
export function request(method: string, path: string, { token, headers = {}, body }: RequestParts = {}): string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const type = body === undefined || body === '' ? {} : { 'Content-Type': 'application/json' };
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const fields = Object.entries({ Host: 'x', ...authorization, ...length, ...type, ...headers });
  return `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

export interface RequestParts {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON that the text is. */
  readonly body: Loose;
}

export const got = ({ status, headers }: Pick<Response, 'status' | 'headers'>, text: string): Got => ({
  status,
  headers,
  text,
  get body() {
    return JSON.parse(text);
  },
});

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
}

/** @param token null for none */
export async function fetched(url: string, method: string, token: string | null, { headers = {}, body }: Sent): Promise<Got> {
  const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
  const init = { method, headers: { ...authorization, ...type, ...headers }, redirect: 'error' as const };
  const response = await freshFetch(url, text === undefined ? init : { ...init, body: text });
  return got(response, await response.text());
}

const csp =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const fieldOf = ({ headers }: Pick<Answer | Got, 'headers'>, name: string): unknown =>
  headers instanceof Headers ? headers.get(name) : headers[name];

/** Every final response has the security header fields, each once. */
export function assertSecured(answer: Pick<Answer | Got, 'status' | 'headers'>): void {
  if (answer.status < 200) return;
  const fields = ['cache-control', 'x-content-type-options', 'referrer-policy', 'content-security-policy'];
  assert.deepEqual(
    fields.map((name) => fieldOf(answer, name)),
    ['no-store', 'nosniff', 'no-referrer', csp],
    String(answer.status),
  );
  assert.match(String(fieldOf(answer, 'x-request-id')), /^[0-9a-f-]{36}$/);
}

/** The problem document of a refusal, checked against its status line and its fields. */
export function problemIn(answer: Answer | Got | undefined): Loose {
  assert.ok(answer !== undefined, 'there is no answer');
  const { status, body } = answer;
  assertSecured(answer);
  assert.equal(fieldOf(answer, 'content-type'), 'application/problem+json');
  const document = typeof body === 'string' ? JSON.parse(body) : body;
  assert.deepEqual([document.type, document.status, document.title], ['about:blank', status, STATUS_CODES[status]]);
  assert.equal(typeof document.detail, 'string');
  return document;
}
