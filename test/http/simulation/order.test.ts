import assert from 'node:assert/strict';
import { exchangeRaw, type Answer } from '../raw-client.js';
import { givenSimulation, stopSimulations, token, type GivenSimulation } from './given-simulation.js';
import { beyondLimit } from '../beyond-limit.js';
import { request } from '../plain-http.js';

interface Parts {
  readonly token?: string | null;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request as bytes: fetch would not send most of these. */
async function send(
  port: number,
  method: string,
  path: string,
  { token: given = token, fields = {}, body }: Parts = {},
): Promise<Answer> {
  const text = request(method, path, { token: given ?? undefined, headers: { Host: 'simulation.example', ...fields }, body });
  const { answers } = await exchangeRaw(port, text, { answers: 1, head: method === 'HEAD' });
  assert.equal(answers.length, 1, `${method} ${path} was not answered`);
  return answers[0]!;
}

const preflight = { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' };
const tooLarge = { 'Content-Length': '1048577' };

describe('simulation API: the order of checks', () => {
  let port = 0;
  let limited: GivenSimulation;
  before(async () => {
    ({ port } = await givenSimulation());
    limited = await givenSimulation({ settings: { rate_limit: 1 } });
  });
  after(stopSimulations);

  /** Each request has the fault that its status names, and those of all later ones. */
  const cases: readonly (readonly [number, string, string, Parts])[] = [
    [401, 'POST', '/nowhere', { token: null, fields: tooLarge }],
    [401, 'PUT', '/simulate', { token: null, fields: tooLarge }],
    [401, 'POST', '/simulate', { token: null, body: '{' }],
    [401, 'OPTIONS', '/simulate', { token: null }],
    [403, 'POST', '/nowhere', { token: 'wrong', fields: tooLarge }],
    [403, 'PUT', '/simulate', { token: 'wrong', fields: tooLarge }],
    [403, 'POST', '/simulate', { token: 'wrong', body: '{' }],
    [404, 'POST', '/nowhere', { fields: tooLarge }],
    [404, 'POST', '/nowhere', { body: '{' }],
    [404, 'GET', '/results/', {}],
    [404, 'GET', '/Results', {}],
    [405, 'PUT', '/simulate', { fields: tooLarge }],
    [405, 'PUT', '/simulate', { body: '{' }],
    [405, 'POST', '/results', { body: '{' }],
    [413, 'POST', '/simulate', { fields: tooLarge }],
    [413, 'POST', '/simulate?x=1', { fields: tooLarge }],
    [400, 'POST', '/simulate?x=1', { body: '{' }],
    [400, 'POST', '/simulate', { body: '{"horizon":0,}' }],
    [422, 'POST', '/simulate?x=1', { body: '{}' }],
    [422, 'POST', '/simulate', { body: '{"horizon":0}' }],
  ];
  for (const [status, method, path, parts] of cases) {
    const what = `${parts.token === null ? 'no token, ' : parts.token === undefined ? '' : 'a wrong token, '}${parts.body ?? JSON.stringify(parts.fields ?? {})}`;
    it(`responds with ${status} to ${method} ${path} with ${what}`, async () => {
      const answer = await send(port, method, path, parts);
      assert.equal(answer.status, status, answer.body);
      assert.equal(answer.headers['content-type'], 'application/problem+json');
    });
  }

  it('responds with 429 before 401, 403, 404, 405, 413 and 400, and to a preflight before all', async () => {
    // With the token and without.
    const useUp = (): Promise<unknown> => Promise.all([limited.ask('GET', '/status'), limited.ask('GET', '/healthz')]);
    const beyond = (method: string, path: string, parts: Parts): ReturnType<typeof send> =>
      beyondLimit(useUp, () => send(limited.port, method, path, parts));
    for (const [, method, path, parts] of cases) {
      assert.equal((await beyond(method, path, parts)).status, 429, `${method} ${path}`);
      const fields = await beyond(method, path, { ...parts, fields: { ...parts.fields, ...preflight } });
      assert.equal(fields.status, method === 'OPTIONS' ? 204 : 429);
    }
  });

  it('responds with 400 before all of them to a field that Connection must not list', async () => {
    const fields = { Connection: 'close, Content-Length' };
    for (const [, method, path, parts] of cases) {
      for (const given of [fields, { ...preflight, ...fields }])
        assert.equal((await send(port, method, path, { ...parts, fields: { ...parts.fields, ...given } })).status, 400);
    }
    await limited.ask('GET', '/healthz');
    assert.equal((await send(limited.port, 'GET', '/status', { fields })).status, 400);
  });

  it('responds to HEAD as to GET without a body, names the methods for OPTIONS, and refuses other methods', async () => {
    const head = await send(port, 'HEAD', '/status');
    assert.deepEqual([head.status, head.body], [200, '']);
    assert.ok(Number(head.headers['content-length']) > 100);
    assert.equal((await send(port, 'HEAD', '/status', { token: null })).status, 401);
    const options = await send(port, 'OPTIONS', '/results/x');
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    assert.equal((await send(port, 'OPTIONS', '/', { token: null })).status, 204);
    assert.equal((await send(port, 'OPTIONS', '/nowhere')).status, 404);
    assert.equal((await send(port, 'TRACE', '/status')).status, 405);
    assert.equal((await send(port, 'CONNECT', 'a.example:80')).status, 405);
  });
});
