import { deepStrictEqual, strictEqual, ok } from 'node:assert';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { givenServer, tokens } from './given-server.js';
import { assertSecured, problemIn, request } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';
import { hang_ms } from '../support/wait.js';

const codes = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status);
const post = (body: string): string => request('POST', '/m', { body });
const get = request('GET', '/open');

describe('one connection: several requests', () => {
  it('are served one after another on a connection that stays', async () => {
    const server = await givenServer();
    const { answers, closed } = await exchangeRaw(server.port, [get, get, post('one')], { answersBefore: [0, 1, 2] });
    deepStrictEqual([codes(answers), server.work, closed], [[200, 200, 200], ['one'], 'end']);
    deepStrictEqual(
      answers.map(({ headers }) => headers.connection),
      ['keep-alive', 'keep-alive', 'close'],
    );
  });

  it('are served in order when reads are sent at once', async () => {
    const server = await givenServer();
    const things = ['a', 'b', 'c'].map((id) => request('GET', `/things/${id}`, { token: tokens.viewer }));
    const { answers } = await exchangeRaw(server.port, request('GET', '/slow') + things.join(''), { answers: 4 });
    deepStrictEqual(
      answers.map(({ body }) => (JSON.parse(body) as { said: string }).said),
      ['at last', 'a for viewer-one', 'b for viewer-one', 'c for viewer-one'],
    );
  });

  it('are answered in order when a mutation follows reads', async () => {
    const server = await givenServer();
    const { answers } = await exchangeRaw(server.port, request('GET', '/slow') + post('hello'), { answers: 2 });
    deepStrictEqual([codes(answers), server.work], [[200, 200], ['hello']]);
  });

  it('are not served when they are sent behind a mutation before its response', async () => {
    const server = await givenServer();
    const { answers, closed } = await exchangeRaw(server.port, post('one') + post('two'));
    deepStrictEqual([codes(answers), closed, server.work], [[200], 'end', ['one']]);
    strictEqual(answers[0]!.headers.connection, 'close');
  });

  it('wait up to 16; the rest is not served', async () => {
    const server = await givenServer();
    const { answers, closed } = await exchangeRaw(server.port, request('GET', '/slow') + get.repeat(30));
    deepStrictEqual([answers.length, closed], [16, 'end']);
    strictEqual(answers.at(-1)!.headers.connection, 'close');
  });

  it('are served in any number, one after another', async () => {
    const server = await givenServer();
    const chunks = Array<string>(40).fill(get);
    const { answers } = await exchangeRaw(server.port, chunks, { answers: 40, answersBefore: [...chunks.keys()] });
    strictEqual(answers.length, 40);
  });
});

describe('one connection: behind a refused head', () => {
  const smuggled = post('smuggled');
  const firsts: readonly (readonly [string, string, number])[] = [
    ['chunked', `POST /m HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['both lengths', `POST /m HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`, 400],
    ['an empty Transfer-Encoding', 'POST /m HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\nContent-Length: 0\r\n\r\n', 400],
    ['an empty Transfer-Encoding alone', 'POST /m HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n\r\n', 400],
    ['no length', 'POST /m HTTP/1.1\r\nHost: x\r\n\r\n', 411],
    ['too long', 'POST /m HTTP/1.1\r\nHost: x\r\nContent-Length: 524289\r\n\r\n', 413],
    ['another host', 'POST /m HTTP/1.1\r\nHost: evil\r\nContent-Length: 0\r\n\r\n', 421],
    ['a reading request with a body', 'GET /open HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello', 400],
    ['a reading request in chunks', 'GET /open HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['a HEAD with a body', 'HEAD /open HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello', 400],
    ['garbage', 'garbage\r\n\r\n', 400],
  ];
  for (const [what, first, status] of firsts) {
    it(`responds with ${status} to ${what}, and does nothing for the mutation behind it`, async () => {
      const server = await givenServer();
      const head = first.startsWith('HEAD');
      const { answers, rest, closed } = await exchangeRaw(server.port, first + smuggled, { head });
      deepStrictEqual([codes(answers), rest, closed, server.work], [[status], '', 'end', []]);
      assertSecured(answers[0]!);
      strictEqual(answers[0]!.headers.connection, 'close');
    });
  }

  it('serves the requests before the refused one first', async () => {
    const server = await givenServer();
    const { answers } = await exchangeRaw(server.port, `${get}POST /m HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello`);
    deepStrictEqual([codes(answers), server.work], [[200, 400], []]);
    problemIn(answers[1]);
  });

  for (const [name, chunks] of [
    ['OPTIONS', ['OPTIONS * RTSP/1.0\r\n\r\n']],
    ['OPTIONS of a path', ['OPTIONS /open RTSP/1.0\r\nHost: x\r\n\r\n']],
    ['GET', ['GET /open RTSP/1.0\r\nHost: x\r\n\r\n']],
    ['GET in pieces', ['GET /open RTS', 'P/1', '.1\r', '\nHost: x\r\n\r\n']],
    ['POST', ['POST /m RTSP/1.0\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello']],
  ] as const) {
    it(`refuses RTSP with 400 as another version, and serves nothing behind it: ${name}`, async () => {
      const server = await givenServer();
      const sent = [get, ...chunks.slice(0, -1), `${chunks.at(-1)}${get}`];
      const { answers, closed } = await exchangeRaw(server.port, sent);
      deepStrictEqual([codes(answers), closed, server.work], [[200, 400], 'end', []]);
      strictEqual(problemIn(answers[1]).detail, 'the version is neither HTTP/1.1 nor HTTP/1.0');
    });
  }

  it('accepts a body of length 0 as none', async () => {
    const server = await givenServer();
    const { answers } = await exchangeRaw(server.port, request('GET', '/open', { headers: { 'Content-Length': '0' } }), {
      answers: 1,
    });
    deepStrictEqual(codes(answers), [200]);
  });
});

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
