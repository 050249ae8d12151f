import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeToken, rotateToken } from '../../src/app/tokens/change.js';
import type { RunEngine } from '../../src/app/threads/engine-thread.js';
import { openHome } from '../../src/app/home/open.js';
import { showMission } from '../../src/app/missions/missions.js';
import { readHead } from '../../src/journal/reader.js';
import { followUntil } from '../../src/http/start.js';
import { freshFetch } from '../support/http/fetch.js';
import { heldEngine, until } from '../support/app/given-daemon.js';
import { forecast, rejectsRefusal } from '../support/app/given-home.js';
import { hang_ms } from '../support/wait.js';
import { givenOperator, stopAfterEach } from './given-operator.js';

/** Works until it is told to stop. */
const endless: RunEngine = async (_task, hooks) => {
  while (hooks?.mustStop?.() !== true) await sleep(5);
  return { type: 'stopped' };
};
const daemon = { runEngine: endless, executing_max: 2 };

describe('operator API: stopping', () => {
  stopAfterEach();

  it('responds to a client that waits for an execution, and records the mission as interrupted', async () => {
    const operator = await givenOperator({ daemon });
    const { id } = (await operator.ask('POST', '/api/missions', { body: forecast() })).body;
    const waiting = operator.ask('POST', `/api/missions/${id}/execute?wait=1`);
    while ((await operator.get('/api/status')).executing.length === 0) await sleep(5);
    const [stop, events] = [new AbortController(), [] as string[]];
    const following = followUntil(operator, stop.signal, ({ event }) => events.push(event));
    stop.abort();
    await following;
    assert.equal(events.at(-1), 'mission.failed');
    const answer = await waiting;
    assert.deepEqual([answer.status, answer.body.code, answer.headers.get('retry-after')], [503, 'interrupted', '10']);
    const home = openHome(operator.given.world);
    const { state, error } = showMission(home, id);
    home.close();
    assert.deepEqual([state, error?.code], ['failed', 'interrupted']);
    assert.ok(!operator.log.join('').includes(operator.tokens.admin), 'no token is logged');
  });

  it('ends with the failure of a server that cannot be stopped', async () => {
    const operator = await givenOperator();
    const stop = (): Promise<void> => Promise.reject(new Error('a socket is stuck'));
    const signal = AbortSignal.abort();
    await assert.rejects(
      followUntil({ ...operator, stop }, signal, () => undefined),
      /a socket is stuck/,
    );
  });

  it('records a mission as interrupted while an unfinished request still holds up the server', async () => {
    const limits = { http_stop_ms_max: hang_ms, http_body_ms_max: hang_ms };
    const operator = await givenOperator({ daemon: { runEngine: heldEngine().engine }, limits });
    const { id } = (await operator.ask('POST', '/api/missions', { body: forecast() })).body;
    await operator.ask('POST', `/api/missions/${id}/execute`);
    const client = connect({ port: operator.port, host: '127.0.0.1' });
    const head = ['POST /api/login HTTP/1.1', 'Host: 127.0.0.1', 'Content-Type: application/json', 'Content-Length: 9'];
    client.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'));
    assert.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 100 /);
    let isStopped = false;
    const stopped = operator.stop().then(() => (isStopped = true));
    await until(() => showMission(operator.home, id).error?.code === 'interrupted');
    assert.equal(isStopped, false);
    client.destroy();
    await stopped;
  });

  it('cancels a running mission, and the next one of the queue has its place', async () => {
    const { ask, get, daemon: running } = await givenOperator({ daemon });
    const ids: string[] = [];
    for (const goal of ['one', 'two', 'three']) ids.push((await ask('POST', '/api/missions', { body: forecast(goal) })).body.id);
    assert.equal((await ask('POST', `/api/missions/${ids[0]}/execute`)).status, 202);
    assert.equal((await ask('POST', `/api/missions/${ids[1]}/execute`)).status, 202);
    const third = await ask('POST', `/api/missions/${ids[2]}/execute`);
    assert.deepEqual([third.status, third.body.state, third.body.queue_position], [202, 'queued', 1]);
    const outcome = running.executions.outcome(ids[0]!) ?? assert.fail('it does not run');
    const cancelled = await ask('POST', `/api/missions/${ids[0]}/cancel`, { as: 'reviewer' });
    assert.deepEqual([cancelled.body.state, cancelled.body.error.code], ['failed', 'cancelled']);
    await rejectsRefusal(outcome, 'wrong_state');
    await until(async () => (await get('/api/status')).executing.includes(ids[2]));
    assert.deepEqual((await get('/api/status')).executing, [ids[1], ids[2]]);
    assert.equal((await ask('POST', `/api/missions/${ids[0]}/recover`)).body.state, 'queued');
  });
});

describe('operator API: a token that stops working', () => {
  stopAfterEach();

  for (const [what, as, name] of [
    ['a named one that is revoked', 'viewer', 'alice'],
    ['api.token that is rotated', 'admin', 'api'],
  ] as const) {
    it(`ends its feed and its requests, and nobody else’s: ${what}`, async () => {
      const { url, tokens, home, ask } = await givenOperator();
      const open = (token: string): Promise<Response> =>
        freshFetch(`${url}/api/events?after=0`, { headers: { Authorization: `Bearer ${token}` } });
      const [own, other] = await Promise.all([open(tokens[as]), open(tokens.reviewer)]);
      const ended = own.text();
      const last = readHead(home.db).size;
      let isOver = false;
      void other.text().then(
        () => (isOver = true),
        () => undefined,
      );
      if (as === 'viewer') await revokeToken(home, name, 'operator');
      else await rotateToken(home, name, 'operator');
      assert.ok(![...(await ended).matchAll(/^id: ([0-9]+)$/gm)].some(([, id]) => Number(id) > last), 'nothing is told any more');
      assert.equal((await ask('GET', '/api/status', { as })).status, 401);
      assert.equal((await ask('GET', '/api/status', { as: 'reviewer' })).status, 200);
      assert.equal(isOver, false);
    });
  }

  it('tells nothing of an execution to a client that waited for it', async () => {
    const held = heldEngine();
    const { ask, home, daemon } = await givenOperator({ daemon: { runEngine: held.engine } });
    const { id } = (await ask('POST', '/api/missions', { body: forecast('late') })).body;
    const waiting = ask('POST', `/api/missions/${id}/execute?wait=1`, { as: 'reviewer' });
    await until(() => daemon.executions.outcome(id) !== null);
    await revokeToken(home, 'bob', 'operator');
    held.release('late');
    assert.equal((await waiting).status, 401);
  });

  it('ends the feed at the next heartbeat when api.token was replaced by hand', async () => {
    const { url, tokens, home } = await givenOperator({ limits: { event_heartbeat_ms: 50 } });
    const open = await freshFetch(`${url}/api/events`, { headers: { Authorization: `Bearer ${tokens.admin}` } });
    writeFileSync(home.paths.apiToken, `${'A'.repeat(43)}\n`);
    assert.match(await open.text(), /^retry: /);
  });
});
