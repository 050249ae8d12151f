/** What a run's record says beside its state: its name, how it ended, its place in the queue, the remaining time. */
import assert from 'node:assert/strict';
import { RunProgress } from '../../../src/app/simulation/runs/progress.js';
import type { Loose } from '../../support/http/schema-check.js';
import { givenSimulation, held, stopAfterEach } from './given-simulation.js';
import { membersOf } from '../../support/lists.js';

describe('simulation API: names and outcomes of runs', () => {
  stopAfterEach();

  it('have the name in the record alone, and in no hash', async () => {
    const { ask, succeeded } = await givenSimulation();
    const request = { horizon: 3, curve: 'linear', num_sectors: 2, entropy: 2, seed: 7 };
    const named = await succeeded({ ...request, name: 'Été, first look' });
    const plain = await succeeded(request);
    const record = (await ask('GET', `/runs/${named}`)).body;
    assert.deepEqual([record.name, record.request.name], ['Été, first look', undefined]);
    const other = (await ask('GET', `/runs/${plain}`)).body;
    for (const path of [`/runs/${plain}`, `/results/${plain}`, `/results/${named}`])
      assert.equal('name' in (await ask('GET', path)).body, false);
    assert.deepEqual([other.outcome_hash, other.request], [record.outcome_hash, record.request]);
    const { items } = (await ask('GET', '/runs')).body;
    assert.deepEqual(membersOf(items, 'name'), [undefined, 'Été, first look']);
  });

  it('can be changed and taken away at any time, and are searched in any case, as are the beginnings of ids', async () => {
    const { ask, succeeded } = await givenSimulation();
    const [first, second] = [await succeeded({ name: 'Steep' }), await succeeded()];
    const before = await ask('GET', `/results/${second}`);
    const headers = { 'Content-Type': 'text/plain' };
    const rename = (id: string, name: unknown) => ask('PATCH', `/runs/${id}`, { body: { name }, headers });
    assert.equal((await rename(second, 'Not so steep')).body.name, 'Not so steep');
    const found = async (search: string): Promise<string[]> =>
      (await ask('GET', `/runs?search=${encodeURIComponent(search)}`)).body.items.map(({ id }: Loose) => id);
    assert.deepEqual(await found('STEEP'), [second, first]);
    assert.deepEqual(await found('so st'), [second]);
    assert.deepEqual(await found(first.slice(0, 8)), [first]);
    assert.deepEqual(await found('%'), []);
    assert.equal('name' in (await rename(first, null)).body, false);
    assert.deepEqual(await found('steep'), [second]);
    assert.equal((await ask('GET', `/results/${second}`)).text, before.text);
    for (const name of ['', ' ', 'a\nb', 'a\u001b[2J', '\u0085', 'x'.repeat(81), 7, undefined])
      assert.equal((await rename(first, name)).status, 422);
    assert.equal((await rename('f'.repeat(16), 'x')).status, 404);
    assert.equal((await ask('GET', '/runs?search=')).status, 422);
  });

  it('show in the list how each run ended, as its forecast does', async () => {
    const { ask, succeeded } = await givenSimulation();
    const id = await succeeded({ horizon: 6, x0: 0.5, entropy: 2, num_sectors: 3 });
    const last = (await ask('GET', `/results/${id}`)).body.forecast.at(-1);
    const [listed] = (await ask('GET', '/runs')).body.items;
    assert.deepEqual(listed.outcome, { capability: last.capability, disrupted: last.affected, sectors: 3 });
    assert.ok(last.affected > 0);
  });

  it('have the position of a queued run in the queue, and none for a running one', async () => {
    const { ask, run, until } = await givenSimulation({ service: { simulate: held, running_max: 1 } });
    const ids = [await run({ seed: 1 }), await run({ seed: 2 }), await run({ seed: 3 })];
    await until(ids[0] ?? '', 'running');
    const places = async (): Promise<unknown[]> =>
      Promise.all(ids.map(async (id) => (await ask('GET', `/runs/${id}`)).body.queue_position ?? null));
    assert.deepEqual(await places(), [null, 1, 2]);
    await ask('DELETE', `/runs/${ids[1] ?? ''}`);
    assert.deepEqual(await places(), [null, null, 1]);
    // A run that has been running for a second has an estimate.
    for (const { state, remaining_s, outcome } of (await ask('GET', '/runs')).body.items)
      assert.deepEqual([state === 'running' ? undefined : remaining_s, outcome], [undefined, null]);
  });
});

describe('the remaining time of a run', () => {
  const running = (fraction: number): RunProgress => {
    const progress = new RunProgress('0'.repeat(16));
    progress.begin(1_000);
    progress.fraction = fraction;
    return progress;
  };

  it('follows from the share that is done and the time that it took', () => {
    assert.equal(running(0.25).remaining(11_000), 30);
    assert.equal(running(0.9).remaining(10_000), 1);
  });

  it('is unknown before there is enough to estimate it, after the search, and at the end', () => {
    assert.equal(new RunProgress('0'.repeat(16)).remaining(60_000), null);
    assert.equal(running(0.04).remaining(60_000), null);
    assert.equal(running(0.5).remaining(1_999), null);
    assert.equal(running(1).remaining(60_000), null);
    const over = running(0.5);
    over.state = 'failed';
    assert.equal(over.remaining(60_000), null);
  });

  it('is unknown after a restart', () => {
    const progress = running(0.5);
    progress.forgetPace();
    assert.equal(progress.remaining(60_000), null);
  });
});
