/** Connections that are kept after a response: how long they may be idle, and what counts as idle. */
import { deepStrictEqual, ok } from 'node:assert';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { hang_ms } from '../support/wait.js';
import { givenServer } from './given-server.js';
import { request } from './plain-http.js';

const http_keep_alive_ms = 300;
const blanks_max = 100;

/** Sends the request, then the piece again and again until the server ends; returns the number of pieces that were sent. */
async function piecesUntilEnd(port: number, first: string, piece: string, pause_ms: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
  const ended = once(socket, 'end', { signal: AbortSignal.timeout(hang_ms) }).then(() => true);
  socket.write(first);
  await once(socket, 'data');
  let sent = 0;
  for (let over = false; !over && sent < blanks_max; sent++) {
    socket.write(piece);
    over = await Promise.race([ended, sleep(pause_ms, false)]);
  }
  socket.destroy();
  return sent;
}

describe('an idle connection', () => {
  const limits = { http_keep_alive_ms, http_head_ms_max: 300, http_check_ms: 50 };
  for (const [name, piece] of [
    ['CR', '\r'],
    ['LF', '\n'],
    ['blank lines', '\r\n\r\n'],
  ] as const) {
    it(`ends after a response although ${name} arrives now and then`, async () => {
      const { port } = await givenServer({ limits });
      const sent = await piecesUntilEnd(port, request('GET', '/open'), piece, http_keep_alive_ms / 3);
      ok(sent < blanks_max, `${sent} pieces`);
    });
  }

  it('ends although blank bytes arrive before its first request', async () => {
    const { port } = await givenServer({ limits: { http_head_ms_max: 300 } });
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const ended = once(socket.resume(), 'end', { signal: AbortSignal.timeout(hang_ms) }).then(() => true);
    let over = false;
    for (let sent = 0; !over && sent < blanks_max; sent++) {
      socket.write('\r');
      over = await Promise.race([ended, sleep(100, false)]);
    }
    ok(over);
  });

  it('is kept while the head of its next request arrives', async () => {
    const { port } = await givenServer({ limits: { http_keep_alive_ms } });
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const raw = request('GET', '/open');
    const statuses: string[] = [];
    socket.on('data', (chunk: Buffer) => statuses.push(chunk.toString().slice(9, 12)));
    socket.write(raw + raw.slice(0, 5));
    await once(socket, 'data');
    await sleep(http_keep_alive_ms * 2);
    socket.write(raw.slice(5));
    await once(socket, 'data');
    socket.destroy();
    deepStrictEqual(statuses, ['200', '200']);
  });
});
