import { deepStrictEqual, match, rejects, strictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { exchangeRaw } from '../raw-client.js';
import { bearer, connect, givenSocket, handshakeBytes, itemsOf, token } from './given-socket.js';
import { until } from '../../support/app/given-daemon.js';
import type { ProgressMessage } from '../../../src/codec/api-simulation.js';
import { protocolTokens } from '../../../src/http/simulation/socket-handshake.js';
import { membersOf } from '../../support/lists.js';

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
    deepStrictEqual(membersOf(answers, 'status'), [404, 101]);
    // One text message, then the close frame with 1000.
    strictEqual(rest, '\x81\x0cGeneration 7\x88\x0f\x03\xe8no more lines');
  });
});

describe('progress socket: any handshake', () => {
  it('may have any valid token, in the header or as a subprotocol', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (secret) => {
        const offered = ['Sec-WebSocket-Protocol', `agi-progress.v1, ${bearer(secret)}`];
        deepStrictEqual(protocolTokens(offered), [secret]);
      }),
    );
  });
});
