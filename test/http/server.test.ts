import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { refusals } from '../../src/base/refusal.js';
import { listening } from '../support/listening.js';
import { until } from '../support/app/given-daemon.js';
import { connected, givenServer, tokens } from './given-server.js';
import { request } from './plain-http.js';
import { exchangeRaw, turns } from './raw-client.js';
import { bytes, endpoint, type Endpoint } from '../../src/http/core/endpoint.js';
import { rejectsRefusal } from '../support/app/given-home.js';

describe('server: its port', () => {
  it('is refused with exit 7 when it is taken', async () => {
    const { port, close } = await listening(createServer());
    const { code, detail } = await rejectsRefusal(givenServer({ port }), 'port_taken');
    strictEqual(refusals[code].exit, 7);
    match(detail, new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is taken`));
    await close();
  });

  it('is refused on an address of another machine', async () => {
    await rejectsRefusal(givenServer({ host: '192.0.2.1' }), 'invalid');
  });
});

describe('server: its connections', () => {
  it('closes those beyond the limit, counts them, and has a place again once one has ended', async () => {
    const server = await givenServer({ limits: { http_connections_max: 2 } });
    const held = [1, 2].map(() => connect(server.port, '127.0.0.1'));
    await connected(server, 2);
    const { answers, closed } = await exchangeRaw(server.port, request('GET', '/open'));
    ok(answers.length === 0 && closed !== 'open', closed);
    match(await server.metrics.metrics(), /\nagent_http_connections_dropped_total 1\n/);
    for (const socket of held) socket.destroy();
    await connected(server, 0);
    strictEqual((await exchangeRaw(server.port, request('GET', '/open'), { answers: 1 })).answers[0]?.status, 200);
  });
});

describe('server: stopping', () => {
  it('finishes a response under way and ends its connection; idle connections end at once', async () => {
    const releases: (() => void)[] = [];
    const held = endpoint({
      route: 'GET /held',
      auth: 'public',
      summary: 'Answers when it is told to',
      responses: { 200: { description: 'at last', type: 'text/plain' } },
      handle: async () => {
        await new Promise<void>((resolve) => releases.push(resolve));
        return bytes(200, 'text/plain', 'at last');
      },
    });
    const server = await givenServer({}, [held]);
    const idle = exchangeRaw(server.port, request('GET', '/open'));
    const fresh = exchangeRaw(server.port, []);
    const busy = exchangeRaw(server.port, request('GET', '/held'));
    await connected(server, 3);
    await until(() => releases.length > 0 && server.log().length === 1, 'the first is answered, the last is held');
    const stopped = server.stop();
    const [first, second] = await Promise.all([idle, fresh]);
    for (const release of releases) release();
    const [third] = await Promise.all([busy, stopped]);
    deepStrictEqual([first.closed, second.closed, second.answers.length], ['end', 'end', 0]);
    deepStrictEqual([third.answers[0]?.status, third.answers[0]?.headers.connection, third.closed], [200, 'close', 'end']);
    await rejects(exchangeRaw(server.port, request('GET', '/open')), { code: 'ECONNREFUSED' });
  });

  it('cuts off what is not done at the deadline', async () => {
    const never: Endpoint = endpoint({
      route: 'POST /never',
      auth: 'public',
      summary: 'Never answers',
      responses: { 200: { description: 'never', type: 'text/plain' } },
      handle: async ({ signal }) => {
        await once(signal, 'abort');
        return bytes(200, 'text/plain', 'too late');
      },
    });
    const server = await givenServer({ limits: { http_stop_ms_max: 200 } }, [never]);
    const waiting = exchangeRaw(server.port, request('POST', '/never', { body: '' }));
    const upload = exchangeRaw(server.port, request('POST', '/m', { headers: { 'Content-Length': '5' } }));
    await connected(server, 2);
    await turns();
    await Promise.all([server.stop(), server.stop()]);
    deepStrictEqual([(await waiting).answers.length, (await upload).answers.length, server.work], [0, 0, []]);
  });
});

describe('server: log and metrics', () => {
  it('writes one line for each response, by the template of its endpoint, without secrets', async () => {
    const server = await givenServer();
    const secret = 'q-SECRET';
    const raws = [
      request('GET', `/things/1?${secret}=${secret}`, { token: tokens.viewer, headers: { Cookie: secret } }),
      request('POST', '/things', { token: tokens.admin, body: `{"said":"${secret}"}` }),
      request('GET', '/things/1', { token: 'wrong-SECRET' }),
      request('GET', `/${secret}`, { token: tokens.viewer }),
    ];
    const ids: unknown[] = [];
    for (const raw of raws) ids.push((await exchangeRaw(server.port, raw, { answers: 1 })).answers[0]!.headers['x-request-id']);
    await exchangeRaw(server.port, `${secret}\r\n\r\n`);
    await until(() => server.log().length === 5, 'five lines in the log');
    deepStrictEqual(
      server.log().map(({ msg, method, route, status, actor }) => [msg, method, route, status, actor]),
      [
        ['answered', 'GET', '/things/{id}', 422, 'viewer-one'],
        ['answered', 'POST', '/things', 201, 'admin-one'],
        ['answered', 'GET', '/things/{id}', 401, null],
        ['answered', 'GET', '', 404, 'viewer-one'],
        ['refused', undefined, undefined, 400, undefined],
      ],
    );
    deepStrictEqual(
      server
        .log()
        .slice(0, 4)
        .map(({ request_id }) => request_id),
      ids,
    );
    strictEqual(new Set(ids).size, 4);
    for (const hidden of ['SECRET', ...Object.values(tokens)]) ok(!server.logText().includes(hidden), hidden);
  });

  it('counts and times requests by route', async () => {
    const server = await givenServer();
    await exchangeRaw(server.port, request('GET', '/things/1', { token: tokens.viewer }), { answers: 1 });
    await exchangeRaw(server.port, request('GET', '/things/2', { token: tokens.viewer }), { answers: 1 });
    await exchangeRaw(server.port, request('GET', '/nowhere/3', { token: tokens.viewer }), { answers: 1 });
    await exchangeRaw(server.port, 'garbage\r\n\r\n');
    await connected(server, 0);
    const text = await server.metrics.metrics();
    match(text, /agent_http_requests_total\{method="GET",route="\/things\/\{id\}",status="200"\} 2\n/);
    match(text, /agent_http_requests_total\{method="GET",route="",status="404"\} 1\n/);
    match(text, /agent_http_requests_total\{method="other",route="",status="400"\} 1\n/);
    match(text, /agent_http_request_duration_seconds_count\{method="GET",route="\/things\/\{id\}"\} 2\n/);
    match(text, /agent_http_connections 0\n/);
    ok(!text.includes('nowhere'));
  });
});
