/** Large responses: to clients that read them, read them slowly, or not at all. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Connection } from '../../src/http/core/connection.js';
import { bytes, endpoint, type Endpoint } from '../../src/http/core/endpoint.js';
import { defaultSettings } from '../../src/http/core/limits.js';
import { atEffort } from '../support/effort.js';
import { until } from '../support/app/given-daemon.js';
import { hang_ms } from '../support/wait.js';
import { connected, givenServer, tokens, type Given } from './given-server.js';
import { request } from './plain-http.js';
import { exchangeRaw, parse } from './raw-client.js';

const megabyte = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** The longest text so far, which takes most of the time of these tests to make. */
let numbered = '';

/** Unlike any shift of itself, so that a lost or doubled piece is seen. */
const textOf = (size: number, first: string): string => {
  if (numbered.length < size)
    numbered = Array.from({ length: Math.ceil(size / 12) }, (_, n) => String(n).padStart(12, '.')).join('');
  return (first + numbered).slice(0, size);
};

/** `/big/a` and the like, made anew for each request. */
const big = (size: number, as: (text: string) => string | Uint8Array = (text) => text): Endpoint => ({
  ...endpoint({
    route: 'GET /big/{name}',
    auth: 'viewer',
    summary: 'Large',
    responses: { 200: { description: 'much', type: 'text/plain' } },
    handle: () => bytes(200, 'text/plain', ''),
  }),
  answer: ({ path }) => bytes(200, 'text/plain', as(textOf(size, path.slice('/big/'.length)))),
});

/** What an open descriptor of this process leads to; empty for one that was closed meanwhile. */
function readlink(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

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

/** Waits until the responses of clients that read nothing have begun to arrive. */
const begun = (clients: readonly Socket[]): Promise<unknown> => Promise.all(clients.map((socket) => once(socket, 'readable')));

const get = (name: string, token: string = tokens.viewer): string => request('GET', `/big/${name}`, { token });
const answered = ({ log }: Given, count: number): Promise<void> =>
  until(() => log().filter(({ msg }) => msg === 'answered').length >= count, `${count} answered`);

describe('a large response', () => {
  /** More than the operating system holds for two sockets. */
  const size = 16 * megabyte;

  for (const [what, as] of [
    ['bytes', (text: string) => Buffer.from(text)],
    ['a text', (text: string) => text],
  ] as const) {
    it(`arrives whole, also when another request follows on the connection: ${what}`, async () => {
      const server = await givenServer({}, [big(megabyte + 7, as)]);
      const { answers } = await exchangeRaw(server.port, get('a') + request('GET', '/open'), { answers: 2 });
      strictEqual(answers[0]!.headers['content-length'], String(megabyte + 7));
      strictEqual(answers[0]!.body, textOf(megabyte + 7, 'a'));
      strictEqual(answers[1]!.status, 200);
      const head = await exchangeRaw(server.port, get('a').replace('GET', 'HEAD'), { answers: 1, head: true });
      strictEqual(head.answers[0]!.headers['content-length'], String(megabyte + 7));
    });
  }

  it('leaves no file behind, in the directory of temporary files or open, when its client goes away', async () => {
    const files = (): readonly string[] =>
      readdirSync('/proc/self/fd').flatMap((fd) => {
        const file = readlink(fd);
        return file.startsWith(join(tmpdir(), 'agent-cli-')) ? [file] : [];
      });
    const server = await givenServer({}, [big(size)]);
    deaf(server.port, get('a'));
    await until(() => files().length === 1 && files()[0]?.endsWith(' (deleted)') === true, 'a file without a name');
    for (const socket of opened) socket.destroy();
    await connected(server, 0);
    await until(() => files().length === 0, 'the file is closed');
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

  it('is cut off, and logged so, when its client does not read', async () => {
    const server = await givenServer({ limits: { http_send_ms_max: 200, http_send_bytes_per_ms_min: 1e9, http_check_ms: 20 } }, [
      big(size),
    ]);
    deaf(server.port, get('a'));
    await answered(server, 1);
    strictEqual(server.log()[0]?.cut, true);
    await connected(server, 0);
  });

  it('is cut off when its client reads too slowly, and has more time for what it reads', async () => {
    const limits = { http_send_ms_max: 300, http_send_bytes_per_ms_min: 65_536, http_check_ms: 20 };
    const server = await givenServer({ limits }, [big(size)]);
    const socket = deaf(server.port, get('a'));
    const began = performance.now();
    const reading = setInterval(() => void socket.read(10_000), 20);
    await answered(server, 1);
    clearInterval(reading);
    strictEqual(server.log()[0]?.cut, true);
    ok(performance.now() - began > 300);
  });

  it('has the time of all its bytes, counted from when they are not taken at once', () => {
    const socket = Object.assign(new EventEmitter(), { writableLength: 0, bytesWritten: 0, destroyed: false });
    const destroy = (): void => void (socket.destroyed = true);
    const [end, resume] = [(): void => undefined, (): void => undefined];
    const rules = { settings: defaultSettings, isCounted: false, onRefused: () => undefined };
    const connection = new Connection(Object.assign(socket, { destroy, end, resume }) as unknown as Socket, rules);
    const isCut = (at_s: number, written: number, waiting: number): boolean => {
      Object.assign(socket, { bytesWritten: written, writableLength: waiting, destroyed: false });
      connection.check(at_s * 1_000);
      return socket.destroyed;
    };
    const page = 65_536;
    // Ten pages in one piece, none of which the client takes, and ten more, of which it takes one after the other.
    deepStrictEqual([isCut(0, 10 * page, 10 * page), isCut(70, 10 * page, 10 * page)], [false, false]);
    deepStrictEqual([isCut(70, 20 * page, 10 * page), isCut(80, 20 * page, page)], [false, false]);
    strictEqual(isCut(80.1, 20 * page, page), true);
    // Taken at last: the next response has its own time.
    deepStrictEqual([isCut(81, 20 * page, 0), isCut(141, 21 * page, page), isCut(201, 21 * page, page)], [false, false, false]);
    deepStrictEqual([isCut(202, 21 * page, page), isCut(202.1, 21 * page, page)], [false, true]);
  });

  it('costs little memory for many clients that do not read', async () => {
    const clients = atEffort(30, 400);
    const rss_max = 300 * megabyte;
    const body = Buffer.from(textOf(12 * megabyte, 'a'));
    const limits = { http_connections_max: 2 * clients, http_send_ms_max: hang_ms };
    const server = await givenServer({ limits }, [big(1, () => body)]);
    await exchangeRaw(server.port, get('a'), { answers: 1 });
    const idle = process.memoryUsage.rss();
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    await begun(Array.from({ length: clients }, () => deaf(server.port, get('a'))));
    const { answers } = await exchangeRaw(server.port, request('GET', '/open'), { answers: 1 });
    strictEqual(answers[0]?.status, 200);
    clearInterval(watching);
    ok(most - idle < rss_max, `${Math.round((most - idle) / megabyte)} MB for ${clients} clients`);
    for (const socket of opened) socket.destroy();
    await answered(server, clients + 2);
    const isGivenBack = (): boolean => {
      collectGarbage();
      return process.memoryUsage.rss() - idle <= rss_max / 3;
    };
    await until(isGivenBack, 'the memory is given back');
  });

  it('waits in a file, not in memory, while its client does not read, and arrives whole beside many', async () => {
    const clients = 10;
    const held_max = 20 * megabyte;
    const server = await givenServer({}, [big(8 * megabyte, (text) => Buffer.from(text))]);
    const held = (): number => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const idle = held();
    await begun(Array.from({ length: clients }, () => deaf(server.port, get('a'))));
    await until(() => held() - idle < held_max, 'all wait in files');
    const { answers } = await exchangeRaw(server.port, get('b'), { answers: 1 });
    strictEqual(answers[0]?.body, textOf(8 * megabyte, 'b'));
    for (const socket of opened) socket.destroy();
    await connected(server, 0);
  });
});
