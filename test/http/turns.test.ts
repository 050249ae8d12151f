/** How much of large bodies is written before the event loop serves other requests. */
import { deepStrictEqual, ok } from 'node:assert';
import { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach } from 'mocha';
import { endpoint } from '../../src/http/core/endpoint.js';
import { bytes } from '../../src/http/core/reply.js';
import { Turns } from '../../src/http/core/turns.js';
import { until } from '../support/given-daemon.js';
import { givenServer, tokens } from './given-server.js';
import { request } from './plain-http.js';

describe('turns of the event loop', () => {
  const opened: Socket[] = [];
  const { write } = ServerResponse.prototype;
  afterEach(() => {
    ServerResponse.prototype.write = write;
    for (const socket of opened.splice(0)) socket.destroy();
  });

  it('let a bounded number of bytes be written, in order', async () => {
    const turns = new Turns(10);
    const written: string[] = [];
    const client = async (name: string, pieces: readonly number[]): Promise<void> => {
      for (const piece of pieces) {
        await turns.take(piece);
        written.push(`${name}${piece}`);
      }
    };
    const all = Promise.all([client('a', [4, 4, 4]), client('b', [4, 20]), client('c', [1])]);
    const byTurn: string[] = [];
    // What fits is written at once, the rest in the turns to come.
    for (let n = 0; n < 4; n++) {
      await (n === 0 ? Promise.resolve() : nextTurn());
      byTurn.push(written.splice(0).join(' '));
    }
    await all;
    deepStrictEqual(byTurn, ['a4 b4 c1', 'a4', 'b20', 'a4']);
  });

  it('come between the pieces of responses to clients that do not read', async () => {
    const size = 4_194_304;
    const turn_bytes = 262_144;
    const server = await givenServer({ limits: { turn_bytes } }, [
      endpoint({
        method: 'GET',
        path: '/big',
        auth: 'viewer',
        summary: 'Large',
        responses: { 200: { description: 'much', type: 'text/plain' } },
        handle: () => bytes(200, 'text/plain', Buffer.alloc(size, 'x')),
      }),
    ]);
    const turn = { bytes: 0, most_bytes: 0, all_bytes: 0, isOver: false };
    ServerResponse.prototype.write = function count(this: ServerResponse, ...args: [Uint8Array]): boolean {
      turn.bytes += args[0].length;
      turn.all_bytes += args[0].length;
      turn.most_bytes = Math.max(turn.most_bytes, turn.bytes);
      return Reflect.apply(write, this, args) as boolean;
    };
    const watch = async (): Promise<void> => {
      for (; !turn.isOver; turn.bytes = 0) await nextTurn();
    };
    const watching = watch();
    for (let n = 0; n < 8; n++) {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      opened.push(socket.pause());
      socket.write(request('GET', '/big', { token: tokens.viewer }));
    }
    await until(() => turn.all_bytes >= 2 * size, 'much is written');
    turn.isOver = true;
    await watching;
    // Two turns of the sender may fall into one of this test, which is not in step with it.
    ok(turn.most_bytes <= 2 * turn_bytes, `${turn.most_bytes} bytes in a turn`);
  });
});
