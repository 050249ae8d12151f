/** What a connection carries, byte for byte: heads, bodies, several requests. operator-framing.test.ts has the malformed heads of the vectors. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultSettings, type Settings } from '../../src/http/core/limits.js';
import { until } from '../support/app/given-daemon.js';
import { fullEffort } from '../support/effort.js';
import { hang_ms } from '../support/wait.js';
import { givenServer, tokens } from './given-server.js';
import { assertSecured, problemIn, request } from './plain-http.js';
import { exchangeRaw, type Answer, type Plan } from './raw-client.js';

const get = request('GET', '/open');
const slow = request('GET', '/slow');
const post = (body: string, length = body.length): string =>
  request('POST', '/m', { headers: { 'Content-Length': String(length) } }) + body;
/** A request with other fields than `request` writes. */
const raw = (line: string, fields = '', body = ''): string => `${line} HTTP/1.1\r\nHost: x\r\n${fields}\r\n${body}`;

const brief = (answer: Answer): string =>
  answer.status < 400 || answer.body === '' ? String(answer.status) : `${answer.status} ${problemIn(answer).code}`;

interface Expected extends Plan {
  readonly limits?: Partial<Settings>;
  /** What reached the handlers of mutations. */
  readonly work?: readonly string[];
  /** The connection stays; otherwise the server ends it and says so in its last response. */
  readonly stays?: boolean;
  readonly detail?: string;
}

async function assertAnswers(
  sent: string | readonly string[],
  statuses: string,
  { limits = {}, work = [], stays = false, detail, ...plan }: Expected = {},
): Promise<number> {
  const server = await givenServer({ limits });
  const count = statuses.split(', ').length;
  const { answers, rest, closed, ms } = await exchangeRaw(server.port, sent, stays ? { answers: count, ...plan } : plan);
  deepStrictEqual([answers.map(brief).join(', '), rest, server.work], [statuses, '', work]);
  answers.forEach(assertSecured);
  if (!stays) deepStrictEqual([closed, answers.at(-1)?.headers.connection], ['end', 'close']);
  if (detail !== undefined) strictEqual(problemIn(answers.at(-1)).detail, detail);
  return ms;
}

type Case = readonly [title: string, sent: string | readonly string[], statuses: string, expected?: Expected | undefined];
const each = (cases: readonly Case[]): void => {
  for (const [title, sent, statuses, expected] of cases)
    it(title, async () => void (await assertAnswers(sent, statuses, expected)));
};

describe('one connection: several requests', () => {
  each([
    [
      'are served one after another on a connection that stays until a mutation',
      [get, get, post('one')],
      '200, 200, 200',
      { answersBefore: [0, 1, 2], work: ['one'] },
    ],
    ['are answered in order when a mutation follows reads', slow + post('hello'), '200, 200', { work: ['hello'] }],
    ['are not served behind a mutation before its response', post('one') + post('two'), '200', { work: ['one'] }],
    ['are not served behind a mutation after its response', [post('one'), get], '200', { answersBefore: [0, 1], work: ['one'] }],
    ['wait up to 16; the rest is not served', slow + get.repeat(30), Array(16).fill('200').join(', ')],
    [
      'are served in any number, one after another',
      Array<string>(40).fill(get),
      Array(40).fill('200').join(', '),
      { answersBefore: [...Array(40).keys()], stays: true },
    ],
    ['are served before a refused one', get + raw('POST /m', 'Content-Length: +5\r\n', 'hello'), '200, 400 malformed'],
  ]);

  it('are served in order when reads are sent at once', async () => {
    const server = await givenServer();
    const things = ['a', 'b', 'c'].map((id) => request('GET', `/things/${id}`, { token: tokens.viewer }));
    const { answers } = await exchangeRaw(server.port, slow + things.join(''), { answers: 4 });
    deepStrictEqual(
      answers.map(({ body }) => (JSON.parse(body) as { said: string }).said),
      ['at last', 'a for viewer-one', 'b for viewer-one', 'c for viewer-one'],
    );
  });
});

describe('a refused head: nothing is done for the mutation behind it', () => {
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const version = 'the version is neither HTTP/1.1 nor HTTP/1.0';
  const behind: readonly (readonly [string, string, string, Expected?])[] = [
    ['an empty Transfer-Encoding', raw('POST /m', 'Transfer-Encoding:\r\nContent-Length: 0\r\n'), '400 malformed'],
    ['an empty Transfer-Encoding alone', raw('POST /m', 'Transfer-Encoding:\r\n'), '400 malformed'],
    ['another host', get.replace('Host: x', 'Host: evil'), '421 misdirected'],
    ['a reading request with a body', raw('GET /open', 'Content-Length: 5\r\n', 'hello'), '400 malformed'],
    ['chunks', raw('POST /m', chunked, '0\r\n\r\n'), '400 malformed', { detail: 'Transfer-Encoding is not accepted' }],
    ['a reading request in chunks', raw('GET /open', chunked, '0\r\n\r\n'), '400 malformed'],
    ['a HEAD with a body', raw('HEAD /open', 'Content-Length: 5\r\n', 'hello'), '400', { head: true }],
    ['garbage', 'garbage\r\n\r\n', '400 malformed'],
    ['OPTIONS of RTSP', 'OPTIONS * RTSP/1.0\r\n\r\n', '400 malformed', { detail: version }],
    ['POST of RTSP', post('hello').replace('HTTP/1.1', 'RTSP/1.0'), '400 malformed', { detail: version }],
    ...[
      'Content-Length',
      'Transfer-Encoding',
      'Host',
      'Content-Type',
      'Content-Encoding',
      'Authorization',
      'Origin',
      'Expect',
    ].map(
      (name) =>
        [`${name} in Connection`, raw('GET /open', `cOnnection: close,\t${name.toLowerCase()} \r\n`), '400 malformed'] as const,
    ),
    [
      'a length in a second Connection',
      raw('PUT /open', 'Connection: close\r\nConnection: , ,CONTENT-LENGTH\r\n'),
      '400 malformed',
    ],
    [
      'such a field, before path, length and token',
      raw('POST /no', 'Content-Length: 524289\r\nConnection: host\r\n'),
      '400 malformed',
    ],
    [
      'another host, before such a field',
      raw('GET /open', 'Connection: content-length\r\n').replace('Host: x', 'Host: evil'),
      '421 misdirected',
    ],
  ];
  each(behind.map(([what, sent, statuses, expected]) => [`for ${what}`, sent + post('smuggled'), statuses, expected]));
  each([
    [
      'for GET of RTSP in pieces',
      [get, 'GET /open RTS', 'P/1', '.1\r', `\nHost: x\r\n\r\n${post('smuggled')}`],
      '200, 400 malformed',
      { detail: version },
    ],
  ]);
});

describe('a head', () => {
  const evil = (line: string, fields = ''): string => raw(line, fields).replace('Host: x', 'Host: evil.example');
  const fields = (n: number): string => Array.from({ length: n }, (_, i) => `f${i}: 1\r\n`).join('');
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AA==' };
  const open = { stays: true } as const;
  const expect = { Expect: '100-continue' };
  each([
    ['has its Host checked before its framing', evil('POST /m', 'Transfer-Encoding: chunked\r\n'), '421 misdirected'],
    ['has its Host checked before its length and path', evil('POST /no', 'Content-Length: 524289\r\n'), '421 misdirected'],
    ['has its Host checked before its token', evil('GET /things/1'), '421 misdirected'],
    ['has its Host checked before its method', evil('OPTIONS *'), '421 misdirected'],
    ['needs a Host that is not empty', raw('GET /open').replace('Host: x', 'Host:'), '421 misdirected'],
    ['has up to 200 fields', raw('GET /open', fields(199)), '200', open],
    ['has no more fields', raw('GET /open', fields(200)), '431 headers_too_large'],
    ['has up to 24 KiB', raw('GET /open', `f: ${'v'.repeat(24_000)}\r\n`), '200', open],
    ['has no more bytes in its fields', raw('GET /open', `f: ${'v'.repeat(24_576)}\r\n`), '431 headers_too_large'],
    ['has no more bytes in its target', raw(`GET /${'p'.repeat(25_000)}`), '431 headers_too_large'],
    ['is refused for CONNECT', raw('CONNECT x:443').replace('Host: x', 'Host: x:443'), '405 method_not_allowed'],
    ['is refused for TRACE without a length', raw('TRACE /open'), '411 length_required'],
    ['is refused for TRACE', request('TRACE', '/open', { body: '', token: tokens.admin }), '405 method_not_allowed'],
    ['is refused for an unknown method', raw('BREW /open'), '400 malformed'],
    ['may have an absolute target', raw('GET http://x/open'), '200', open],
    ['may ask for an upgrade, which is ignored', request('GET', '/open', { headers: upgrade }), '200', open],
    [
      'is not continued where its body is too large',
      raw('POST /m', 'Expect: 100-continue\r\nContent-Length: 524289\r\n'),
      '413 too_large',
    ],
    ['is not continued where it has none', request('GET', '/open', { headers: expect }), '200', open],
    [
      'may list in Connection what only looks like such a field',
      raw('GET /open', 'Connection: TE, X-Content-Length, Content-Lengths\r\n'),
      '200',
      open,
    ],
    ['may announce a body of length 0', raw('GET /open', 'Content-Length: 0\r\n'), '200', open],
  ]);

  it('of CONNECT keeps nobody else from being served when its client resets the connection', async () => {
    const { port } = await givenServer();
    await Promise.all(Array.from({ length: 10 }, () => exchangeRaw(port, raw('CONNECT x:1'), { afterwards: 'reset' })));
    strictEqual((await exchangeRaw(port, get, { answers: 1 })).answers[0]?.status, 200);
  });
});

describe('a body', () => {
  const longer = { detail: 'the body is longer than Content-Length says' };
  const things = (body: string, length = 5): string =>
    request('POST', '/things', { headers: { 'Content-Length': String(length) } }) + body;
  const hasty = { http_body_ms_max: 200 };
  each([
    ['is refused with more behind it: garbage', post('helloEXTRA', 5), '400 malformed', longer],
    ['is refused with more behind it: an empty line', post('hello\r\n', 5), '400 malformed', longer],
    ['is refused with more behind it: half a request', post('helloGET /open HT', 5), '400 malformed', longer],
    [
      'is refused with more behind it: a broken request',
      `${post('hello')}GET / HTTP/1.1\r\nHost : x\r\n\r\n`,
      '400 malformed',
      longer,
    ],
    ['is refused when the last of its pieces is too long', [post('he', 5), 'll', 'oP'], '400 malformed', longer],
    ['may have a whole request behind it, which is dropped', [post('he', 5), `llo${post('two')}`], '200', { work: ['hello'] }],
    [
      'is refused when the client ends its side before the end of it',
      post('hello', 9),
      '400 malformed',
      { afterwards: 'end', detail: 'the body is shorter than Content-Length says' },
    ],
    ['is served when the client ends its side after it', post('hello'), '200', { afterwards: 'end', work: ['hello'] }],
    [
      'over the limit is refused so that a client that sends it all the same can read it',
      [post('', 4_000_000), ...Array<string>(8).fill('x'.repeat(500_000))],
      '413 too_large',
      { readsLate: true, afterwards: 'end' },
    ],
    ['may come byte by byte within its time', [post('', 5), ...'hello'], '200', { work: ['hello'] }],
    ['of a client that may not send it is read', things('hello'), '401 unauthorized'],
    ['of a client that may not send it is counted', things('hello!'), '400 malformed'],
    ['of a client that may not send it is timed', things('he'), '408 timeout', { limits: hasty }],
    ['of a client that may not send it may not end early', things('he'), '400 malformed', { afterwards: 'end' }],
  ]);

  it('is dropped when the client resets the connection, which the log reports', async () => {
    const server = await givenServer();
    await exchangeRaw(server.port, post('hello', 9), { afterwards: 'reset' });
    await until(() => server.log().length > 0, 'a line in the log');
    deepStrictEqual([server.work, server.log()[0]!.cut], [[], true]);
  });

  for (const [what, sent, limits] of [
    ['a body that takes too long, while the client still sends', [post('', 50), ...'x'.repeat(50)], { http_body_ms_max: 300 }],
    ['a body that never comes', post('he', 5), { http_body_ms_max: 300 }],
    ['a head that never ends', 'GET /open HTTP/1.1\r\nHost: x\r\n', { http_head_ms_max: 300 }],
  ] as const)
    it(`ends in 408 at the end of its time: ${what}`, async () => {
      const ms = await assertAnswers(sent, '408 timeout', { limits, pause_ms: 25 });
      ok(ms >= 300, `${ms} ms`);
    });

  (fullEffort ? it : it.skip)('ends after 15 s, by the clock (TEST_EFFORT=full)', async () => {
    const ms = await assertAnswers(post('he', 5), '408 timeout');
    ok(Math.abs(ms - defaultSettings.http_body_ms_max) < 1_000, `${ms} ms`);
  });
});

describe('an idle connection', () => {
  const http_keep_alive_ms = 300;
  const limits = { http_keep_alive_ms, http_head_ms_max: 300, http_check_ms: 50 };
  const blanks_max = 100;
  for (const [what, first, piece] of [
    ['after a response although CR', get, '\r'],
    ['after a response although LF', get, '\n'],
    ['after a response although blank lines', get, '\r\n\r\n'],
    ['before its first request although CR', '', '\r'],
  ] as const)
    it(`ends ${what} arrives now and then`, async () => {
      const { port } = await givenServer({ limits });
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
      const ended = once(socket, 'end', { signal: AbortSignal.timeout(hang_ms) }).then(() => true);
      socket.write(first);
      if (first === '') socket.resume();
      else await once(socket, 'data');
      let sent = 0;
      for (let over = false; !over && sent < blanks_max; sent++) {
        socket.write(piece);
        over = await Promise.race([ended, sleep(http_keep_alive_ms / 3, false)]);
      }
      socket.destroy();
      ok(sent < blanks_max, `${sent} pieces`);
    });

  it('is kept while the head of its next request arrives', async () => {
    const slowly = { limits: { http_keep_alive_ms: 1_000, http_check_ms: 50 }, pause_ms: 40, stays: true };
    await assertAnswers([get, ...get], '200, 200', slowly);
  });
});
