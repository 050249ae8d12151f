/** A server whose every connection is taken: which one makes room, what is still served, and what is said about it. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach } from 'mocha';
import { endpoint, type Endpoint } from '../../src/http/core/endpoint.js';
import { bytes } from '../../src/http/core/reply.js';
import { until } from '../support/given-daemon.js';
import { connected, givenServer, problemIn, tokens, type Given } from './given-server.js';
import { request } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A client that sends this, and reads what comes. */
function client(port: number, raw: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
  opened.push(socket.resume());
  if (raw !== '') socket.write(raw);
  return socket;
}

/** A connection whose one request had its response. */
async function answered(port: number, raw: string): Promise<Socket> {
  const socket = client(port, raw);
  await once(socket, 'data');
  return socket;
}

/** Endpoints that are served on reserved connections, and one that responds when it is told to. */
function givenEndpoints(): { readonly endpoints: readonly Endpoint[]; readonly releases: (() => void)[] } {
  const releases: (() => void)[] = [];
  const plain = (path: string, auth: 'public' | 'admin', wait: () => Promise<void>): Endpoint =>
    endpoint({
      method: 'GET',
      path,
      auth,
      reserved: true,
      summary: path,
      responses: { 200: { description: 'fine', type: 'text/plain' } },
      handle: async () => {
        await wait();
        return bytes(200, 'text/plain', 'fine');
      },
    });
  const atOnce = (): Promise<void> => Promise.resolve();
  const held = (): Promise<void> => new Promise((resolve) => void releases.push(resolve));
  return {
    endpoints: [plain('/alive', 'public', atOnce), plain('/stop', 'admin', atOnce), plain('/held', 'public', held)],
    releases,
  };
}

const limits = {
  connections_max: 4,
  reserved_connections_max: 2,
  keep_alive_ms: 600_000,
  head_ms_max: 600_000,
  body_ms_max: 600_000,
};
const statusOf = async (server: Given, raw: string): Promise<number | undefined> =>
  (await exchangeRaw(server.port, raw, { answers: 1 })).answers[0]?.status;
const ofViewer = request('GET', '/things/1', { token: tokens.viewer });
const four = [1, 2, 3, 4];

describe('a server whose every connection is taken', () => {
  for (const [name, raw] of [
    ['say nothing', ''],
    ['sent a part of a head', 'GET /open HT'],
    ['upload a body without a token', 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
  ] as const) {
    it(`closes the oldest of those that ${name}`, async () => {
      const server = await givenServer({ limits });
      const first = client(server.port, raw);
      await connected(server, 1);
      const gone = once(first, 'close');
      for (const n of four.slice(1)) {
        client(server.port, raw);
        await connected(server, n);
      }
      strictEqual(await statusOf(server, ofViewer), 200);
      await gone;
      strictEqual(opened.slice(1).filter(({ closed }) => closed).length, 0);
    });
  }

  it('closes the oldest of those that had a response and send blank bytes', async () => {
    const server = await givenServer({ limits });
    for (const _ of four) await answered(server.port, request('GET', '/open'));
    for (const socket of opened) socket.write('\r');
    const [first] = opened;
    const gone = once(first!, 'close');
    strictEqual(await statusOf(server, ofViewer), 200);
    await gone;
  });

  it('serves what is reserved, and refuses the rest with 503, where all have shown a token', async () => {
    const { endpoints } = givenEndpoints();
    const server = await givenServer({ limits }, endpoints);
    for (const _ of four) await answered(server.port, ofViewer);
    strictEqual(await statusOf(server, request('GET', '/stop', { token: tokens.admin })), 200);
    strictEqual(await statusOf(server, request('GET', '/alive')), 200);
    strictEqual(await statusOf(server, request('GET', '/stop', { token: tokens.viewer })), 403);
    const { answers, closed } = await exchangeRaw(server.port, ofViewer);
    const { status, code } = problemIn(answers[0]);
    deepStrictEqual([status, code, answers[0]!.headers['retry-after'], closed], [503, 'unavailable', '5', 'end']);
    strictEqual(opened.filter((socket) => socket.closed).length, 0);
  });

  it('serves one request on a reserved connection', async () => {
    const { endpoints } = givenEndpoints();
    const server = await givenServer({ limits }, endpoints);
    for (const _ of four) await answered(server.port, ofViewer);
    const twice = await exchangeRaw(server.port, request('GET', '/alive') + request('GET', '/alive'));
    deepStrictEqual(
      twice.answers.map(({ status, headers }) => [status, headers.connection]),
      [[200, 'close']],
    );
  });

  it('replaces reserved connections that wait for their clients, also those with a token', async () => {
    const { endpoints } = givenEndpoints();
    const server = await givenServer({ limits }, endpoints);
    for (const _ of four) await answered(server.port, ofViewer);
    const upload = request('POST', '/things', { token: tokens.reviewer, headers: { 'Content-Length': '9' } });
    for (const n of [5, 6]) {
      client(server.port, upload);
      await connected(server, n);
    }
    strictEqual(await statusOf(server, request('GET', '/stop', { token: tokens.admin })), 200);
    await until(() => opened[4]!.closed, 'the first upload is closed');
  });

  it('counts what it closes, and logs the number in one line', async () => {
    const { endpoints, releases } = givenEndpoints();
    const server = await givenServer({ limits }, endpoints);
    for (const n of four) {
      client(server.port, '');
      await connected(server, n);
    }
    const held = request('GET', '/held');
    for (let n = 1; n <= 6; n++) {
      client(server.port, held);
      await until(() => releases.length === n, `${n} are held`);
    }
    strictEqual(await statusOf(server, request('GET', '/alive')), undefined);
    const text = await server.metrics.metrics();
    match(text, /agent_http_connections_dropped_total\{reason="replaced"\} 4\n/);
    match(text, /agent_http_connections_dropped_total\{reason="refused"\} 1\n/);
    for (const release of releases) release();
    await server.stop();
    const lines = server.log().filter(({ msg }) => msg === 'connections were closed because every place was taken');
    deepStrictEqual(
      lines.map(({ replaced, refused }) => [replaced, refused]),
      [
        [1, 0],
        [3, 1],
      ],
    );
  });
});
