import assert from 'node:assert/strict';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { givenSimulation, held, problemIn, stopAfterEach } from './given-simulation.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { temporaryHome } from '../../support/app/temporary-home.js';

describe('simulation API: a restart of the server', () => {
  stopAfterEach();

  it('keeps results byte for byte, with the list, the insight and the keys', async () => {
    const home = temporaryHome();
    const before = await givenSimulation({ home });
    const keyed = { body: { horizon: 3 }, headers: { 'Idempotency-Key': 'k' } };
    const { id } = (await before.ask('POST', '/simulate', keyed)).body;
    await before.until(id, 'succeeded');
    const asked = ['/results', `/results/${id}?genome=1`, `/results/${id}.csv`, `/population/${id}`, '/runs', `/runs/${id}`];
    const texts = await Promise.all(asked.map(async (path) => (await before.ask('GET', path)).text));
    const insight = (await before.ask('POST', '/insight')).text;
    await before.stopAll();
    const after = await givenSimulation({ home });
    assert.deepEqual(await Promise.all(asked.map(async (path) => (await after.ask('GET', path)).text)), texts);
    assert.equal((await after.ask('POST', '/insight')).text, insight);
    assert.equal((await after.ask('POST', '/simulate', keyed)).body.id, id);
    await after.stopAll();
    home.remove();
  });

  it('fails a run under way with interrupted, and a queued one too', async () => {
    const home = temporaryHome();
    let isTold = false;
    const simulate: RunSimulation = async (task, watch) => {
      const answer = await held(task, watch);
      isTold = true;
      return answer;
    };
    const before = await givenSimulation({ home, service: { simulate, running_max: 1 } });
    const running = await before.run();
    await before.until(running, 'running');
    const queued = await before.run();
    await before.stopAll();
    assert.ok(isTold, 'the run is told to stop');
    const after = await givenSimulation({ home });
    for (const id of [running, queued]) {
      const problem = problemIn(await after.ask('GET', `/results/${id}`));
      assert.deepEqual([problem.status, problem.state, problem.error.code], [409, 'failed', 'interrupted']);
    }
    await after.stopAll();
    home.remove();
  });

  it('fails at the next start a run that a killed server left', async () => {
    const home = temporaryHome();
    const before = await givenSimulation({ home, service: { simulate: held } });
    const id = await before.run();
    await before.until(id, 'running');
    const left = home.copy();
    await before.stopAll();
    const after = await givenSimulation({ home: left });
    const { state, error, progress } = (await after.ask('GET', `/runs/${id}`)).body;
    assert.deepEqual([state, error.code, progress], ['failed', 'interrupted', 0]);
    await after.stopAll();
    left.remove();
    home.remove();
  });

  it('responds to requests under way, and later ones find no server', async () => {
    const { ask, run, until, stopAll, service } = await givenSimulation({ service: { simulate: held } });
    await until(await run(), 'running');
    const answers = Promise.all(Array.from({ length: 5 }, () => ask('POST', '/simulate', { body: {} })));
    await answers;
    const stopping = stopAll();
    await rejectsRefusal(service.request({}, { actor: 'test' }), 'interrupted');
    await stopping;
    await assert.rejects(ask('GET', '/healthz'));
  });
});
