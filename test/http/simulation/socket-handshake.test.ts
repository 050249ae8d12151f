import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { WebSocketServer } from 'ws';
import { RefusalError } from '../../../src/base/result.js';
import { Denied } from '../../../src/http/core/problem.js';
import { protocolTokens, readHandshake } from '../../../src/http/simulation/socket-handshake.js';
import { bearer } from './given-socket.js';

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

  it('is accepted with no query but the known members, each once and well-formed', () => {
    const members = fc.array(fc.tuple(fc.constantFrom('id', 'format', 'token', '__proto__', ''), fc.string({ maxLength: 16 })), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(members, (list) => {
        const query = list.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
        const isFine = list.every(
          ([name, value], i) =>
            (name === 'id' ? /^[0-9a-f]{16}$/.test(value) : name === 'format' && ['text', 'json'].includes(value)) &&
            list.findIndex(([other]) => other === name) === i,
        );
        strictEqual(isTaken(requestOf({}, `/ws/progress?${query}`)), isFine, query);
      }),
      { numRuns: 500 },
    );
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
