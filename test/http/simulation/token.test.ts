import assert from 'node:assert/strict';
import { tokensOf } from '../../../src/http/simulation/policy.js';
import { givenSimulation, stopSimulations, token, type GivenSimulation } from './given-simulation.js';
import { fetched, type Got, problemIn } from '../plain-http.js';

describe('simulation API: the token', () => {
  let simulation: GivenSimulation;
  before(async () => {
    simulation = await givenSimulation();
  });
  after(stopSimulations);
  const ask = (headers: Readonly<Record<string, string>>, path = '/status'): Promise<Got> =>
    fetched(simulation.url + path, 'GET', null, { headers });

  it('is required: 401, however it is missing', async () => {
    const none: readonly Record<string, string>[] = [
      {},
      { Authorization: '' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer ' },
      { Authorization: token },
      { Authorization: `Basic ${Buffer.from(`a:${token}`).toString('base64')}` },
      { Authorization: `Bearer ${token} ${token}` },
      { 'X-Api-Key': token },
      { Cookie: `token=${token}` },
    ];
    for (const headers of none) {
      const answer = await ask(headers);
      assert.equal(answer.status, 401, JSON.stringify(headers));
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      assert.equal(problemIn(answer).code, 'unauthorized');
    }
  });

  it('is refused with 403 when it is wrong, and accepted in any case of the scheme', async () => {
    for (const wrong of ['wrong', `${token}x`, token.slice(1), token.toUpperCase(), `${token}=`, 'x'.repeat(8_000)]) {
      const answer = await ask({ Authorization: `Bearer ${wrong}` });
      assert.equal(answer.status, 403, wrong.slice(0, 30));
      assert.equal(problemIn(answer).code, 'forbidden');
      assert.equal(answer.text.includes(wrong), false);
    }
    for (const scheme of ['Bearer', 'bearer', 'BEARER  '])
      assert.equal((await ask({ Authorization: `${scheme} ${token}` })).status, 200);
  });

  it('has no effect in the address', async () => {
    for (const path of [`/status?token=${token}`, `/status?access_token=${token}`, `/status/${token}`])
      assert.equal((await ask({}, path)).status, 401, path);
    assert.equal((await ask({ Authorization: `Bearer ${token}` }, `/status?access_token=${token}`)).status, 422);
  });

  it('is required by every path but the dashboard and healthz', async () => {
    for (const path of ['/results', '/runs', '/metrics', '/openapi.json', '/ws/progress', '/nowhere', '/assets', '/healthz/'])
      assert.equal((await ask({}, path)).status, 401, path);
    assert.equal((await ask({}, '/healthz')).status, 200);
    assert.equal((await ask({}, '/assets/../status')).status, 401);
    assert.equal((await ask({}, '/assets/..%2f..%2fhome%2fapi.token')).status, 404);
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
