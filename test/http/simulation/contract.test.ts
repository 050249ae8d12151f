import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../support/package-root.js';
import { schemaFaults, type Loose } from '../../support/http/schema-check.js';
import { temporaryHome } from '../../support/app/temporary-home.js';
import { assertDocumented, operationsOf, pageFolder, refusedBy } from '../contract-check.js';
import type { Got, RequestParts } from '../plain-http.js';
import { kinds, requests, type Kind } from './contract-requests.js';
import { givenSimulation, held, stopSimulations, token, type GivenSimulation } from './given-simulation.js';
import { beyondLimit } from '../beyond-limit.js';
import { assertNone } from '../../support/lists.js';

const golden = join(packageRoot(import.meta.url), 'docs', 'simulation-openapi.json');

describe('simulation API: the contract', () => {
  const servers = new Map<Kind | 'limited' | 'hasty', GivenSimulation>();
  let document: Loose;
  before(async () => {
    const dashboard = pageFolder(join(temporaryHome().root, 'dashboard'));
    const usual = await givenSimulation({
      dashboard,
      limits: { failed_logins_per_address_max: 1_000, failed_logins_max: 1_000 },
    });
    servers.set('at once', usual);
    servers.set('held', await givenSimulation({ service: { simulate: held } }));
    servers.set('full', await givenSimulation({ service: { simulate: held, running_max: 1, waiting_max: 0 } }));
    servers.set('limited', await givenSimulation({ settings: { rate_limit: 1 } }));
    servers.set('hasty', await givenSimulation({ limits: { http_body_ms_max: 250 } }));
    document = (await usual.ask('GET', '/openapi.json')).body;
  });
  after(stopSimulations);

  it('is stored in docs/simulation-openapi.json as the server returns it (UPDATE_GOLDEN=1 writes it)', async () => {
    const { text, headers } = await servers.get('at once')!.ask('GET', '/openapi.json');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, 'utf8'));
    assert.equal(document.openapi, '3.1.0');
    const names = Object.keys(document.components.schemas);
    for (const [, ref] of text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)) assert.ok(names.includes(ref!), ref);
  });

  it('has words for every operation, parameter and header field, and only real bounds', async () => {
    const operations = Object.values<Loose>(document.paths).flatMap((item) => Object.values<Loose>(item));
    const ids = operations.map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { operationId, description, tags, parameters = [], requestBody, responses } of operations) {
      assert.match(operationId, /^[a-z][A-Za-z]+$/);
      assert.ok(description.length > 10 && description !== '', operationId);
      assert.ok(tags.length === 1 && document.tags.some(({ name }: Loose) => name === tags[0]), operationId);
      for (const { name, description } of parameters) assert.ok(description !== undefined, `${operationId}: ${name}`);
      const examples = [requestBody, ...Object.values<Loose>(responses)].flatMap((part) =>
        Object.values<Loose>(part?.content ?? {}).filter(({ example }) => example !== undefined),
      );
      for (const { schema, example } of examples) assert.deepEqual(schemaFaults(schema, example, document), [], operationId);
    }
    for (const [name, field] of Object.entries<Loose>(document.components.schemas.SimulationBody.properties))
      assert.ok(field.description !== undefined, name);
    assert.equal(/e\+308/.test(JSON.stringify(document)), false);
  });

  it('documents every route, and only those', () => {
    assert.deepEqual([...operationsOf(document)].toSorted(), Object.keys(requests).toSorted());
  });

  for (const operation of Object.keys(requests)) {
    it(`returns every documented response of ${operation}, in the documented shape`, async () => {
      const [method = '', path = ''] = operation.split(' ');
      const { responses, security } = document.paths[path][method.toLowerCase()];
      const statuses = Object.keys(responses).filter((status) => status !== 'default' && status !== '101');
      const known = Object.keys(requests[operation]!);
      assertNone(known, (status) => !statuses.includes(status), 'requests for answers that are not documented');
      assert.equal(statuses.includes('401'), security.length > 0);
      for (const status of statuses.map(Number)) {
        const answer = await exercise(servers, operation, status);
        assert.equal(answer.status, status, `${operation} → ${status}: ${answer.text.slice(0, 300)}`);
        assertDocumented(answer, responses[status], document, `${operation} → ${status}`);
        assertFields(answer, responses[status], document, `${operation} → ${status}`);
      }
    });
  }
});

async function exercise(
  servers: ReadonlyMap<Kind | 'limited' | 'hasty', GivenSimulation>,
  operation: string,
  status: number,
): Promise<Got> {
  const [method = ''] = operation.split(' ');
  const own = requests[operation]![status];
  const other = status === 429 ? 'limited' : status === 408 ? 'hasty' : null;
  const simulation = servers.get(other ?? kinds[`${operation} ${status}`] ?? 'at once')!;
  if (status === 429) {
    // With the token and without.
    const useUp = (): Promise<unknown> => Promise.all([simulation.ask('GET', '/status'), simulation.ask('GET', '/healthz')]);
    return beyondLimit(useUp, () => refused(simulation, operation, status));
  }
  if (own !== undefined) {
    if (kinds[`${operation} ${status}`] === 'full') {
      const first = await simulation.ask('POST', '/simulate', { body: {} });
      if (first.status !== 200) return first;
    }
    const [path, ask] = await own(simulation);
    return simulation.ask(method, path, ask);
  }
  return refused(simulation, operation, status);
}

/** What the simulation's boundary alone refuses so. */
const boundary: Readonly<Record<number, RequestParts>> = {
  403: { token: 'wrong' },
  413: { headers: { 'Content-Length': '1048577' }, body: undefined },
  415: { headers: { 'Content-Encoding': 'gzip' } },
  // Where the requests of a minute are used up.
  429: {},
};

/** The response to a request that the boundary refuses. */
function refused({ port }: GivenSimulation, operation: string, status: number): Promise<Got> {
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replace('{id}', 'f'.repeat(16)).replace('{file}', 'index.js');
  const takesBody = method === 'POST' || method === 'PATCH';
  const malformed: RequestParts = takesBody ? { body: '{' } : { headers: { 'Transfer-Encoding': 'gzip, chunked' } };
  const body = method === 'GET' ? undefined : '{}';
  return refusedBy(port, { method, path, host: 'anywhere.example', token, body }, status, { 400: malformed, ...boundary });
}

/** Every field that the document describes is described for each response that carries it. */
function assertFields({ headers }: Got, response: Loose, document: Loose, what: string): void {
  const known = Object.keys(document.components.headers).filter((name) => headers.get(name) !== null);
  const ofAll = ['Cache-Control', 'Vary'];
  for (const name of known.filter((name) => !ofAll.includes(name) || headers.get('etag') !== null))
    assert.ok(name in (response.headers ?? {}), `${what}: the field ${name} is not documented`);
}
