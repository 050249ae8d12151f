/** What must hold of every response of either server, whatever was sent. */
import { refusals } from '../../src/base/refusal.js';
import { boundaryCodes } from '../../src/codec/api-problem.js';
import { assertSecured } from '../http/plain-http.js';
import type { Answer } from '../http/raw-client.js';
import { schemaFaults, type Loose, type Schema } from '../support/schema-check.js';
import type { FuzzedDaemon, Server } from './fuzzed-daemon.js';
import { canary, faultsOf } from './target.js';

/** The status of each code that a problem document may have. */
const statusOf: ReadonlyMap<string, number> = new Map([
  ...Object.entries(refusals).map(([code, { status }]) => [code, status] as const),
  ...Object.entries(boundaryCodes),
]);
const problem_type = 'application/problem+json';
const secured = ['cache-control', 'x-content-type-options', 'referrer-policy', 'content-security-policy'] as const;

/** Returns what is wrong with a response: its fields, its status, its problem document, or text of the input in it. */
export function responseFaults({ documents }: FuzzedDaemon, server: Server, answer: Answer): readonly string[] {
  const { status, headers, body } = answer;
  if (status < 200) return status === 100 ? [] : [`status ${status} to a request that asks for no other protocol`];
  const fields =
    server === 'operator'
      ? faultsOf(() => assertSecured(answer))
      : secured.filter((name) => headers[name] === undefined).map((name) => `${status} without ${name}`);
  if (status < 400) return fields;
  if (headers['content-type'] !== problem_type) return [...fields, `${status} with ${headers['content-type'] ?? 'no type'}`];
  const problem = parsed(body);
  if (problem === null) return [...fields, `${status} with a body that is no JSON: ${body.slice(0, 200)}`];
  const root = documents[server];
  return [
    ...fields,
    ...schemaFaults(root['components'].schemas.Problem as Schema, problem, root).map((fault) => `problem ${status}: ${fault}`),
    ...(problem.status === status ? [] : [`${status} with a problem of status ${problem.status}`]),
    ...(statusOf.get(problem.code) === status ? [] : [`${status} with the code ${problem.code}`]),
    ...(status === 500 ? [`500 ${problem.code}: ${problem.detail}`] : []),
    ...(body.includes(canary) ? [`${status} repeats the input: ${problem.detail}`] : []),
  ];
}

function parsed(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns what is wrong with a response to an operation besides: a status or a body that its document does not name. */
export function operationFaults(
  { documents }: FuzzedDaemon,
  { server, method, path }: { readonly server: Server; readonly method: string; readonly path: string },
  { status, headers, body }: Answer,
): readonly string[] {
  const root = documents[server];
  const { responses } = root['paths'][path][method.toLowerCase()] as { readonly responses: Readonly<Record<string, Loose>> };
  const what = `${method} ${path} → ${status}`;
  const response = responses[status];
  // A mutated parameter may make the path that of another operation, or of none.
  if (path.includes('{') && (status === 404 || status === 405)) return [];
  // Any request may be refused while too much is asked for.
  if (response === undefined) return status === 503 && headers['retry-after'] !== undefined ? [] : [`${what} is not documented`];
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  const documented = response.content?.[type] ?? response.content?.['*/*'];
  if (status === 204 || response.content === undefined) return [];
  if (documented === undefined) return [`${what}: the type ${type} is not documented`];
  if (!type.endsWith('json')) return [];
  const value = parsed(body);
  return schemaFaults(documented.schema as Schema, value, root).map((fault) => `${what}: ${fault}`);
}
