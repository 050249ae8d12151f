/** Progress of runs: every listener hears each run from its start, whenever it came and however slow it is. */
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { progress_ended_max, ProgressBroadcaster, type RunProgress } from '../../../src/app/simulation/runs/progress.js';
import { until } from '../../support/app/given-daemon.js';
import { ask, hear, heldSimulation, inWords, servicesForEach } from '../../support/app/given-simulations.js';
import { homeForEach } from '../../support/app/temporary-home.js';

const services = servicesForEach();
const homes = homeForEach();
/** One of its two sectors is disrupted at once, the other one in the second year. */
const document = (seed: number): Record<string, unknown> => ({
  seed,
  horizon: 2,
  curve: 'linear',
  sectors: [
    { name: 'a', entropy: 4 },
    { name: 'b', entropy: 1.5 },
  ],
});
const whole = 'y1:1 y2:2 g1 g2 g3 ended:succeeded';

describe('followers of all runs', () => {
  it('hear each from its start, the late ones too, and end when none is in flight', async () => {
    const { simulate, working, advance, release } = heldSimulation();
    const { service } = await services.start(homes.get(), { simulate, running_max: 2 });
    const early = hear(service, null);
    await later(20);
    assert.deepEqual(early.items, []);
    const [first, second] = [await ask(service, document(1)), await ask(service, document(2))];
    await until(() => working.length === 2);
    advance(1, 2);
    await until(() => inWords(early.items, first) === 'y1:1 y2:2 g1 g2');
    const late = hear(service, null);
    await until(() => inWords(late.items, first) === 'y1:1 y2:2 g1 g2');
    release(1);
    await until(() => inWords(late.items, first) === whole);
    const latest = hear(service, null);
    const third = await ask(service, document(3));
    release('all');
    await Promise.all([early.ended, late.ended, latest.ended]);
    for (const { items } of [early, late]) {
      assert.deepEqual(
        [first, second, third].map((id) => inWords(items, id)),
        [whole, whole, whole],
      );
    }
    assert.deepEqual(
      [inWords(latest.items, first), inWords(latest.items, second)],
      ['', whole],
      'a run that has ended is not in flight',
    );
  });

  it('buffer only the runs that are kept when they are slow, and lose the oldest of those that ended meanwhile', async () => {
    const runs = new ProgressBroadcaster(() => assert.fail('not asked'));
    const begin = (i: number): RunProgress => Object.assign(runs.begin(`r${i}`), { affected: [0], generation: 1 });
    const open = begin(0);
    const slow = runs.follow(null, new AbortController().signal)[Symbol.asyncIterator]();
    await slow.next();
    for (let i = 1; i <= 3 * progress_ended_max; i++) runs.end(begin(i), 'succeeded');
    runs.end(open, 'failed');
    const ids = new Set<string>();
    for (let item = await slow.next(); item.done !== true; item = await slow.next()) ids.add(item.value.id);
    assert.ok(ids.has('r0') && ids.has(`r${3 * progress_ended_max}`) && !ids.has('r1'));
    assert.equal(ids.size, progress_ended_max);
  });
});

describe('followers of one run', () => {
  it('hear a run that starts again from where they are, nothing twice', async () => {
    let tries = 0;
    const { service } = await services.start(homes.get(), {
      simulate: async (_, watch) => {
        watch?.onYears?.([1, 2]);
        for (let n = 1; n <= 2; n++) watch?.onGeneration?.(n, n / 3);
        if (++tries < 2) throw new Error('broken');
        return { type: 'refuted', reason: 'no' };
      },
    });
    const id = await ask(service, document(1));
    const { items, ended } = hear(service, id);
    await ended;
    assert.equal(inWords(items, id), 'y1:1 y2:2 g1 g2 ended:failed');
  });
});
