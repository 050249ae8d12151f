/** Requests to every operation of the OpenAPI documents: valid parameters and bodies, and mutations that know their structure. */
import fc from 'fast-check';
import type { Prng } from '../../src/base/prng.js';
import { post } from '../drill/load.js';
import { ask } from '../drill/probe.js';
import { simulation_token } from '../drill/real-daemon.js';
import { request } from '../http/plain-http.js';
import { type Answer, exchangeRaw } from '../http/raw-client.js';
import { type Mutant, pick } from '../support/archive/byte-mutations.js';
import { givenManifest } from '../support/app/given-tools.js';
import { minimal } from '../support/codec/mission-samples.js';
import type { Loose, Schema } from '../support/http/schema-check.js';
import { uuidOf } from '../support/app/temporary-home.js';
import { admin_token, type FuzzedDaemon, missions, type Place, run_placeholder, type Server } from './fuzzed-daemon.js';
import { operationFaults, response_ms_max, responseFaults } from './http-bytes.js';
import { mutateJson } from './json-mutations.js';
import { canary, Outcomes, type Target, type TargetKind } from './target.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly server: Server;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the body, or null. */
  readonly schema: Schema | null;
}

/** Streams and upgrades, whose responses have no end or are no HTTP. */
const left_out: readonly string[] = ['/api/events', '/ws/progress'];

const operationsOf = (server: Server, document: Schema): readonly Operation[] =>
  Object.entries<Loose>(document['paths'])
    .filter(([path]) => !left_out.includes(path))
    .flatMap(([path, item]) =>
      Object.entries<Loose>(item).map(([method, { parameters = [], requestBody }]) => ({
        server,
        method: method.toUpperCase(),
        path,
        parameters,
        schema: requestBody?.content['application/json'].schema ?? null,
      })),
    );

/** Bodies that pass the rules between members too, which a schema does not say. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  'POST /api/missions': (['research', 'allocation', 'schedule', 'forecast', 'code'] as const).map(minimal),
  'POST /api/tools': [givenManifest()],
  'POST /simulate': [{}, { seed: 7, samples: 20, sectors: [{ name: 'a' }, 'b'], curve: 'linear' }],
  'POST /insight': [{}, { ids: [run_placeholder] }, { ids: null }],
  'POST /api/control': [{ state: 'ready' }, { state: 'paused' }],
};

const ids: Readonly<Record<Server, readonly string[]>> = {
  operator: Object.values(missions),
  simulation: [run_placeholder, run_placeholder, 'f'.repeat(16)],
};
const odd: readonly string[] = ['', ...'% %00 %ff .. %2e%2e%2f 0 -1 1e9 null __proto__ ä'.split(' '), canary, '9'.repeat(400)];

/** Returns the value of a parameter as it goes into a URL or a field, valid or not. */
function valueOf({ name, schema }: Parameter, { server }: Operation, document: Schema, random: Prng): string {
  if (random.below(6) === 0) return pick(odd, random);
  if (name === 'id') return pick(ids[server], random);
  const sample = sampleOf(schema, document, random);
  return encodeURIComponent(typeof sample === 'string' ? sample : JSON.stringify(sample));
}

function targetOf(operation: Operation, document: Schema, random: Prng): string {
  const valued = operation.parameters.map((one) => [one, valueOf(one, operation, document, random)] as const);
  const path = valued
    .filter(([one]) => one.in === 'path')
    .reduce((text, [{ name }, value]) => text.replace(`{${name}}`, value), operation.path);
  const query = valued
    .filter(([one]) => one.in === 'query' && random.below(3) > 0)
    .map(([{ name }, value]) => `${name}=${value}`);
  if (random.below(20) === 0) query.push(pick(['x=1', '=', '&&', 'limit=1', 'limit=2', '__proto__=1'], random));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function bodyOf({ method, path, schema }: Operation, document: Schema, random: Prng): Mutant | null {
  if (schema === null) return random.below(10) > 0 ? null : { bytes: Buffer.from('{}'), what: 'a body that is not expected' };
  const examples = known[`${method} ${path}`] ?? [];
  const isKnown = examples.length > 0 && random.below(3) > 0;
  return mutateJson(isKnown ? pick(examples, random) : sampleOf(schema, document, random), random);
}

/** Returns the request as `server METHOD path` on a line, then its bytes. */
function inputOf(operation: Operation, document: Schema, random: Prng): Mutant {
  const { server, method, path } = operation;
  const body = bodyOf(operation, document, random);
  const token = server === 'operator' ? admin_token : simulation_token;
  const key = random.below(4) === 0 ? { 'Idempotency-Key': pick([uuidOf(random.below(50)), canary, ''], random) } : {};
  const typed = body === null ? {} : { 'Content-Type': 'application/json' };
  const length = method === 'GET' ? {} : { 'Content-Length': String(body?.bytes.length ?? 0) };
  const headers = { Host: 'localhost', ...typed, ...length, ...key };
  const head = request(method, targetOf(operation, document, random), { token, headers });
  const bytes = Buffer.concat([Buffer.from(`${server} ${method} ${path}\n${head}`), body?.bytes ?? Buffer.alloc(0)]);
  return { bytes, what: `${method} ${path}: ${body?.what ?? 'no body'}` };
}

/** Undoes what would make the next inputs be refused for another reason, or be computed for minutes. */
async function tidy({ daemon }: FuzzedDaemon, operation: string, answer: Answer | undefined): Promise<void> {
  if (answer === undefined || answer.status >= 300) return;
  const { target } = daemon;
  const shown = (): string => (JSON.parse(answer.body) as { readonly id: string }).id;
  if (operation === 'operator POST /api/control') await post(target, '/api/control', { state: 'ready' });
  if (operation === 'simulation POST /simulate') await ask(`${target.simulation}runs/${shown()}`, 'DELETE', simulation_token);
  if (operation === 'operator POST /api/tools/{id}/status') {
    await post(target, `/api/tools/${shown()}/status`, { status: 'active', note: 'as before' });
  }
}

async function open(place: Place): Promise<Target> {
  const daemon = await place.daemon();
  const outcomes = new Outcomes();
  const { documents } = daemon;
  const operations = [...operationsOf('operator', documents.operator), ...operationsOf('simulation', documents.simulation)];
  // Operations with a body have more to mutate, and those with known bodies come further than the shape.
  const weightOf = ({ method, path, schema }: Operation): number => (schema === null ? 1 : `${method} ${path}` in known ? 12 : 4);
  const weighed = operations.flatMap((operation) => Array.from({ length: weightOf(operation) }, () => operation));
  const make = (random: Prng): Mutant => {
    const operation = pick(weighed, random);
    return inputOf(operation, documents[operation.server], random);
  };
  const tryOne = async (input: Buffer): Promise<readonly string[]> => {
    const end = input.indexOf('\n');
    const line = input.subarray(0, end).toString();
    const [server, method, path] = line.split(' ') as [Server, string, string];
    const sent = daemon.filled(input.subarray(end + 1));
    const { answers } = await exchangeRaw(daemon.portOf(server), sent, { answers: 1, wait_ms: response_ms_max });
    const [answer] = answers;
    outcomes.add(String(answer?.status ?? 'no response'));
    await tidy(daemon, line, answer);
    return [
      ...(answer === undefined ? [`${line}: no response`] : responseFaults(daemon, server, answer)),
      ...(answer === undefined ? [] : operationFaults(daemon, { server, method, path }, answer)),
      ...(await daemon.faults()),
    ];
  };
  return { outcomes, make, try: tryOne, close: () => Promise.resolve([]) };
}

export const jsonBodies: TargetKind = {
  name: 'json',
  what: 'requests to every operation of the OpenAPI documents, with mutated bodies and parameters',
  invariants: [
    'every response has a status and a body that its operation documents',
    'a refusal is a problem document that repeats nothing of the input',
  ],
  open,
};

const depth_max = 12;
const extra_items_max = 3;
const text_chars_max = 30;

/** Returns a value of the schema. @param root the document that `$ref`s point into */
function sampleOf(schema: Schema, root: Schema, random: Prng, depth = 0): unknown {
  const { $ref, anyOf, oneOf, type } = schema;
  if ('const' in schema) return schema['const'];
  if (schema['enum'] !== undefined) return pick(schema['enum'] as readonly unknown[], random);
  if (typeof $ref === 'string') return sampleOf(resolved($ref, root), root, random, depth + 1);
  const choices = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (choices !== undefined) return sampleOf(pick(choices, random), root, random, depth + 1);
  switch (type as string | undefined) {
    case 'object':
      return objectOf(schema, root, random, depth);
    case 'array': {
      const { minItems = 0, maxItems = extra_items_max, items = {} } = schema;
      const most = depth > depth_max ? minItems : Math.min(maxItems, (minItems as number) + extra_items_max);
      const count = minItems + random.below(most - minItems + 1);
      return Array.from({ length: count }, () => sampleOf(items, root, random, depth + 1));
    }
    case 'string':
      return textOf(schema, random);
    case 'integer':
    case 'number':
      return numberOf(schema, random);
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    default:
      return pick([null, true, 1, 'any', [], {}], random);
  }
}

const resolved = (ref: string, root: Schema): Schema =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: Loose, step) => at[step], root) as Schema;

function objectOf({ properties = {}, required = [] }: Schema, root: Schema, random: Prng, depth: number): unknown {
  const members = Object.entries(properties as Readonly<Record<string, Schema>>).filter(
    ([name]) => (required as readonly string[]).includes(name) || (depth <= depth_max && random.below(2) === 0),
  );
  return Object.fromEntries(members.map(([name, schema]) => [name, sampleOf(schema, root, random, depth + 1)]));
}

function textOf({ pattern, minLength = 0, maxLength = text_chars_max }: Schema, random: Prng): string {
  if (typeof pattern === 'string' && pattern !== '\\S')
    // fast-check generates no lookahead.
    return (
      fc.sample(fc.stringMatching(new RegExp(pattern.replace(/^\^\(\?![^)]*\)/, '^'), 'u')), {
        seed: random.uint32() | 0,
        numRuns: 1,
      })[0] ?? ''
    );
  const length = Math.max(minLength, 1 + random.below(Math.min(maxLength, text_chars_max)));
  return Array.from({ length }, () => pick([...'abcdefgh0123 éß漢😀'], random)).join('');
}

function numberOf({ minimum = -1e6, maximum = 1e6, type }: Schema, random: Prng): number {
  const drawn = minimum + random.unit() * (maximum - minimum);
  const value = pick([minimum, maximum, drawn, drawn, Math.min(maximum, minimum + random.below(50))], random) as number;
  return type === 'integer' ? Math.round(value) : value;
}
