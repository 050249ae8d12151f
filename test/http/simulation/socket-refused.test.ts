import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { exchangeRaw } from '../raw-client.js';
import { problemIn } from '../plain-http.js';
import {
  bearer,
  connect,
  givenSocket,
  handshakeBytes,
  refusalOf,
  silent,
  token,
  unknown_run,
  type Given,
} from './given-socket.js';
import { until } from '../../support/app/given-daemon.js';
import { membersOf } from '../../support/lists.js';

interface Case {
  readonly what: string;
  readonly line?: Parameters<typeof handshakeBytes>[0];
  readonly fields?: Readonly<Record<string, string | null>>;
  readonly more?: string;
  readonly code: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly string[];
}

const none = { Authorization: null };
const protocols = (value: string): Readonly<Record<string, string | null>> => ({ ...none, 'Sec-WebSocket-Protocol': value });
const query = (text: string): { target: string } => ({ target: `/ws/progress?${text}` });
const missing = { code: 'unauthorized', status: 401, headers: { 'www-authenticate': 'Bearer' } };
const wrong = { code: 'forbidden', status: 403 };
const bad = { code: 'malformed', status: 400 };
const invalid = { code: 'invalid', status: 422 };
const upgrade = { code: 'upgrade_required', status: 426, headers: { upgrade: 'websocket' } };

const cases: readonly Case[] = [
  { what: 'no token', fields: none, ...missing },
  { what: 'a token in the URL only', line: query(`token=${token}`), fields: none, ...missing },
  { what: 'another scheme', fields: { Authorization: 'Basic YTpi' }, ...missing },
  { what: 'an empty bearer', fields: { Authorization: 'Bearer ' }, ...missing },
  { what: 'two Authorization fields', more: `Authorization: Bearer ${token}\r\n`, ...missing },
  { what: 'subprotocols without a token', fields: protocols('agi-progress.v1'), ...missing },
  { what: 'a wrong token', fields: { Authorization: 'Bearer wrong' }, ...wrong },
  { what: 'a wrong token as subprotocol', fields: protocols(`agi-progress.v1, ${bearer('wrong')}`), ...wrong },
  { what: 'the token itself as subprotocol', fields: protocols(`agi-progress.v1, bearer.${token}`), ...wrong },
  { what: 'an empty token as subprotocol', fields: protocols('agi-progress.v1, bearer.'), ...wrong },
  { what: 'base64url spelled another way', fields: protocols(`agi-progress.v1, ${bearer(token)}AA`), ...wrong },
  { what: 'a right and a wrong token', fields: { 'Sec-WebSocket-Protocol': `agi-progress.v1, ${bearer('wrong')}` }, ...wrong },
  { what: 'a wrong token, whatever else is wrong', fields: { Authorization: 'Bearer x', 'Sec-WebSocket-Key': null }, ...wrong },
  { what: 'the token alone as subprotocol', fields: protocols(bearer(token)), ...bad },
  { what: 'a subprotocol twice', fields: protocols(`${bearer(token)}, agi-progress.v1, agi-progress.v1`), ...bad },
  { what: 'an empty subprotocol', fields: protocols(`agi-progress.v1, , ${bearer(token)}`), ...bad },
  { what: 'no key', fields: { 'Sec-WebSocket-Key': null }, ...bad },
  { what: 'a short key', fields: { 'Sec-WebSocket-Key': 'abc' }, ...bad },
  { what: 'two keys', more: 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n', ...bad },
  { what: 'no version', fields: { 'Sec-WebSocket-Version': null }, ...bad },
  { what: 'two protocols to upgrade to', fields: { Upgrade: 'websocket, h2c' }, ...bad },
  { what: 'HTTP/1.0', line: { version: '1.0' }, ...bad },
  { what: 'a body', fields: { 'Content-Length': '3' }, ...bad },
  { what: 'chunks', fields: { 'Transfer-Encoding': 'chunked' }, ...bad },
  { what: 'a Connection that lists Host, before the token', fields: { ...none, Connection: 'Upgrade, Host' }, ...bad },
  { what: 'no Host', fields: { Host: null }, ...bad },
  { what: 'a wrong token, whatever is wrong with the head', fields: { Authorization: 'Bearer x', Host: null }, ...wrong },
  ...['8', '12', '14', '0', 'x'].map((version) => ({
    what: `version ${version}`,
    fields: { 'Sec-WebSocket-Version': version },
    ...upgrade,
    headers: { 'sec-websocket-version': '13', upgrade: 'websocket', connection: 'close, Upgrade' },
  })),
  { what: 'an unknown member', line: query('ids=1'), ...invalid, errors: ['ids'] },
  { what: 'the token in the URL as well', line: query(`token=${token}`), ...invalid, errors: ['token'] },
  { what: 'an id that is none', line: query('id=1'), ...invalid, errors: ['id'] },
  { what: 'an id in capitals', line: query('id=ABCDEF0123456789'), ...invalid, errors: ['id'] },
  { what: 'two ids', line: query(`id=${unknown_run}&id=${unknown_run}`), ...invalid, errors: ['id'] },
  { what: 'a format that is none', line: query('format=xml'), ...invalid, errors: ['format'] },
  { what: '__proto__', line: query('__proto__=1'), ...invalid, errors: ['__proto__'] },
  { what: 'an unknown run', line: query(`id=${unknown_run}`), code: 'not_found', status: 404 },
  { what: 'another path', line: { target: '/ws/other' }, code: 'not_found', status: 404 },
  { what: 'a longer path', line: { target: '/ws/progress/' }, code: 'not_found', status: 404 },
  { what: 'another path without a token', line: { target: '/ws/other' }, fields: none, ...missing },
  { what: 'no upgrade', fields: { Upgrade: null }, ...upgrade },
  { what: 'another protocol', fields: { Upgrade: 'h2c' }, ...upgrade },
  { what: 'an upgrade that Connection does not name', fields: { Connection: 'keep-alive' }, ...upgrade },
  {
    what: 'POST',
    line: { method: 'POST' },
    fields: { 'Content-Length': '0' },
    code: 'method_not_allowed',
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
  },
];

/** A handshake does not decide what stays open after a response in HTTP: it requests the end itself. */
const ending = ({ fields = {}, line = {} }: Case): Readonly<Record<string, string | null>> =>
  'Upgrade' in fields || 'Connection' in fields || line.method !== undefined || (line.target ?? '').match(/other|progress\//)
    ? { ...fields, Connection: `${fields.Connection ?? 'Upgrade'}, close` }
    : fields;

describe('progress socket: refusals before the upgrade', () => {
  let given: Given;
  beforeEach(async () => {
    given = await givenSocket();
  });

  for (const one of cases) {
    it(`respond with ${one.status} to ${one.what}`, async () => {
      const answer = await refusalOf(given.port, handshakeBytes(one.line, ending(one), one.more));
      const { code, errors } = problemIn(answer);
      deepStrictEqual([answer.status, code], [one.status, one.code], answer.body);
      for (const [name, value] of Object.entries(one.headers ?? {})) strictEqual(answer.headers[name], value, name);
      deepStrictEqual(errors && membersOf(errors, 'path'), one.errors);
      ok(!JSON.stringify(answer).includes(token), 'the token comes back');
      strictEqual(given.progress.count(), 0);
    });
  }

  it('check the rate limit first, and send its fields', async () => {
    const { port } = await givenSocket(silent, {}, 1);
    strictEqual((await refusalOf(port, handshakeBytes({}, none))).status, 401);
    const answer = await refusalOf(port, handshakeBytes({}, none));
    strictEqual(answer.status, 429);
    match(answer.headers['retry-after'] ?? '', /^[0-9]+$/);
    strictEqual(answer.headers['ratelimit-limit'], '1');
    await connect(port);
  });

  for (const [what, limits, detail] of [
    ['sockets', { sockets_max: 1 }, /too many progress sockets are open/],
    ['sockets of one address', { sockets_per_address_max: 1 }, /1 progress sockets of this address are open/],
  ] as const)
    it(`respond with 503 and Retry-After to too many ${what} until one is gone`, async () => {
      const { port, progress } = await givenSocket(silent, { limits });
      const first = await connect(port);
      const answer = await refusalOf(port, handshakeBytes());
      deepStrictEqual([answer.status, answer.headers['retry-after']], [503, '10']);
      match(answer.body, detail);
      first.socket.close();
      await first.closed;
      await until(() => progress.count() === 0);
      await connect(port);
    });

  it('respond with 503 once the socket stops', async () => {
    await given.progress.stop();
    const answer = await refusalOf(given.port, handshakeBytes());
    strictEqual(answer.status, 503);
    match(answer.body, /the server is stopping/);
  });

  it('ignore a handshake behind an open response', async () => {
    const pipelined = `${handshakeBytes({}, { Upgrade: null })}${handshakeBytes()}`;
    const { answers, closed } = await exchangeRaw(given.port, pipelined);
    deepStrictEqual(membersOf(answers, 'status'), [426]);
    strictEqual(closed, 'end');
    strictEqual(given.progress.count(), 0);
  });

  it('are logged and counted by the path as sockets are, without the token', async () => {
    await refusalOf(given.port, handshakeBytes({}, { Authorization: 'Bearer wrong-one' }));
    const { socket, closed } = await connect(given.port, '', { protocols: ['agi-progress.v1', bearer(token)] });
    socket.close();
    await closed;
    const { port, log, metrics } = given;
    ok(port > 0);
    await until(() => log().length === 3);
    const shown = log().map(({ msg, status, route, code }) => [msg, status ?? code, route]);
    deepStrictEqual(shown, [
      ['answered', 403, '/ws/progress'],
      ['answered', 101, '/ws/progress'],
      ['closed', 1005, '/ws/progress'],
    ]);
    const text = JSON.stringify(log());
    ok(!text.includes('wrong-one') && !text.includes(token) && !text.includes(bearer(token)));
    match(await metrics.metrics(), /requests_total\{method="GET",endpoint="\/ws\/progress",status="101"\} 1/);
  });
});
