import assert from 'node:assert/strict';
import { givenSimulation, held, stopAfterEach } from './given-simulation.js';

const origin = 'https://page.example';
const asks = { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' };
const exposed = [
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Preference-Applied',
  'Content-Disposition',
  'X-Request-Id',
];

describe('simulation API: pages of other origins', () => {
  stopAfterEach();

  it('may be any, unless configured otherwise; never with credentials', async () => {
    const { ask } = await givenSimulation();
    for (const [path, options] of [
      ['/status', {}],
      ['/status', { token: null }],
      ['/nowhere', {}],
      ['/healthz', { token: null }],
    ] as const) {
      const { headers } = await ask('GET', path, { ...options, headers: { Origin: origin } });
      assert.equal(headers.get('access-control-allow-origin'), '*', path);
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.equal(headers.get('vary'), null);
      const names = (headers.get('access-control-expose-headers') ?? '').split(', ');
      for (const name of exposed) assert.ok(names.includes(name), name);
    }
  });

  it('may send a preflight without a token, which is not counted and lists what may be sent', async () => {
    const { ask } = await givenSimulation({ settings: { rate_limit: 1 } });
    for (const path of ['/simulate', '/runs/x', '/nowhere', '/simulate']) {
      const { status, headers, text } = await ask('OPTIONS', path, { token: null, headers: asks });
      assert.deepEqual([status, text], [204, '']);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, POST, PATCH, DELETE');
      assert.equal(
        headers.get('access-control-allow-headers'),
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer',
      );
      assert.match(headers.get('access-control-max-age') ?? '', /^\d+$/);
      assert.equal(headers.get('ratelimit-limit'), null);
    }
    assert.equal((await ask('GET', '/status')).status, 200);
    assert.equal((await ask('OPTIONS', '/simulate', { token: null, headers: asks })).status, 204);
  });

  it('are echoed when they are named, with Vary; others get nothing', async () => {
    const { ask } = await givenSimulation({ settings: { origins: ['https://other.example', origin] } });
    const own = await ask('GET', '/status', { headers: { Origin: origin } });
    assert.equal(own.headers.get('access-control-allow-origin'), origin);
    assert.equal(own.headers.get('vary'), 'Origin');
    for (const headers of [{ Origin: 'https://evil.example' }, { Origin: `${origin}.evil.example` }, { Origin: 'null' }, {}]) {
      const other = await ask('GET', '/status', { headers });
      assert.equal(other.status, 200);
      assert.equal(other.headers.get('access-control-allow-origin'), null);
      assert.equal(other.headers.get('access-control-expose-headers'), null);
      assert.equal(other.headers.get('vary'), 'Origin');
    }
    const preflight = await ask('OPTIONS', '/simulate', { token: null, headers: asks });
    assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, origin]);
    const foreign = await ask('OPTIONS', '/simulate', { token: null, headers: { ...asks, Origin: 'https://evil.example' } });
    assert.deepEqual([foreign.status, foreign.headers.get('access-control-allow-methods')], [204, null]);
  });

  it('can read what they need in a refusal', async () => {
    const { ask, run } = await givenSimulation({ service: { simulate: held } });
    const answer = await ask('GET', `/results/${await run()}`, { headers: { Origin: origin } });
    assert.deepEqual(
      [answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('retry-after')],
      [404, '*', '1'],
    );
  });
});
