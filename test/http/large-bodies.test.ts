/** Large responses: to clients that read them, read them slowly, or not at all. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'mocha';
import { endpoint, type Endpoint } from '../../src/http/core/endpoint.js';
import { bytes } from '../../src/http/core/reply.js';
import { atEffort } from '../support/effort.js';
import { until } from '../support/given-daemon.js';
import { connected, givenServer, problemIn, tokens, type Given } from './given-server.js';
import { request } from './plain-http.js';
import { exchangeRaw, parse } from './raw-client.js';

const megabyte = 1_048_576;
/** The longest text so far, which takes most of the time of these tests to make. */
let numbered = '';

/** Unlike any shift of itself, so that a lost or doubled piece is seen. */
const textOf = (size: number, first: string): string => {
  if (numbered.length < size)
    numbered = Array.from({ length: Math.ceil(size / 12) }, (_, n) => String(n).padStart(12, '.')).join('');
  return (first + numbered).slice(0, size);
};

/** `/big/a` and the like: text, made anew for each request. */
const big = (size: number): Endpoint => ({
  ...endpoint({
    method: 'GET',
    path: '/big/{name}',
    auth: 'viewer',
    summary: 'Large',
    responses: { 200: { description: 'much', type: 'text/plain' } },
    handle: () => bytes(200, 'text/plain', ''),
  }),
  answer: ({ params }) => bytes(200, 'text/plain', textOf(size, params['name'] ?? '')),
});

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A client that sends a request and reads nothing. */
function deaf(port: number, raw: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
  opened.push(socket.pause());
  socket.write(raw);
  return socket;
}

const get = (name: string, token: string = tokens.viewer): string => request('GET', `/big/${name}`, { token });
const sending = async ({ metrics }: Given): Promise<number> =>
  Number(/\nagent_http_sending_bytes ([0-9]+)\n/.exec(await metrics.metrics())?.[1]);
const answered = ({ log }: Given, count: number): Promise<void> =>
  until(() => log().filter(({ msg }) => msg === 'answered').length >= count, `${count} answered`);

describe('a large response', () => {
  /** More than the operating system holds for two sockets. */
  const size = 16 * megabyte;

  it('arrives whole, also when another request follows on the connection', async () => {
    const server = await givenServer({}, [big(megabyte + 7)]);
    const { answers } = await exchangeRaw(server.port, get('a') + request('GET', '/open'), { answers: 2 });
    deepStrictEqual([answers[0]!.headers['content-length'], answers[0]!.body], [String(megabyte + 7), textOf(megabyte + 7, 'a')]);
    strictEqual(answers[1]!.status, 200);
    strictEqual(await sending(server), 0);
  });

  it('is held once for all who request the same, and not longer than they read it', async () => {
    const server = await givenServer({}, [big(size)]);
    for (let n = 0; n < 5; n++) deaf(server.port, get('a'));
    deaf(server.port, get('b', tokens.admin));
    await until(async () => (await sending(server)) === 2 * size, 'both are sent');
    for (const socket of opened) socket.destroy();
    await connected(server, 0);
    strictEqual(await sending(server), 0);
  });

  it('arrives whole at a client that reads a little at a time', async () => {
    const server = await givenServer({}, [big(size)]);
    const socket = deaf(server.port, get('a'));
    const chunks: Buffer[] = [];
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      socket.pause();
      setImmediate(() => socket.resume());
    });
    socket.resume();
    await until(() => length > size, 'all is read');
    strictEqual(parse(Buffer.concat(chunks)).answers[0]?.body, textOf(size, 'a'));
  });

  it('is cut off, and logged so, when its client does not read a piece in time', async () => {
    const server = await givenServer({ limits: { piece_ms_max: 200 } }, [big(size)]);
    deaf(server.port, get('a'));
    await answered(server, 1);
    strictEqual(server.log()[0]?.cut, true);
    strictEqual(await sending(server), 0);
    await connected(server, 0);
  });

  it('is cut off when its client reads too slowly', async () => {
    const server = await givenServer({ limits: { send_ms_max: 300, send_bytes_per_ms_min: 1e9 } }, [big(size)]);
    const socket = deaf(server.port, get('a'));
    const reading = setInterval(() => void socket.read(1_000), 20);
    await answered(server, 1);
    clearInterval(reading);
    strictEqual(server.log()[0]?.cut, true);
  });

  it('is refused with 503 and Retry-After beyond what one client may have to read, and others are served', async () => {
    const server = await givenServer({ limits: { sending_per_client_bytes_max: 1.5 * size } }, [big(size)]);
    deaf(server.port, get('a'));
    await until(async () => (await sending(server)) === size, 'it is sent');
    const { answers } = await exchangeRaw(server.port, get('b') + request('GET', '/open'), { answers: 2 });
    const { status, code, detail } = problemIn(answers[0]);
    deepStrictEqual([status, code, answers[0]!.headers['retry-after'], answers[1]?.status], [503, 'unavailable', '15', 200]);
    match(String(detail), /^this client has too many large responses/);
    deaf(server.port, get('b', tokens.reviewer));
    await until(async () => (await sending(server)) === 2 * size, 'the other client is served');
    deaf(server.port, get('a'));
    await connected(server, 3);
    for (const socket of opened) socket.destroy();
    await until(async () => (await sending(server)) === 0, 'nothing is left');
    deaf(server.port, get('b'));
    await until(async () => (await sending(server)) === size, 'it is served again');
  });

  it('is refused with 503 beyond what all clients may have to read', async () => {
    const server = await givenServer({ limits: { sending_bytes_max: 1.5 * size } }, [big(size)]);
    deaf(server.port, get('a'));
    await until(async () => (await sending(server)) === size, 'it is sent');
    const { answers } = await exchangeRaw(server.port, get('b', tokens.reviewer), { answers: 1 });
    match(String(problemIn(answers[0]).detail), /^the clients have too many large responses/);
    const head = await exchangeRaw(server.port, get('b').replace('GET', 'HEAD'), { answers: 1, head: true });
    deepStrictEqual([head.answers[0]?.status, head.answers[0]?.headers['content-length']], [200, String(size)]);
  });

  it('costs little memory for many clients that do not read', async () => {
    const clients = atEffort(40, 1_000);
    const rss_max = 300 * megabyte;
    const text = textOf(12 * megabyte, 'a');
    const results: Endpoint = { ...big(1), answer: () => bytes(200, 'text/plain', text) };
    const limits = { connections_max: 2 * clients, piece_ms_max: 5_000 };
    const server = await givenServer({ limits }, [results]);
    await exchangeRaw(server.port, get('a'), { answers: 1 });
    const idle = process.memoryUsage.rss();
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    for (let n = 0; n < clients; n++) deaf(server.port, get('a'));
    await until(async () => (await sending(server)) > 0, 'they are sent to');
    const { answers } = await exchangeRaw(server.port, request('GET', '/open'), { answers: 1 });
    strictEqual(answers[0]?.status, 200);
    await answered(server, clients + 2);
    clearInterval(watching);
    strictEqual(await sending(server), 0);
    ok(most - idle < rss_max, `${Math.round((most - idle) / megabyte)} MB for ${clients} clients`);
    for (let n = 0; n < 600 && process.memoryUsage.rss() - idle > rss_max / 3; n++) await sleep(100);
    ok(process.memoryUsage.rss() - idle <= rss_max / 3, 'the memory is given back');
  });
});
