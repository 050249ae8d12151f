import assert from 'node:assert/strict';
import { TrustedProxies } from '../../../src/app/simulation/settings.js';
import { rate_addresses_max, Windows } from '../../../src/http/simulation/rate-limit.js';
import { givenSimulation, stopAfterEach, stopSimulations, token, type GivenSimulation } from './given-simulation.js';
import { problemIn, type Got, fetched } from '../plain-http.js';
import { handshakeBytes, refusalOf } from './given-socket.js';
import { tokensOf } from '../../../src/http/simulation/policy.js';

const tries = 100;

describe('simulation API: the rate limit', () => {
  stopAfterEach();

  it('allows a number of requests a minute, then responds with 429 until the window ends', async () => {
    const { ask } = await givenSimulation({ settings: { rate_limit: 3 } });
    const seen = [];
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await ask('GET', '/status');
      seen.push([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]);
      const reset = Number(headers.get('ratelimit-reset'));
      assert.ok(reset >= 1 && reset <= 60, `${reset}`);
    }
    const expected = [
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
      [429, '3', '0'],
    ];
    assert.deepEqual(seen, expected);
    const answer = await ask('GET', '/results');
    assert.equal(problemIn(answer).code, 'too_many_requests');
    const wait_s = Number(answer.headers.get('retry-after'));
    assert.ok(wait_s >= 1 && wait_s <= 60);
  });

  it('is separate for requests without the token and with it', async () => {
    const { ask } = await givenSimulation({ settings: { rate_limit: 3 } });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await ask('GET', '/status', { token: null })).status);
    for (let i = 0; i < 4; i++) statuses.push((await ask('GET', '/status')).status);
    assert.deepEqual(statuses, [401, 401, 401, 429, 429, 200, 200, 200, 429]);
  });

  it('counts the clients of a trusted proxy one by one', async () => {
    const { ask } = await givenSimulation({
      settings: { rate_limit: 1, proxies: new TrustedProxies(['127.0.0.0/8', '10.0.0.1']) },
    });
    const from = async (forwarded: string): Promise<number> =>
      (await ask('GET', '/status', { headers: { 'X-Forwarded-For': forwarded } })).status;
    for (let client = 1; client <= 60; client++) assert.equal(await from(`192.0.2.${client}`), 200);
    assert.equal(await from('192.0.2.1'), 429);
    assert.equal(await from('192.0.2.99, 192.0.2.1'), 429, 'what stands before the last untrusted address may be forged');
    assert.equal(await from('192.0.2.2, 10.0.0.1'), 429, 'a second trusted proxy');
    assert.equal(await from('192.0.2.3:4711'), 429, 'with a port');
    assert.equal(await from('[2001:db8::1]:4711'), 200);
    assert.equal(await from('2001:db8::2'), 429, 'the same /64');
    assert.equal((await ask('GET', '/status')).status, 200, 'the proxy itself');
    assert.equal(await from('unknown'), 429);
  });

  it('ignores X-Forwarded-For of anybody else', async () => {
    for (const proxies of [null, new TrustedProxies(['192.0.2.1'])]) {
      const { ask } = await givenSimulation({ settings: { rate_limit: 1, proxies } });
      const statuses = [1, 2].map(
        async (n) => (await ask('GET', '/status', { headers: { 'X-Forwarded-For': `198.51.100.${n}` } })).status,
      );
      assert.deepEqual(
        (await Promise.all(statuses)).toSorted((a, b) => a - b),
        [200, 429],
      );
    }
  });

  it('allows ten wrong tokens a minute, whatever the limit; the right one is still accepted', async () => {
    const { ask, port } = await givenSimulation({ settings: { rate_limit: 0 } });
    const statuses: number[] = [];
    const guess = async (i: number): Promise<Got> => {
      const answer = await ask('GET', '/status', { token: `wrong-${i}` });
      statuses.push(answer.status);
      return answer;
    };
    // One more is allowed every 6 s, in which a slow machine sends few.
    let answer = await guess(0);
    for (let i = 1; i < tries && answer.status !== 429; i++) answer = await guess(i);
    assert.deepEqual(statuses.slice(0, 10), Array<number>(10).fill(403));
    assert.equal(problemIn(answer).code, 'too_many_requests');
    const wait_s = Number(answer.headers.get('retry-after'));
    assert.ok(wait_s >= 1 && wait_s <= 6, `${wait_s}`);
    const handshake = handshakeBytes({}, { Authorization: 'Bearer wrong' });
    const sockets: number[] = [];
    for (let i = 0; i < tries && sockets.at(-1) !== 429; i++) sockets.push((await refusalOf(port, handshake)).status);
    assert.ok(sockets.length < tries);
    for (let i = 0; i < 20; i++) assert.equal((await ask('GET', '/status')).status, 200);
    assert.equal((await ask('GET', '/status', { token: null })).status, 401);
  });

  it('counts everything but files of the dashboard', async () => {
    const { ask } = await givenSimulation({ settings: { rate_limit: 2 } });
    for (const path of ['/', '/assets/x.js', '/favicon.ico', '/']) {
      const { status, headers } = await ask('GET', path, { token: null });
      assert.deepEqual([status, headers.get('ratelimit-limit')], [404, null], path);
    }
    assert.equal((await ask('GET', '/healthz', { token: null })).headers.get('ratelimit-remaining'), '1');
    assert.equal((await ask('GET', '/nowhere', { token: null })).headers.get('ratelimit-remaining'), '0');
    assert.equal((await ask('GET', '/healthz', { token: null })).status, 429);
    assert.equal((await ask('GET', '/', { token: null })).status, 404);
  });

  it('is off at 0, and sends no fields', async () => {
    const { ask } = await givenSimulation({ settings: { rate_limit: 0 } });
    for (let i = 0; i < 100; i++) {
      const { status, headers } = await ask('GET', '/healthz');
      assert.deepEqual([status, headers.get('ratelimit-limit')], [200, null]);
    }
  });
});

describe('windows of the rate limit', () => {
  it('are bounded in number, and the one that began first is dropped', () => {
    const windows = new Windows();
    const window = { remaining: 1, reset: 0 };
    for (let i = 0; i < rate_addresses_max; i++) windows.set(`${i}`, window);
    windows.set('0', window).set('new', window);
    assert.deepEqual(
      [windows.size, windows.has('0'), windows.has('1'), windows.has('2')],
      [rate_addresses_max, true, false, true],
    );
  });
});

describe('simulation API: the token', () => {
  let simulation: GivenSimulation;
  before(async () => {
    simulation = await givenSimulation();
  });
  after(stopSimulations);
  const ask = (headers: Readonly<Record<string, string>>, path = '/status'): Promise<Got> =>
    fetched(simulation.url + path, 'GET', null, { headers });

  it('has no effect in the address', async () => {
    for (const path of [`/status?token=${token}`, `/status?access_token=${token}`, `/status/${token}`])
      assert.equal((await ask({}, path)).status, 401, path);
    assert.equal((await ask({ Authorization: `Bearer ${token}` }, `/status?access_token=${token}`)).status, 422);
  });

  it('is in no log', () => {
    assert.ok(simulation.log.length > 0);
    assert.equal(simulation.log.join('').includes(token), false);
  });

  it('may have any visible characters', () => {
    const actorOf = tokensOf('p@ss:w0rd!', null);
    assert.deepEqual([actorOf('p@ss:w0rd!')?.name, actorOf('p@ss:w0rd'), actorOf('')], ['api', null, null]);
  });
});
