/** What the contract tests of both servers have in common. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFaults, type Loose } from '../support/http/schema-check.js';
import { got, type Got, request, type RequestParts } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';

/** A page's build of three files. */
export function pageFolder(root: string): string {
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(root, 'assets', 'index.js'), 'export {};');
  writeFileSync(join(root, 'assets', 'icon.svg'), '<svg/>');
  return root;
}

/** Methods and paths of the document, as in `GET /api/missions/{id}`. */
export const operationsOf = (document: Loose): readonly string[] =>
  Object.entries<Loose>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** A request that the boundary is to refuse, and the host that it names. */
export interface PlainRequest extends RequestParts {
  readonly method: string;
  readonly path: string;
  readonly host: string;
}

/** What both boundaries refuse with a status, whichever endpoint it is for. */
const common: Readonly<Record<number, RequestParts>> = {
  401: { token: undefined },
  408: { headers: { 'Content-Length': '9' }, body: '{' },
  422: {},
  431: { headers: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`X-${i}`, '1'])) },
};

/** Sends a request that is altered so that the boundary refuses it with this status. @param own what only this server refuses so */
export async function refusedBy(
  port: number,
  { method, path, host, ...sound }: PlainRequest,
  status: number,
  own: Readonly<Record<number, RequestParts>>,
): Promise<Got> {
  const altered = own[status] ?? common[status] ?? assert.fail(`no request is known for ${status}`);
  const at = status === 422 ? `${path}${path.includes('?') ? '&' : '?'}unknown=1` : path;
  const text = request(method, at, { ...sound, ...altered, headers: { Host: host, ...altered.headers } });
  const [answer] = (await exchangeRaw(port, text, { answers: 1 })).answers;
  assert.ok(answer !== undefined, `${method} ${path} → ${status}: no answer`);
  return got({ status: answer.status, headers: new Headers(answer.headers) }, answer.body);
}

export function assertDocumented(answer: Got, response: Loose, document: Loose, what: string): void {
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]!;
  if (answer.status === 304) return assert.deepEqual([type, answer.text, response.content], ['', '', undefined], what);
  const documented = response.content?.[type] ?? response.content?.['*/*'];
  assert.ok(documented !== undefined, `${what}: the type ${type} is not documented`);
  if (!type.endsWith('json')) return;
  assert.deepEqual(schemaFaults(documented.schema, answer.body, document), [], what);
  if (type === 'application/problem+json') assert.equal(answer.body.status, answer.status, what);
}
