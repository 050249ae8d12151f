import { deepStrictEqual, match, rejects, strictEqual, ok } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { WebSocketServer } from 'ws';
import { exchangeRaw } from '../raw-client.js';
import { bearer, connect, givenSocket, handshakeBytes, itemsOf, token } from './given-socket.js';
import { until } from '../../support/app/given-daemon.js';
import type { ProgressMessage } from '../../../src/codec/api-simulation.js';
import { RefusalError } from '../../../src/base/refusal.js';
import { Denied } from '../../../src/http/core/problem.js';
import { protocolTokens, readHandshake } from '../../../src/http/simulation/socket-handshake.js';

const a = 'a'.repeat(16);
const year = (id: string, n: number, affected: number): ProgressMessage => ({ id, type: 'year', year: n, affected });
const generation = (id: string, n: number): ProgressMessage => ({ id, type: 'generation', generation: n });

describe('progress socket: messages', () => {
  it('arrive whole and in order, 10 000 lines at two clients at once', async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => generation(a, i + 1));
    const { port } = await givenSocket(() => itemsOf(items));
    const clients = await Promise.all([connect(port), connect(port)]);
    for (const { messages, closed } of clients) {
      strictEqual((await closed).code, 1000);
      deepStrictEqual(
        messages,
        items.map((_, i) => `Generation ${i + 1}`),
      );
    }
  });

  it('end with 1011 when the feed fails, and the log says why', async () => {
    const { port, log, progress } = await givenSocket(async function* () {
      yield year(a, 1, 1);
      await sleep(1);
      throw new Error('the disk is gone');
    });
    const { messages, closed } = await connect(port);
    deepStrictEqual(await closed, { code: 1011, reason: 'the server failed' });
    deepStrictEqual(messages, ['Year 1: 1 affected']);
    match(JSON.stringify(log()), /the disk is gone/);
    await until(() => progress.count() === 0);
  });
});

describe('progress socket: the response to the handshake', () => {
  it('selects agi-progress.v1 and never repeats the token', async () => {
    const { port } = await givenSocket();
    for (const offered of [
      ['agi-progress.v1', bearer(token)],
      [bearer(token), 'agi-progress.v1'],
    ]) {
      const { socket } = await connect(port, '', { protocols: offered, headers: {} });
      strictEqual(socket.protocol, 'agi-progress.v1');
      strictEqual(socket.extensions, '');
    }
    const fields = { Authorization: null, 'Sec-WebSocket-Protocol': `chat, ${bearer(token)},agi-progress.v1` };
    const { answers, rest } = await exchangeRaw(port, handshakeBytes({}, fields), { answers: 1 });
    strictEqual(rest, '');
    strictEqual(answers[0]!.status, 101);
    const { 'x-request-id': id, ...others } = answers[0]!.headers;
    match(id ?? '', /^[0-9a-f-]{36}$/);
    deepStrictEqual(others, {
      upgrade: 'websocket',
      connection: 'Upgrade',
      // RFC 6455, section 1.3: the response to the key of its example.
      'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
      'sec-websocket-protocol': 'agi-progress.v1',
    });
  });

  it('selects no subprotocol for a client with the header alone, or one that offers only others', async () => {
    const { port } = await givenSocket();
    strictEqual((await connect(port)).socket.protocol, '');
    await rejects(connect(port, '', { protocols: ['chat'] }), /no subprotocol/);
  });

  it('accepts a handshake in absolute form, in odd case, after other requests, and with frames right behind it', async () => {
    const { port } = await givenSocket(() => itemsOf([generation(a, 7)]));
    const absolute = handshakeBytes(
      { target: 'http://LOCALHOST/ws/progress?format=text' },
      { Upgrade: 'WebSocket', Connection: 'keep-alive, UPGRADE' },
    );
    const other = handshakeBytes({ target: '/nothing' }, { Upgrade: null, Connection: null });
    // A masked text message `hi` (RFC 6455, section 5.2).
    const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
    const { answers, rest } = await exchangeRaw(port, [other, Buffer.concat([Buffer.from(absolute), frame])]);
    deepStrictEqual(
      answers.map(({ status }) => status),
      [404, 101],
    );
    // One text message, then the close frame with 1000.
    strictEqual(rest, '\x81\x0cGeneration 7\x88\x0f\x03\xe8no more lines');
  });
});

const fields: Readonly<Record<string, string>> = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** A request as Node's parser hands it over. */
const requestOf = (more: Readonly<Record<string, string>>, url = '/ws/progress'): IncomingMessage => {
  const headers = { ...fields, ...more };
  const rawHeaders = Object.entries(headers).flat();
  return { method: 'GET', url, httpVersion: '1.1', headers, rawHeaders } as unknown as IncomingMessage;
};

/** Whether the handshake is taken; anything thrown but a denial or a refusal is a fault. */
function isTaken(request: IncomingMessage): boolean {
  try {
    readHandshake(request);
    return true;
  } catch (error) {
    ok(error instanceof Denied || error instanceof RefusalError, String(error));
    return false;
  }
}

/** What the WebSocket library itself says of it. */
function isTakenByLibrary(request: IncomingMessage): boolean {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  let wasRefused = false;
  server.on('wsClientError', () => (wasRefused = true));
  // Not readable any more: a handshake that is in order ends here too.
  const socket = { on: () => undefined, readable: false, writable: false, destroy: () => undefined };
  server.handleUpgrade(request, socket as never, Buffer.alloc(0), () => undefined);
  return !wasRefused;
}

const names = fc.oneof(
  fc.constantFrom('agi-progress.v1', bearer('secret'), 'bearer.', 'chat', ',', ' ', '\t', '"', '=', ''),
  fc.string({ maxLength: 5 }),
);
const lists = fc.array(names, { maxLength: 6 }).map((parts) => parts.join('').trim());
const commas = fc.array(names, { maxLength: 4 }).map((parts) => parts.join(', ').trim());

describe('progress socket: any handshake', () => {
  it('is never accepted where the library would refuse it with a response of its own', () => {
    fc.assert(
      fc.property(
        fc.oneof(lists, commas),
        fc.oneof(fc.constantFrom('dGhlIHNhbXBsZSBub25jZQ==', 'dGhlIHNhbXBsZSBub25jZR==', ''), fc.base64String({ maxLength: 28 })),
        fc.constantFrom('13', '8', ' 13', '13.0', '0x0d', '1e1'),
        fc.constantFrom('websocket', 'WebSocket', 'websocket, h2c', 'web socket'),
        (protocols, key, version, upgrade) => {
          const request = requestOf({
            'sec-websocket-protocol': protocols,
            'sec-websocket-key': key,
            'sec-websocket-version': version,
            upgrade,
          });
          if (isTaken(request)) strictEqual(isTakenByLibrary(request), true, JSON.stringify(request.headers));
        },
      ),
      { numRuns: 2_000 },
    );
    strictEqual(isTaken(requestOf({})), true);
    strictEqual(isTaken(requestOf({ 'sec-websocket-protocol': `agi-progress.v1, ${bearer('secret')}` })), true);
  });

  it('may have any valid token, in the header or as a subprotocol', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (secret) => {
        const offered = requestOf({ 'sec-websocket-protocol': `agi-progress.v1, ${bearer(secret)}` });
        deepStrictEqual(protocolTokens(offered.rawHeaders), [secret]);
        const other = requestOf({ 'sec-websocket-protocol': `agi-progress.v1, ${bearer(`${secret}x`)}` });
        deepStrictEqual(protocolTokens(other.rawHeaders), [`${secret}x`]);
      }),
    );
  });
});
