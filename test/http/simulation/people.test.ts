/** Named tokens of the home at the simulation's server: what each role may do, and who is recorded. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPart } from '../../../src/app/operator/entries.js';
import { createToken, revokeToken } from '../../../src/app/tokens/change.js';
import { requiredSettings } from '../../../src/app/simulation/settings.js';
import { throwsRefusal } from '../../support/app/given-home.js';
import { givenSimulation, held, stopAfterEach, type GivenSimulation } from './given-simulation.js';
import { problemIn } from '../plain-http.js';
import { WebSocket } from 'ws';
import { once } from 'node:events';

async function people(simulation: GivenSimulation): Promise<Readonly<Record<'viewer' | 'reviewer' | 'admin', string>>> {
  const { home } = simulation.daemon;
  const of = async (role: 'viewer' | 'reviewer' | 'admin'): Promise<string> =>
    (await createToken(home, `the-${role}`, role, 'operator')).token;
  return { viewer: await of('viewer'), reviewer: await of('reviewer'), admin: await of('admin') };
}

describe('simulation API: people', () => {
  stopAfterEach();

  it('read as viewers, and start, rename and cancel as reviewers; the actor is recorded', async () => {
    const simulation = await givenSimulation({ settings: { home_tokens: true }, service: { simulate: held } });
    const { ask, daemon } = simulation;
    const tokens = await people(simulation);
    const id = (await ask('POST', '/simulate', { token: tokens.reviewer, body: {} })).body.id;
    for (const path of ['/runs', `/runs/${id}`, '/status', '/metrics', '/openapi.json', '/sweeps'])
      assert.equal((await ask('GET', path, { token: tokens.viewer })).status, 200, path);
    const sweep = { field: 'x0', values: [0, 1] };
    for (const [method, path, body] of [
      ['POST', '/simulate', {}],
      ['POST', '/sweeps', sweep],
      ['PATCH', `/runs/${id}`, { name: 'x' }],
      ['DELETE', `/runs/${id}`, undefined],
    ] as const) {
      const refused = await ask(method, path, { token: tokens.viewer, body });
      assert.deepEqual([refused.status, problemIn(refused).detail], [403, 'this needs a token of the role reviewer'], path);
    }
    assert.equal((await ask('POST', '/insight', { token: tokens.viewer })).status, 404, 'no run has succeeded');
    assert.equal((await ask('POST', '/sweeps', { token: tokens.admin, body: sweep })).status, 200);
    assert.equal((await ask('PATCH', `/runs/${id}`, { token: tokens.reviewer, body: { name: 'mine' } })).status, 200);
    assert.equal((await ask('DELETE', `/runs/${id}`, { token: tokens.admin })).status, 202);
    const own = (await ask('POST', '/simulate', { body: {} })).body.id;
    assert.equal((await ask('DELETE', `/runs/${own}`)).status, 202);
    const entries = entryPart(daemon.home).items.filter(
      ({ type, actor }) => /^(simulation|sweep)\./.test(type) && actor !== null,
    );
    assert.deepEqual(
      entries.map(({ type, actor, via }) => [type, actor, via]),
      [
        ['simulation.cancelled', 'api', 'api'],
        ['simulation.requested', 'api', 'api'],
        ['simulation.cancelled', 'the-admin', 'api'],
        ['simulation.renamed', 'the-reviewer', 'api'],
        ['simulation.requested', 'the-admin', 'api'],
        ['simulation.requested', 'the-admin', 'api'],
        ['sweep.requested', 'the-admin', 'api'],
        ['simulation.requested', 'the-reviewer', 'api'],
      ],
    );
    await revokeToken(daemon.home, 'the-viewer', 'operator');
    assert.equal((await ask('GET', '/runs', { token: tokens.viewer })).status, 403);
    assert.equal((await ask('GET', '/runs')).status, 200, 'API_TOKEN is still sufficient');
  });

  it('watch the socket with their token', async () => {
    const simulation = await givenSimulation({ settings: { home_tokens: true }, service: { simulate: held } });
    const { viewer } = await people(simulation);
    await simulation.until(await simulation.run(), 'running');
    const url = `ws://127.0.0.1:${simulation.port}/ws/progress`;
    const socket = new WebSocket(url, ['agi-progress.v1', `bearer.${Buffer.from(viewer).toString('base64url')}`]);
    const [message] = await once(socket, 'message');
    assert.equal(String(message), 'Year 1: 0 affected');
    socket.terminate();
  });

  it('are not let in by the token of api.token or of an assistant, or where API_HOME_TOKENS is not set', async () => {
    for (const home_tokens of [true, false]) {
      const simulation = await givenSimulation({ settings: { home_tokens } });
      const tokens = await people(simulation);
      const own = readFileSync(join(simulation.given.directory, 'api.token'), 'utf8').trim();
      assert.equal((await simulation.ask('GET', '/runs', { token: own })).status, 403);
      const { token } = await createToken(simulation.daemon.home, 'claude', 'agent', 'operator', undefined, { mayExecute: true });
      for (const [method, path] of [
        ['GET', '/runs'],
        ['POST', '/simulate'],
      ] as const)
        assert.equal((await simulation.ask(method, path, { token, body: method === 'GET' ? undefined : {} })).status, 403, path);
      assert.equal((await simulation.ask('GET', '/runs', { token: tokens.admin })).status, home_tokens ? 200 : 403);
    }
  });

  it('have limits of their own', async () => {
    const simulation = await givenSimulation({ settings: { home_tokens: true, rate_limit: 2 } });
    const { viewer, reviewer } = await people(simulation);
    const statuses = async (token: string): Promise<number[]> => [
      (await simulation.ask('GET', '/runs', { token })).status,
      (await simulation.ask('GET', '/runs', { token })).status,
      (await simulation.ask('GET', '/runs', { token })).status,
    ];
    assert.deepEqual(await statuses(viewer), [200, 200, 429]);
    assert.deepEqual(await statuses(reviewer), [200, 200, 429]);
  });

  it('are switched on by API_HOME_TOKENS=1 alone', () => {
    const env = { API_TOKEN: 'secret' };
    assert.equal(requiredSettings(env).home_tokens, false);
    assert.equal(requiredSettings({ ...env, API_HOME_TOKENS: '1' }).home_tokens, true);
    assert.match(
      throwsRefusal(() => requiredSettings({ ...env, API_HOME_TOKENS: 'yes' }), 'invalid').detail,
      /^API_HOME_TOKENS: /,
    );
  });
});
