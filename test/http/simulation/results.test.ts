import assert from 'node:assert/strict';
import { givenSimulation, held, stopAfterEach, type GivenSimulation } from './given-simulation.js';
import { problemIn } from '../plain-http.js';
import { membersOf } from '../../support/lists.js';

const nobody = 'f'.repeat(16);
const paths = (id: string): readonly string[] => [`/results/${id}`, `/results/${id}.csv`, `/population/${id}`];

describe('simulation API: results', () => {
  stopAfterEach();

  it('have forecast, population, sectors and the position of the run in the journal', async () => {
    const { ask, succeeded, daemon } = await givenSimulation();
    const id = await succeeded({ horizon: 3, curve: 'linear', pop_size: 4, num_sectors: 2, entropy: 2, seed: 7, samples: 20 });
    const { body } = await ask('GET', `/results/${id}`);
    assert.equal(body.id, id);
    assert.deepEqual(membersOf(body.forecast, 'year'), [1, 2, 3]);
    assert.deepEqual(membersOf(body.forecast, 'capability'), [0.333333333333, 0.666666666667, 1]);
    assert.equal(body.population.length, 4);
    assert.deepEqual([body.seed, body.request.seed, body.request.horizon], [7, 7, 3]);
    assert.deepEqual(membersOf(body.sectors, 'name'), ['s00', 's01']);
    assert.ok(body.created_at <= body.completed_at);
    assert.equal(body.journal.hash.length, 64);
    assert.equal(body.journal.seq, daemon.home.writer.head.size);
    assert.equal(body.draws.samples, 20);
  });

  it('include the genomes with ?genome=1, and refuse another value', async () => {
    const { ask, succeeded } = await givenSimulation();
    const id = await succeeded({ num_sectors: 2, pop_size: 3 });
    for (const path of [`/results/${id}`, `/population/${id}`]) {
      const { body } = await ask('GET', `${path}?genome=1`);
      const population = Array.isArray(body) ? body : body.population;
      assert.deepEqual(
        population.map(({ genome }: { genome: unknown[] }) => genome.length),
        [2, 2, 2],
      );
      assert.equal((await ask('GET', `${path}?genome=0`)).text.includes('genome'), false);
      const refused = await ask('GET', `${path}?genome=yes`);
      assert.equal(refused.status, 422);
      assert.deepEqual(problemIn(refused).errors[0].path, 'genome');
    }
  });

  it('are those of the run that succeeded last without an id, or 404', async () => {
    const { ask, succeeded, run, until } = await givenSimulation();
    assert.equal((await ask('GET', '/results')).status, 404);
    const first = await succeeded();
    assert.equal((await ask('GET', '/results')).body.id, first);
    const second = await succeeded({ horizon: 2 });
    await until(await run({ seed: 13 }), 'failed');
    await ask('PATCH', `/runs/${first}`, { body: { name: 'no success' } });
    const newest = await ask('GET', '/results');
    assert.equal(newest.body.id, second);
    assert.equal(newest.text, (await ask('GET', `/results/${second}`)).text);
  });

  it('are returned as CSV: a head, a line a year, and a file name', async () => {
    const { ask, succeeded } = await givenSimulation();
    const id = await succeeded({ horizon: 2, curve: 'linear', entropy: 2 });
    const { text, headers } = await ask('GET', `/results/${id}.csv`);
    assert.match(text, /^year,capability,affected(?:,affected_p\d\d){5}\r\n1,0\.5(?:,\d){6}\r\n2,1(?:,\d){6}\r\n$/);
    assert.match(headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
    assert.equal(headers.get('content-disposition'), `attachment; filename="forecast-${id}.csv"`);
    const quantiles = await ask('GET', `/results/${await succeeded({ samples: 20 })}.csv`);
    assert.match(quantiles.text, /^year,capability,affected,p05,p25,p50,p75,p95(?:,affected_p\d\d){5}\r\n1(?:,[0-9.]+){12}\r\n/);
  });

  it('are 404 for a malformed or unknown id, and for a file that is not CSV', async () => {
    const { ask } = await givenSimulation();
    const ids = [nobody, 'x', 'F'.repeat(16), 'f'.repeat(17), '%00', '..%2fruns', 'f'.repeat(500), `${nobody}.json`, '.csv'];
    for (const id of ids) {
      for (const path of [...paths(id), `/runs/${id}`]) {
        const answer = await ask('GET', path);
        assert.equal(answer.status, 404, path);
        problemIn(answer);
      }
      assert.equal((await ask('DELETE', `/runs/${id}`)).status, 404, id);
    }
    assert.equal((await ask('GET', '/results/%E0%A4%A')).status, 404);
  });

  it('are 404 with state, progress and Retry-After while the run is queued or running', async () => {
    const { ask, run, until } = await givenSimulation({ service: { simulate: held, running_max: 1 } });
    const first = await run();
    await until(first, 'running');
    const second = await run();
    for (const path of paths(first)) {
      const answer = await ask('GET', path);
      const { status, state, progress } = problemIn(answer);
      assert.deepEqual([status, state, progress], [404, 'running', 0.25], path);
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    }
    for (const path of paths(second)) {
      const { status, state, progress } = problemIn(await ask('GET', path));
      assert.deepEqual([status, state, progress], [404, 'queued', 0]);
    }
    assert.equal((await ask('GET', '/results')).status, 404);
  });

  it('are 409 with state and reason when the run failed or was cancelled', async () => {
    const simulation = await givenSimulation({ service: { simulate: held } });
    const { ask, run } = simulation;
    const cancelled = await run();
    const deleted = await ask('DELETE', `/runs/${cancelled}`);
    assert.deepEqual([deleted.status, deleted.body.id, deleted.body.state], [202, cancelled, 'cancelled']);
    await assertEnded(simulation, cancelled, 'cancelled', /cancelled by api/);
    assert.equal((await ask('DELETE', `/runs/${cancelled}`)).status, 409);
  });

  it('show why a run failed', async () => {
    const simulation = await givenSimulation();
    const id = await simulation.run({ seed: 13 });
    const { error, attempt } = await simulation.until(id, 'failed');
    assert.deepEqual([error.code, attempt], ['execution_failed', 3]);
    await assertEnded(simulation, id, 'failed', /an unlucky seed/);
  });
});

async function assertEnded({ ask }: GivenSimulation, id: string, state: string, reason: RegExp): Promise<void> {
  for (const path of paths(id)) {
    const problem = problemIn(await ask('GET', path));
    assert.deepEqual([problem.status, problem.state, problem.code], [409, state, 'wrong_state'], path);
    assert.match(problem.reason, reason);
  }
}

describe('simulation API: runs', () => {
  stopAfterEach();

  it('are paged, newest first, by state', async () => {
    const { ask, succeeded, run, until } = await givenSimulation();
    const ids = [await succeeded(), await succeeded({ horizon: 2 }), await succeeded({ horizon: 3 })].toReversed();
    await until(await run({ seed: 13 }), 'failed');
    const first = (await ask('GET', '/runs?state=succeeded&limit=2')).body;
    assert.deepEqual(membersOf(first.items, 'id'), ids.slice(0, 2));
    const next = (await ask('GET', `/runs?state=succeeded&limit=2&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([next.items.map(({ id }: { id: string }) => id), next.next_cursor], [ids.slice(2), null]);
    const [newest] = (await ask('GET', '/runs')).body.items;
    assert.deepEqual([newest.state, newest.progress, newest.request.seed], ['failed', 0, 13]);
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'limit=1&limit=2', 'state=done', 'cursor=0', 'cursor=-1', 'page=2'])
      assert.equal((await ask('GET', `/runs?${query}`)).status, 422, query);
  });

  it('are the same for the same key and body, and refuse another body', async () => {
    const { ask } = await givenSimulation();
    const post = (body: unknown, key: string) => ask('POST', '/simulate', { body, headers: { 'Idempotency-Key': key } });
    const named = { horizon: 3, name: '😀'.repeat(80) };
    const first = await post(named, 'my key 1');
    assert.equal((await post(named, 'my key 1')).body.id, first.body.id);
    assert.notEqual((await post(named, 'my key 2')).body.id, first.body.id);
    const other = await post({ ...named, name: 'another' }, 'my key 1');
    assert.deepEqual([other.status, problemIn(other).code], [409, 'request_id_reused']);
    assert.equal((await post({}, 'k'.repeat(256))).status, 422);
    assert.equal((await post({}, 'k'.repeat(255))).status, 200);
  });
});
