/** Bytes to the two HTTP servers of a real daemon: good requests with pieces put in, ranges cut, doubled or altered. */
import type { Prng } from '../../src/base/prng.js';
import { refusals } from '../../src/base/refusal.js';
import { boundaryCodes } from '../../src/codec/api-problem.js';
import { simulation_token } from '../drill/real-daemon.js';
import { assertSecured, request } from '../http/plain-http.js';
import { type Answer, exchangeRaw } from '../http/raw-client.js';
import { type Mutant, mutateBytes, pick } from '../support/archive/byte-mutations.js';
import { minimal } from '../support/codec/mission-samples.js';
import { type Loose, type Schema, schemaFaults } from '../support/http/schema-check.js';
import { admin_token, type FuzzedDaemon, missions, type Place, run_placeholder, type Server } from './fuzzed-daemon.js';
import { canary, faultsOf, Outcomes, type Target, type TargetKind } from './target.js';

/** Texts that make a request bad wherever they are put in. */
const pieces = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  '\t',
  ':',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding:\r\n',
  'Host: x\r\n',
  'Expect: 100-continue\r\n',
  'Connection: close\r\n',
  'Connection: upgrade\r\nUpgrade: h2c\r\n',
  '0\r\n\r\n',
  'POST /m HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nbad',
];

const Host = 'localhost';
const toOperator = (method: string, path: string, body?: unknown): string =>
  request(method, path, { token: admin_token, headers: { Host, ...typeOf(body) }, ...textOf(body) });
const toSimulation = (method: string, path: string, body?: unknown): string =>
  request(method, path, { token: simulation_token, headers: { Host, ...typeOf(body) }, ...textOf(body) });

const typeOf = (body: unknown): Readonly<Record<string, string>> =>
  body === undefined ? {} : { 'Content-Type': 'application/json' };
const textOf = (body: unknown): { readonly body?: string } => (body === undefined ? {} : { body: JSON.stringify(body) });

const wholes: Readonly<Record<Server, readonly string[]>> = {
  operator: [
    request('GET', '/healthz', { headers: { Host } }),
    toOperator('GET', '/api/status'),
    toOperator('GET', '/api/missions?limit=2&state=queued'),
    toOperator('GET', `/api/missions/${missions.completed}/export`),
    toOperator('GET', '/api/journal/proof?sequence=1'),
    toOperator('POST', '/api/missions', minimal('forecast')),
    toOperator('POST', '/api/control', { state: 'ready' }),
    toOperator('OPTIONS', '/api/missions'),
    request('POST', '/api/login', { headers: { Host, ...typeOf('') }, body: '{"code":"x"}' }),
  ],
  simulation: [
    request('GET', '/healthz', { headers: { Host } }),
    toSimulation('GET', '/runs?limit=2'),
    toSimulation('GET', `/results/${run_placeholder}`),
    toSimulation('GET', `/results/${run_placeholder}.csv`),
    toSimulation('POST', '/insight', { ids: [run_placeholder] }),
    toSimulation('DELETE', `/runs/${run_placeholder}`),
    toSimulation('OPTIONS', '/simulate'),
  ],
};

/** A body may take 15 s; a response that has not ended after this never does. */
export const response_ms_max = 60_000;
const requests_max = 3;
const edits_max = 3;

/** The server on a line of its own, then what it is sent. */
function make(random: Prng): Mutant {
  const server = pick(['operator', 'simulation'] as const, random);
  const whole = Array.from({ length: 1 + random.below(requests_max) }, () => pick(wholes[server], random)).join('');
  let bytes: Buffer = Buffer.from(whole, 'latin1');
  const done: string[] = [];
  for (let n = random.below(edits_max + 1); n > 0; n--) {
    if (random.below(3) > 0) {
      const at = random.below(bytes.length + 1);
      const piece = pick(pieces, random);
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(piece, 'latin1'), bytes.subarray(at + random.below(4))]);
      done.push(`${JSON.stringify(piece)} at ${at}`);
    } else {
      const mutant = mutateBytes(
        bytes,
        random,
        wholes[server].map((text) => Buffer.from(text, 'latin1')),
      );
      bytes = mutant.bytes;
      done.push(mutant.what);
    }
  }
  return { bytes: Buffer.concat([Buffer.from(`${server}\n`), bytes]), what: `${server}: ${done.join(', ') || 'as it is'}` };
}

/** Splits an input into the server and what it is sent. */
export function addressed(bytes: Buffer): { readonly server: Server; readonly rest: Buffer } {
  const end = bytes.indexOf('\n');
  const server = bytes.subarray(0, end).toString('latin1');
  if (server !== 'operator' && server !== 'simulation') throw new Error(`no server on the first line: ${server}`);
  return { server, rest: bytes.subarray(end + 1) };
}

async function open(place: Place): Promise<Target> {
  const daemon = await place.daemon();
  const outcomes = new Outcomes();
  const tryOne = async (input: Buffer): Promise<readonly string[]> => {
    const { server, rest: bytes } = addressed(daemon.filled(input));
    // An input that ends before its body does is read as far as it goes: the client ends the connection.
    const { answers, rest, closed } = await exchangeRaw(daemon.portOf(server), bytes, {
      afterwards: 'end',
      wait_ms: response_ms_max,
    });
    outcomes.add(answers.map(({ status }) => status).join(' ') || 'no response');
    const final = answers.filter(({ status }) => status >= 200);
    const last = final.findIndex(({ headers }) => headers['connection'] === 'close');
    return [
      ...(rest === '' ? [] : [`bytes that are no whole response: ${JSON.stringify(rest.slice(0, 200))}`]),
      ...(closed === 'open' ? ['the connection of a client that ended stays open'] : []),
      ...(last >= 0 && last < final.length - 1 ? ['a response after the one that ends the connection'] : []),
      ...answers.flatMap((answer) => responseFaults(daemon, server, answer)),
      ...(await daemon.faults()),
    ];
  };
  return { outcomes, make, try: tryOne, close: () => Promise.resolve([]) };
}

export const httpBytes: TargetKind = {
  name: 'http',
  what: 'bytes to the two HTTP servers of a daemon',
  invariants: [
    'every response is whole, has the security header fields, and a documented status: never 500',
    'a refusal is a problem document that repeats nothing of the input',
    'a connection whose client ended is closed',
  ],
  open,
};

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
