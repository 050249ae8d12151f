import assert from 'node:assert/strict';
import { rate_addresses_max } from '../../../src/base/simulation-limits.js';
import { rateLimiter } from '../../../src/http/simulation/rate-limit.js';
import { givenSimulation, problemIn, stopAfterEach, type Got } from './given-simulation.js';
import { handshakeBytes, refusalOf } from './given-socket.js';

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

describe('rate limiter', () => {
  const given = (max: number) => {
    const clock = { now: 0 };
    return { clock, limiter: rateLimiter(max, { now: () => clock.now }) };
  };
  const isTaken = (limiter: ReturnType<typeof rateLimiter>, address: string): boolean => limiter.take(address).denial === null;

  it('has fixed windows: a refused request neither counts nor moves the end', () => {
    const { clock, limiter } = given(2);
    assert.deepEqual([isTaken(limiter, 'a'), isTaken(limiter, 'a'), isTaken(limiter, 'a')], [true, true, false]);
    clock.now = 59_999;
    const { denial } = limiter.take('a');
    assert.equal(denial?.code, 'too_many_requests');
    assert.deepEqual(denial.headers, {
      'RateLimit-Limit': '2',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '1',
      'Retry-After': '1',
    });
    clock.now = 60_000;
    assert.deepEqual(limiter.take('a'), {
      fields: ['RateLimit-Limit', '2', 'RateLimit-Remaining', '1', 'RateLimit-Reset', '60'],
      denial: null,
    });
  });

  it('counts an IPv6 client by its /64, and a mapped address as the IPv4 one', () => {
    const { limiter } = given(1);
    assert.ok(isTaken(limiter, '2001:db8:1:2::1'));
    assert.ok(!isTaken(limiter, '2001:db8:1:2:ffff::9'));
    assert.ok(isTaken(limiter, '2001:db8:1:3::1'));
    assert.ok(isTaken(limiter, '192.0.2.1'));
    assert.ok(!isTaken(limiter, '::ffff:192.0.2.1'));
    assert.ok(isTaken(limiter, '192.0.2.2'));
    assert.ok(isTaken(limiter, ''));
    assert.ok(!isTaken(limiter, ''));
  });

  it('keeps one entry for 10 000 requests of one address', () => {
    const { limiter } = given(60);
    let taken = 0;
    for (let i = 0; i < 10_000; i++) taken += Number(isTaken(limiter, '192.0.2.1'));
    assert.deepEqual([taken, limiter.addresses()], [60, 1]);
  });

  it('keeps the newest of 100 000 addresses, and forgets a window that is over', () => {
    const { clock, limiter } = given(1);
    for (let i = 0; i < 100_000; i++) assert.ok(isTaken(limiter, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`));
    assert.equal(limiter.addresses(), rate_addresses_max);
    assert.ok(!isTaken(limiter, `10.1.${(99_999 >> 8) & 255}.${99_999 & 255}`));
    clock.now = 60_000;
    assert.ok(isTaken(limiter, '192.0.2.1'));
    assert.equal(limiter.addresses(), 1);
  });
});
