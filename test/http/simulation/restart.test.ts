import assert from 'node:assert/strict';
import { simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { givenSimulation, held, stopAfterEach } from './given-simulation.js';
import { temporaryHome } from '../../support/app/temporary-home.js';

describe('simulation API: a restart of the server', () => {
  stopAfterEach();
  const keyed = { body: { horizon: 3 }, headers: { 'Idempotency-Key': 'k' } };

  it('keeps results byte for byte, with the list, the insight and the keys', async () => {
    const home = temporaryHome();
    const before = await givenSimulation({ home });
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

  it('starts a new run for the key of an interrupted one, and names it', async () => {
    const home = temporaryHome();
    const before = await givenSimulation({ home, service: { simulate: held } });
    const { id } = (await before.ask('POST', '/simulate', keyed)).body;
    await before.until(id, 'running');
    await before.stopAll();
    const after = await givenSimulation({ home });
    const again = (await after.ask('POST', '/simulate', keyed)).body;
    assert.notEqual(again.id, id);
    const { replaces } = await after.until(again.id, 'succeeded');
    assert.equal(replaces, id);
    assert.equal((await after.ask('POST', '/simulate', keyed)).body.id, again.id, 'the new run succeeded, so the key names it');
    assert.equal((await after.ask('POST', '/simulate', { ...keyed, body: { horizon: 4 } })).status, 409);
    await after.stopAll();
    home.remove();
  });

  it('evolves a queued run on threads when the new settings do not name its islands', async () => {
    const home = temporaryHome();
    const islands = ['a', 'b'].map((name) => ({ name, backend: { type: 'threads', threads: 1 } as const }));
    const before = await givenSimulation({ home, settings: { islands }, service: { simulate: held, running_max: 1 } });
    await before.until(await before.run(), 'running');
    const queued = await before.run({ pop_size: 8 });
    await before.stopAll();
    const after = await givenSimulation({ home, service: { simulate: simulateOnThread } });
    assert.deepEqual((await after.until(queued, 'succeeded')).islands, ['a', 'b']);
    await after.stopAll();
    home.remove();
  });
});
