import { deepStrictEqual, ok as truly, strictEqual } from 'node:assert';
import { defaultSettings } from '../../src/http/core/limits.js';
import { fullEffort } from '../support/effort.js';
import { until } from '../support/app/given-daemon.js';
import { hang_ms } from '../support/wait.js';
import { givenServer, tokens } from './given-server.js';
import { problemIn, request } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';

const post = (length: number, body: string): string =>
  request('POST', '/m', { headers: { 'Content-Length': String(length) } }) + body;
const codes = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status);

describe('body: longer than announced', () => {
  const extras: readonly (readonly [string, string])[] = [
    ['garbage', 'EXTRA'],
    ['one brace', '}'],
    ['a line break', '\n'],
    ['an empty line', '\r\n'],
    ['the first letter of a method', 'P'],
    ['half a request', 'GET /open HT'],
    ['a request with a broken field', 'GET /open HTTP/1.1\r\nHost : x\r\n\r\n'],
  ];
  for (const [what, extra] of extras) {
    it(`is refused with 400 and does no work: ${what} behind the body`, async () => {
      const server = await givenServer();
      const { answers, rest, closed } = await exchangeRaw(server.port, post(5, `hello${extra}`));
      deepStrictEqual(codes(answers), [400]);
      strictEqual(problemIn(answers[0]).code, 'malformed');
      strictEqual(problemIn(answers[0]).detail, 'the body is longer than Content-Length says');
      strictEqual(answers[0]!.headers.connection, 'close');
      deepStrictEqual([rest, closed, server.work], ['', 'end', []]);
    });
  }

  it('is refused the same way when the body comes in pieces and the last piece is too long', async () => {
    const server = await givenServer();
    const { answers } = await exchangeRaw(server.port, [post(5, 'he'), 'll', 'oP']);
    deepStrictEqual(codes(answers), [400]);
    deepStrictEqual(server.work, []);
  });

  it('is not a whole further request, which is dropped', async () => {
    const server = await givenServer();
    const { answers, closed } = await exchangeRaw(server.port, [post(5, 'he'), `llo${post(3, 'two')}`]);
    deepStrictEqual([codes(answers), closed, server.work], [[200], 'end', ['hello']]);
  });
});

describe('body: shorter than announced', () => {
  it('is refused with 400 and does no work when the client ends its side', async () => {
    const server = await givenServer();
    const { answers, closed } = await exchangeRaw(server.port, post(9, 'hello'), { afterwards: 'end' });
    deepStrictEqual(codes(answers), [400]);
    strictEqual(problemIn(answers[0]).detail, 'the body is shorter than Content-Length says');
    strictEqual(closed, 'end');
    deepStrictEqual(server.work, []);
  });

  it('has no response and does no work when the client resets the connection, which the log reports', async () => {
    const server = await givenServer();
    await exchangeRaw(server.port, post(9, 'hello'), { afterwards: 'reset' });
    await until(() => server.log().length > 0, 'a line in the log');
    deepStrictEqual(server.work, []);
    strictEqual(server.log()[0]!.cut, true);
  });

  it('has its response when a client ends its side after a whole request', async () => {
    const server = await givenServer();
    const { answers, closed } = await exchangeRaw(server.port, post(5, 'hello'), { afterwards: 'end' });
    deepStrictEqual([codes(answers), closed, server.work], [[200], 'end', ['hello']]);
    const slow = await exchangeRaw(server.port, request('GET', '/slow'), { afterwards: 'end' });
    deepStrictEqual([codes(slow.answers), slow.closed], [[200], 'end']);
  });
});

describe('body: its size', () => {
  it('refuses one byte more with 413, before a byte of it was sent', async () => {
    // A server that waited for the body would wait beyond the end of the exchange.
    const server = await givenServer({ limits: { http_body_ms_max: 2 * hang_ms } });
    const { answers } = await exchangeRaw(server.port, post(524_289, ''));
    deepStrictEqual(codes(answers), [413]);
    strictEqual(problemIn(answers[0]).code, 'too_large');
  });

  it('lets a client that sends it all the same read its 413', async () => {
    const server = await givenServer();
    const pieces = Array<string>(8).fill('x'.repeat(500_000));
    const { answers, rest, closed } = await exchangeRaw(server.port, [post(4_000_000, ''), ...pieces], {
      readsLate: true,
      afterwards: 'end',
    });
    deepStrictEqual([codes(answers), rest, closed], [[413], '', 'end']);
  });

  it('refuses a length beyond 2^64 with 413 too', async () => {
    const server = await givenServer();
    const head = request('POST', '/m', { headers: { 'Content-Length': '9'.repeat(40) } });
    const { answers } = await exchangeRaw(server.port, head);
    deepStrictEqual(codes(answers), [413]);
    strictEqual(problemIn(answers[0]).code, 'too_large');
  });
});

describe('body: its time', () => {
  const drip = (server: { port: number }, pause_ms: number) =>
    exchangeRaw(server.port, [post(50, ''), ...Array<string>(50).fill('x')], { pause_ms });

  it('refuses a drip that takes too long with 408, while the client still sends, and does no work', async () => {
    const server = await givenServer({ limits: { http_body_ms_max: 300 } });
    const { answers, ms, rest } = await drip(server, 25);
    deepStrictEqual(codes(answers), [408]);
    strictEqual(problemIn(answers[0]).code, 'timeout');
    strictEqual(answers[0]!.headers.connection, 'close');
    truly(ms >= 300, `${ms} ms`);
    deepStrictEqual([rest, server.work], ['', []]);
  });

  it('accepts a drip within its time', async () => {
    const server = await givenServer({ limits: { http_body_ms_max: hang_ms } });
    const { answers } = await exchangeRaw(server.port, [post(5, ''), 'h', 'e', 'l', 'l', 'o'], { answers: 1 });
    deepStrictEqual([codes(answers), server.work], [[200], ['hello']]);
  });

  it('refuses a body that never comes with 408 once its time is over', async () => {
    const server = await givenServer({ limits: { http_body_ms_max: 300 } });
    const { answers, ms } = await exchangeRaw(server.port, post(5, 'he'));
    deepStrictEqual(codes(answers), [408]);
    truly(ms >= 300, `${ms} ms`);
  });

  it('refuses a head that never ends with 408', async () => {
    const server = await givenServer({ limits: { http_head_ms_max: 300 } });
    const { answers, closed, ms } = await exchangeRaw(server.port, 'GET /open HTTP/1.1\r\nHost: x\r\n');
    deepStrictEqual([codes(answers), closed], [[408], 'end']);
    problemIn(answers[0]);
    truly(ms >= 300, `${ms} ms`);
  });

  (fullEffort ? it : it.skip)('ends after 15 s, by the clock (TEST_EFFORT=full)', async () => {
    const server = await givenServer();
    const { answers, ms } = await exchangeRaw(server.port, post(5, 'he'));
    deepStrictEqual(codes(answers), [408]);
    truly(Math.abs(ms - defaultSettings.http_body_ms_max) < 1_000, `${ms} ms`);
  });
});

describe('body: from a client that may not send it', () => {
  it('is counted and timed all the same', async () => {
    const server = await givenServer();
    const hasty = await givenServer({ limits: { http_body_ms_max: 200 } });
    const head = request('POST', '/things', { headers: { 'Content-Length': '5' } });
    const whole = await exchangeRaw(server.port, `${head}hello`, { answers: 1 });
    const longer = await exchangeRaw(server.port, `${head}hello!`);
    const slow = await exchangeRaw(hasty.port, `${head}he`);
    const short = await exchangeRaw(server.port, `${head}he`, { afterwards: 'end' });
    deepStrictEqual(
      [whole, longer, slow, short].flatMap(({ answers }) => codes(answers)),
      [401, 400, 408, 400],
    );
  });

  it('ends the connection, as every mutation does', async () => {
    const server = await givenServer();
    const refused = request('POST', '/things', { body: '{"said":"no"}' });
    const fine = request('POST', '/things', { token: tokens.admin, body: '{"said":"yes"}' });
    for (const [first, status] of [
      [refused, 401],
      [fine, 201],
    ] as const) {
      const { answers, closed } = await exchangeRaw(server.port, [first, fine], { answersBefore: [0, 1] });
      deepStrictEqual([codes(answers), closed, answers[0]!.headers.connection], [[status], 'end', 'close']);
    }
    deepStrictEqual(server.work, ['yes']);
  });
});
