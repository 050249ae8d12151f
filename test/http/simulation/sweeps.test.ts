/** Sweeps over HTTP: requested with all their runs, followed, cancelled, and continued by the next server. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestSweep, sweepOf } from '../../../src/app/simulation/runs/sweeps.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { verifyHome } from '../../../src/app/log/verify-home.js';
import { temporaryHome } from '../../support/app/temporary-home.js';
import type { Loose } from '../../support/http/schema-check.js';
import { hang_ms } from '../../support/wait.js';
import { atOnce, givenSimulation, held, stopAfterEach, type GivenSimulation } from './given-simulation.js';
import { problemIn } from '../plain-http.js';
import { membersOf } from '../../support/lists.js';

const request = { horizon: 4, curve: 'linear', pop_size: 4, num_sectors: 2, seed: 7 };
const document = { name: 'how much entropy', request, field: 'entropy', from: 1, to: 2, step: 0.5, seeds: 2 };
const headers = { 'Idempotency-Key': 'k' };

async function start({ ask }: GivenSimulation): Promise<string> {
  const created = await ask('POST', '/sweeps', { body: document, headers });
  assert.equal(created.status, 200, created.text);
  return created.body.id;
}

async function ended({ ask }: GivenSimulation, id: string): Promise<Loose> {
  for (const end = performance.now() + hang_ms; performance.now() < end; ) {
    const { body } = await ask('GET', `/sweeps/${id}?wait=30`);
    if (body.state !== 'running') return body;
  }
  throw new Error('the sweep did not end');
}

describe('simulation API: sweeps', () => {
  stopAfterEach();

  it('run each value with the same seeds, and show what they give and the influence of the field', async () => {
    const simulation = await givenSimulation();
    const { ask } = simulation;
    const id = await start(simulation);
    const sweep = await ended(simulation, id);
    assert.deepEqual(
      [sweep.id, sweep.name, sweep.state, sweep.field, sweep.values, sweep.seeds, sweep.progress],
      [id, 'how much entropy', 'completed', 'entropy', [1, 1.5, 2], [7, 8], 1],
    );
    assert.deepEqual(sweep.counts, { queued: 0, running: 0, succeeded: 6, failed: 0, cancelled: 0 });
    assert.equal(sweep.request.entropy, 1);
    const affected = [];
    for (const { value, forecast, affected: spread, runs } of sweep.points) {
      assert.deepEqual(
        runs.map(({ seed, state }: Loose) => `${seed} ${state}`),
        ['7 succeeded', '8 succeeded'],
      );
      const { body: results } = await ask('GET', `/results/${runs[0].id}`);
      assert.equal(results.request.entropy, value);
      assert.deepEqual(
        forecast,
        results.forecast.map(({ year, capability, affected }: Loose) => ({ year, capability, affected })),
      );
      assert.equal(spread.mean, results.forecast.at(-1).affected);
      assert.equal(runs[0].hypervolume, results.hypervolume);
      affected.push(spread.mean);
    }
    assert.ok(new Set(affected).size > 1, 'the example varies');
    assert.ok(sweep.sensitivity[0].slope > 0);
    const { items } = (await ask('GET', '/sweeps')).body;
    assert.deepEqual([items[0].id, items[0].state], [id, 'completed']);
  });

  it('are kept apart in lists of runs', async () => {
    const simulation = await givenSimulation();
    const { ask, succeeded } = simulation;
    const single = await succeeded();
    const id = await start(simulation);
    await ended(simulation, id);
    const idsOf = async (query: string): Promise<Loose[]> => (await ask('GET', `/runs${query}`)).body.items;
    assert.deepEqual(membersOf(await idsOf('?sweep=none'), 'id'), [single]);
    assert.deepEqual(
      (await idsOf(`?sweep=${id}`)).map((run) => [run.sweep, run.request.entropy]),
      [2, 2, 1.5, 1.5, 1, 1].map((entropy) => [id, entropy]),
    );
    assert.equal((await idsOf('')).length, 7);
    assert.equal((await ask('GET', '/runs?sweep=x')).status, 422);
  });

  it('are refused where a value tells nothing or is none that a run could have', async () => {
    const { ask } = await givenSimulation();
    for (const [change, path] of [
      [{ request: { ...request, sectors: ['a'] } }, 'field'],
      [{ request: { ...request, horizon: 0 } }, 'request.horizon'],
      [{ step: 0.001 }, 'step'],
      [{ field: 'seed' }, 'field'],
      [{ seeds: 101 }, 'seeds'],
      [{ extra: 1 }, 'extra'],
    ] as const) {
      const { status, body } = await ask('POST', '/sweeps', { body: { ...document, ...change } });
      assert.deepEqual([status, body.errors?.[0].path], [422, path], JSON.stringify(change));
    }
    const many = { field: 'x0', values: Array.from({ length: 100 }, (_, i) => i), seeds: 11 };
    assert.match((await ask('POST', '/sweeps', { body: many })).body.detail, /makes 1100 runs; the most is 1000/);
    assert.deepEqual((await ask('GET', '/sweeps')).body.items, []);
    for (const path of [`/sweeps/${'f'.repeat(16)}`, '/sweeps/x']) assert.equal((await ask('GET', path)).status, 404);
  });

  it('take one place in the queue, and let single runs go first', async () => {
    const simulation = await givenSimulation({ service: { simulate: held, running_max: 1, waiting_max: 2, queued_max: 9 } });
    const { ask, run, until } = simulation;
    await until(await run(), 'running');
    const id = await start(simulation);
    assert.match((await ask('POST', '/sweeps', { body: document })).body.detail, /^6 runs are queued already/);
    const single = await run();
    assert.equal((await ask('GET', `/runs/${single}`)).body.queue_position, 1);
    for (const [path, body] of Object.entries({ '/sweeps': document, '/simulate': {} })) {
      const refused = await ask('POST', path, { body });
      assert.deepEqual([refused.status, problemIn(refused).code], [503, 'busy']);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    }
    assert.equal(await start(simulation), id, 'a repeated key needs no place');
    assert.equal((await ask('GET', `/sweeps/${id}`)).body.counts.queued, 6);
    assert.equal((await ask('DELETE', `/runs/${single}`)).status, 202);
    await run();
  });

  it('are cancelled with their unfinished runs; what was computed stays', async () => {
    const first: RunSimulation = (task, watch) => (task.request.entropy === 1 ? atOnce(task, watch) : held(task, watch));
    const simulation = await givenSimulation({ service: { simulate: first, running_max: 1 } });
    const { ask } = simulation;
    const id = await start(simulation);
    while ((await ask('GET', `/sweeps/${id}`)).body.counts.succeeded < 2) await sleep(10);
    const cancelled = await ask('DELETE', `/sweeps/${id}`);
    assert.deepEqual([cancelled.status, cancelled.body.state], [202, 'cancelled']);
    assert.deepEqual(cancelled.body.counts, { queued: 0, running: 0, succeeded: 2, failed: 0, cancelled: 4 });
    assert.equal(cancelled.body.points[0].affected.min, 0);
    assert.equal(cancelled.body.points[1].affected, null);
    assert.equal(problemIn(await ask('DELETE', `/sweeps/${id}`)).status, 409);
    assert.equal((await ended(simulation, id)).state, 'cancelled');
  });

  it('are waited for as long as asked when a command runs them', async () => {
    const { ask, daemon } = await givenSimulation();
    const { sweep } = await requestSweep(daemon.home, sweepOf(document), {
      islands: ['main'],
      runner: 'command',
      actor: 'operator',
    });
    const asked = performance.now();
    assert.equal((await ask('GET', `/sweeps/${sweep.id}?wait=1`)).body.state, 'running');
    assert.ok(performance.now() - asked > 900);
  });

  it('go on after a restart, also with the run that was interrupted', async () => {
    const home = temporaryHome();
    const before = await givenSimulation({ home, service: { simulate: held, running_max: 1 } });
    const id = await start(before);
    while ((await before.ask('GET', `/sweeps/${id}`)).body.counts.running === 0) await sleep(10);
    const killed = home.copy();
    await before.stopAll();
    for (const left of [home, killed]) {
      const after = await givenSimulation({ home: left });
      assert.equal(await start(after), id);
      const sweep = await ended(after, id);
      assert.deepEqual([sweep.state, sweep.counts.succeeded, sweep.counts.failed], ['completed', 6, 0]);
      const { items } = (await after.ask('GET', `/runs?sweep=${id}`)).body;
      assert.deepEqual(membersOf(items, 'state'), Array(6).fill('succeeded'));
      assert.equal((await after.ask('GET', `/runs/${items[0].replaces}`)).body.error.code, 'interrupted');
      assert.equal(sweep.points[0].runs[0].id, items[0].id);
      await after.stopAll();
      assert.equal((await left.with((opened) => verifyHome(opened, { deep: true }))).failure, null);
      left.remove();
    }
  });
});
