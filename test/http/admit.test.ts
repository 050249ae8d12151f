import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { object, optional, text } from '../../src/codec/kit.js';
import { bytes, endpoint, type Endpoint } from '../../src/http/core/endpoint.js';
import { givenServer, tokens, type Given } from './given-server.js';
import { assertSecured, problemIn, request } from './plain-http.js';
import { exchangeRaw, type Answer } from './raw-client.js';
import { withStoppedClock } from '../support/app/fast-clock.js';
import { assertNone } from '../support/lists.js';

const said = '{"said":"hi"}';
const evil = { Origin: 'http://evil.example' };

async function ask(server: Given, raw: string): Promise<Answer> {
  const { answers } = await exchangeRaw(server.port, raw, { answers: 1, head: raw.startsWith('HEAD') });
  return answers[0]!;
}

describe('admission: the order of refusals', () => {
  type Case = readonly [string, string, number, string];
  const bad = { headers: evil, body: '{"said"' };
  const cases: readonly Case[] = [
    ['a foreign page, no token, no such path', request('POST', '/none', bad), 403, 'forbidden'],
    ['a foreign page with a token', request('POST', '/things', { ...bad, token: tokens.admin }), 403, 'forbidden'],
    ['no token, no such path', request('POST', '/none', { body: '{' }), 401, 'unauthorized'],
    ['a wrong token, no such path', request('POST', '/none', { token: 'wrong', body: '{' }), 401, 'unauthorized'],
    ['a role below, a bad body', request('POST', '/things', { token: tokens.viewer, body: '{' }), 403, 'forbidden'],
    ['no such path', request('POST', '/none', { token: tokens.viewer, body: '{' }), 404, 'not_found'],
    ['no such method', request('PUT', '/things', { token: tokens.viewer, body: '{' }), 405, 'method_not_allowed'],
    ['no JSON', request('POST', '/things', { token: tokens.reviewer, body: '{' }), 400, 'malformed'],
    ['another shape', request('POST', '/things', { token: tokens.reviewer, body: '{}' }), 422, 'invalid'],
    [
      'no length comes before all of these',
      `POST /none HTTP/1.1\r\nHost: x\r\nOrigin: http://evil\r\n\r\n`,
      411,
      'length_required',
    ],
  ];
  for (const [what, raw, status, code] of cases) {
    it(`responds with ${status} for ${what}`, async () => {
      const server = await givenServer();
      const problem = problemIn(await ask(server, raw));
      deepStrictEqual([problem.status, problem.code, server.work], [status, code, []]);
      if (status === 405) match(String(problem.detail), /^PUT .*POST/);
    });
  }
});

describe('admission: tokens and roles', () => {
  it('sends the scheme of the login with 401', async () => {
    const server = await givenServer();
    strictEqual((await ask(server, request('GET', '/things/1'))).headers['www-authenticate'], 'Bearer');
  });

  it('accepts nothing but one Bearer token', async () => {
    const server = await givenServer();
    const fields = [
      '',
      'Bearer',
      'Bearer ',
      tokens.admin,
      `Basic ${tokens.admin}`,
      `Bearer ${tokens.admin} x`,
      `Bearer "${tokens.admin}"`,
    ];
    for (const Authorization of fields) {
      strictEqual((await ask(server, request('GET', '/things/1', { headers: { Authorization } }))).status, 401, Authorization);
    }
    const twice = request('GET', '/things/1', { token: tokens.admin, headers: { authorization: `Bearer ${tokens.admin}` } });
    strictEqual((await ask(server, twice)).status, 401);
  });

  it('accepts the scheme in any case and spacing', async () => {
    const server = await givenServer();
    strictEqual(
      (await ask(server, request('GET', '/things/1', { headers: { Authorization: `bEaReR  ${tokens.viewer}` } }))).status,
      200,
    );
  });

  it('accepts mutations from the page of this server, and from a foreign page at most reads of what is public', async () => {
    const server = await givenServer();
    const own = request('POST', '/things', { token: tokens.admin, headers: { Origin: 'http://x' }, body: said });
    strictEqual((await ask(server, own)).status, 201);
    strictEqual((await ask(server, request('POST', '/m', { headers: evil, body: 'x' }))).status, 403);
    const read = await ask(server, request('GET', '/open', { headers: evil }));
    deepStrictEqual([read.status, read.headers['access-control-allow-origin']], [200, undefined]);
  });
});

describe('admission: failed logins', () => {
  const wrong = request('GET', '/things/1', { token: 'wrong' });

  it('are refused with 429 and the time to wait beyond the limit, while a right token still passes', () =>
    withStoppedClock(async () => {
      const server = await givenServer({ limits: { failed_logins_per_address_max: 3 } });
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) statuses.push((await ask(server, wrong)).status);
      const refused = await ask(server, wrong);
      deepStrictEqual(statuses, [401, 401, 401]);
      strictEqual(problemIn(refused).code, 'too_many_requests');
      strictEqual(refused.headers['retry-after'], '20');
      strictEqual((await ask(server, request('GET', '/things/1', { token: tokens.viewer }))).status, 200);
      strictEqual((await ask(server, request('GET', '/things/1'))).status, 401);
    }));

  it('have a limit for all addresses together too', () =>
    withStoppedClock(async () => {
      const server = await givenServer({ limits: { failed_logins_max: 2 } });
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) statuses.push((await ask(server, wrong)).status);
      deepStrictEqual(statuses, [401, 401, 429]);
    }));
});

describe('admission: methods', () => {
  it('names the methods of the path with 405', async () => {
    const server = await givenServer();
    const at = async (path: string): Promise<unknown> =>
      (await ask(server, request('PATCH', path, { token: tokens.viewer, body: '' }))).headers.allow;
    strictEqual(await at('/things/1'), 'DELETE, GET, HEAD, OPTIONS');
    strictEqual(await at('/things'), 'OPTIONS, POST');
    strictEqual(await at('/open'), 'GET, HEAD, OPTIONS');
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const server = await givenServer();
    const get = await ask(server, request('GET', '/open'));
    const head = await ask(server, request('HEAD', '/open'));
    deepStrictEqual([head.status, head.headers['content-length'], head.body], [200, get.headers['content-length'], '']);
    assertSecured(head);
    const refused = await ask(server, request('HEAD', '/things/1'));
    deepStrictEqual([refused.status, refused.body], [401, '']);
    strictEqual((await ask(server, request('HEAD', '/things', { token: tokens.admin }))).status, 405);
  });

  it('responds to OPTIONS with the methods, and with nothing that would let a foreign page in', async () => {
    const server = await givenServer();
    const preflight = { ...evil, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' };
    const open = await ask(server, request('OPTIONS', '/open', { headers: preflight }));
    deepStrictEqual([open.status, open.headers.allow, open.body], [204, 'GET, HEAD, OPTIONS', '']);
    assertNone(Object.keys(open.headers), (name) => name.startsWith('access-control'));
    assertSecured(open);
    strictEqual((await ask(server, request('OPTIONS', '/things', { headers: preflight }))).status, 401);
    strictEqual((await ask(server, request('OPTIONS', '/things', { token: tokens.viewer }))).headers.allow, 'OPTIONS, POST');
    strictEqual((await ask(server, request('OPTIONS', '/none', { token: tokens.viewer }))).status, 404);
    strictEqual((await ask(server, request('OPTIONS', '*', { token: tokens.viewer }))).status, 404);
  });

  it('chooses of two endpoints the one with fewer parameters, under its own role', async () => {
    const params = object('Any', { a: optional(text()), b: optional(text()) });
    const plain = (path: `/${string}`, auth: 'public' | 'admin') => ({
      route: `GET ${path}` as const,
      auth,
      summary: path,
      responses: { 200: { description: 'its name', type: 'text/plain' } },
      handle: () => bytes(200, 'text/plain', path),
    });
    const at = (path: `/${string}`, auth: 'public' | 'admin'): Endpoint => endpoint({ ...plain(path, auth), params });
    const paths = [
      at('/w/{a}/s', 'admin'),
      endpoint(plain('/w/x/s', 'public')),
      at('/w/x/{b}', 'public'),
      at('/w/{a}/t', 'admin'),
    ];
    for (const endpoints of [paths, paths.toReversed()]) {
      const server = await givenServer({ endpoints });
      strictEqual((await ask(server, request('GET', '/w/x/s'))).body, '/w/x/s');
      strictEqual((await ask(server, request('GET', '/w/y/s'))).status, 401);
      strictEqual((await ask(server, request('GET', '/w/x/z'))).body, '/w/x/{b}');
      const tie = await ask(server, request('GET', '/w/x/t'));
      deepStrictEqual([tie.status, tie.body.slice(0, 8)], endpoints === paths ? [200, '/w/x/{b}'] : [401, '{"type":']);
    }
  });

  it('compares paths letter by letter', async () => {
    const server = await givenServer();
    for (const path of [
      '/Open',
      '/open/',
      '//open',
      '/%6fpen',
      '/./open',
      '/things/1/',
      '/things//',
      '/things/a%2Fb/c',
      '/op%en',
    ]) {
      strictEqual((await ask(server, request('GET', path, { token: tokens.admin }))).status, 404, path);
    }
    strictEqual(
      (await ask(server, request('GET', '/things/a%2Fb', { token: tokens.admin }))).body,
      '{"said":"a/b for admin-one"}',
    );
    strictEqual((await ask(server, request('GET', '/things/%ff', { token: tokens.admin }))).status, 200);
  });
});
