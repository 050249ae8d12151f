/** Signing in with a login code over HTTP. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { startServers } from '../../src/http/start.js';
import { createLogger } from '../../src/http/log.js';
import { givenOperator, stopOperators, type GivenOperator } from './given-operator.js';
import { fetched, type Got } from './plain-http.js';
import type { Loose } from '../support/http/schema-check.js';

/** The code of the link that `serve` prints. */
const issued = ({ issueLogin }: Pick<GivenOperator, 'issueLogin'>): string => issueLogin() ?? assert.fail('no code was issued');
const login = (operator: GivenOperator, code: string, headers = {}): Promise<Got> =>
  operator.ask('POST', '/api/login', { as: 'none', body: { code }, headers });
const by = ({ url }: { readonly url: string }, token: string, method: string, path: string, body?: unknown): Promise<Got> =>
  fetched(url + path, method, token, { body });
const statusBy = (at: { readonly url: string }, token: string): Promise<Got> => by(at, token, 'GET', '/api/status');
const wrong = { status: 401, detail: 'the login code is not valid' };
const seen = ({ status, body }: Got): Loose => ({ status, detail: body.detail });

/** Sends a login from another address of this machine, or under another host name; resolves with the status. */
function loginFrom({ port }: GivenOperator, code: string, { localAddress = '127.0.0.1', host = '127.0.0.1' }): Promise<number> {
  const body = JSON.stringify({ code });
  const length = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const headers = { ...length, Host: `${host}:${port}`, Connection: 'close' };
  const to = { host: '127.0.0.1', port, path: '/api/login', method: 'POST', localAddress, headers };
  return new Promise((resolve, reject) => {
    const sent = request(to, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end(body);
  });
}

describe('operator API: the login link', () => {
  let operator: GivenOperator;
  before(async () => {
    operator = await givenOperator({ allowedHosts: ['agent.example'] });
  });
  // Wrong codes of one test do not count in the next.
  afterEach(() => {
    operator.given.elapsed.ms += 60_000;
  });
  after(stopOperators);

  it('exchanges a code for a session of the operator, which is not the token of the file', async () => {
    const { status, body, headers } = await login(operator, issued(operator));
    assert.deepEqual([status, headers.get('cache-control'), headers.get('set-cookie')], [200, 'no-store', null]);
    assert.deepEqual(Object.keys(body), ['token', 'expires_at']);
    assert.notEqual(body.token, operator.tokens.admin);
    assert.deepEqual((await statusBy(operator, body.token)).body.actor, { name: 'operator', role: 'admin' });
  });

  it('is recorded as the channel of what a session does, and a token as that of what it does', async () => {
    const { body } = await login(operator, issued(operator));
    const set = (token: string, state: string): Promise<Got> => by(operator, token, 'POST', '/api/control', { state });
    assert.equal((await set(body.token, 'paused')).status, 200);
    assert.equal((await set(operator.tokens.admin, 'ready')).status, 200);
    const { items } = await operator.get('/api/journal?limit=2');
    const seen = items.map(({ type, actor, via }: Loose) => [type, actor, via]);
    assert.deepEqual(seen, [
      ['control.resumed', 'operator', 'token'],
      ['control.paused', 'operator', 'session'],
    ]);
  });

  it('lets one of two logins at once through', async () => {
    const code = issued(operator);
    const both = await Promise.all([login(operator, code), login(operator, code)]);
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 401],
    );
    assert.deepEqual(seen(await login(operator, code)), wrong);
  });

  it('responds the same to a used, an expired, a guessed and an impossible code', async () => {
    const used = issued(operator);
    assert.equal((await login(operator, used)).status, 200);
    const expired = issued(operator);
    operator.given.clock.now += 120_000;
    for (const code of [used, expired, 'A'.repeat(22), '✗']) {
      const refusal = await login(operator, code);
      assert.deepEqual(seen(refusal), wrong);
      assert.equal(refusal.headers.get('www-authenticate'), 'Bearer');
    }
  });

  it('accepts a code under any name of loopback, no other name, and in the body alone', async () => {
    const { ask, url } = operator;
    const code = issued(operator);
    for (const place of [{ localAddress: '127.0.0.2' }, { host: 'localhost' }, { host: '[::1]' }])
      assert.equal(await loginFrom(operator, issued(operator), place), 200, JSON.stringify(place));
    assert.equal(await loginFrom(operator, code, { host: 'agent.example' }), 401);
    assert.equal((await ask('POST', `/api/login?code=${code}`, { as: 'none', body: {} })).status, 422);
    assert.equal((await ask('POST', `/api/login?code=${code}`, { as: 'none', body: { code } })).status, 422);
    assert.equal((await ask('GET', `/api/login?code=${code}`, { as: 'none' })).status, 401);
    assert.equal((await login(operator, code, { Origin: 'http://elsewhere.example' })).status, 403);
    assert.equal((await login(operator, code, { Origin: url })).status, 200, 'none of these used the code up');
  });

  it('refuses more than a code needs before it reads it', async () => {
    const { status } = await operator.ask('POST', '/api/login', { as: 'none', body: { code: 'x'.repeat(4_100) } });
    assert.equal(status, 413);
  });

  it('voids every code after ten wrong ones in a minute', async () => {
    const code = issued(operator);
    for (let n = 1; n < 10; n++) assert.deepEqual(seen(await login(operator, `guess-${n}`)), wrong);
    const tenth = await login(operator, 'guess-10');
    assert.deepEqual([tenth.status, tenth.headers.get('retry-after')], [429, '60']);
    assert.equal((await login(operator, code)).status, 429);
    assert.equal((await operator.ask('GET', '/api/status')).status, 200, 'tokens are not affected');
  });

  it('gives another tab a code for the same actor, never the token', async () => {
    const asked = await operator.ask('POST', '/api/login-code', { as: 'reviewer' });
    assert.deepEqual([asked.status, Object.keys(asked.body)], [200, ['code', 'expires_at']]);
    const first = (await login(operator, asked.body.code)).body.token;
    assert.deepEqual((await statusBy(operator, first)).body.actor, { name: 'bob', role: 'reviewer' });
    const again = await by(operator, first, 'POST', '/api/login-code');
    const second = (await login(operator, again.body.code)).body.token;
    assert.deepEqual((await statusBy(operator, second)).body.actor, { name: 'bob', role: 'reviewer' });
  });

  it('ends a session that another one made with the sign-out of that one', async () => {
    const first = (await login(operator, issued(operator))).body;
    const asked = await by(operator, first.token, 'POST', '/api/login-code');
    const second = (await login(operator, asked.body.code)).body;
    assert.deepEqual([second.expires_at, (await statusBy(operator, second.token)).status], [first.expires_at, 200]);
    await by(operator, first.token, 'POST', '/api/logout');
    assert.equal((await statusBy(operator, second.token)).status, 401);
  });

  it('writes neither codes nor sessions to the log or the journal', async () => {
    const code = issued(operator);
    const before = operator.home.writer.head.size;
    const { token } = (await login(operator, code)).body;
    await login(operator, code);
    await operator.ask('POST', `/api/login?code=${code}`, { as: 'none' });
    await statusBy(operator, token);
    const log = operator.log.join('');
    assert.match(log, /"route":"\/api\/login"/);
    assert.deepEqual([log.includes(code), log.includes(token)], [false, false]);
    assert.equal(operator.home.writer.head.size, before);
  });

  it('ends a session at sign-out, after twelve hours, with a rotated token and with the daemon', async () => {
    const session = async (): Promise<string> => (await login(operator, issued(operator))).body.token;
    const [one, two] = [await session(), await session()];
    const out = await by(operator, one, 'POST', '/api/logout');
    assert.deepEqual([out.status, out.body], [200, { ended: true }]);
    assert.deepEqual([(await statusBy(operator, one)).status, (await statusBy(operator, two)).status], [401, 200]);
    assert.deepEqual((await operator.ask('POST', '/api/logout')).body, { ended: false });
    operator.given.clock.now += 43_200_000;
    assert.equal((await statusBy(operator, two)).status, 401);
    const three = await session();
    await operator.stop();
    const logger = createLogger('info', { write: () => undefined });
    const restarted = await startServers(operator.given.world, { host: '127.0.0.1', port: 0, allowedHosts: [], logger });
    const at = { url: `http://127.0.0.1:${restarted.port}` };
    try {
      assert.equal((await statusBy(at, three)).status, 401);
      assert.equal((await statusBy(at, operator.tokens.admin)).status, 200);
    } finally {
      await restarted.stop();
    }
  });
});
