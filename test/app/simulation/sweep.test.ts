/** Sweeps on threads and on workers of a queue: the same runs with the same outcomes, whatever computes them. */
import assert from 'node:assert/strict';
import { openHome } from '../../../src/app/home/open.js';
import { addWorkerKey, listWorkerKeys, noticeText } from '../../../src/app/workers/register.js';
import { sweepHere } from '../../../src/app/simulation/runs/sweep.js';
import type { SweepRecord } from '../../../src/codec/sweep.js';
import { runPage } from '../../../src/app/simulation/runs/runs.js';
import { cli, type Env } from '../../support/cli/cli-run.js';
import { until } from '../../support/app/given-daemon.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { startBadWorker, startNats, startWorkerProcess, type Nats } from '../../support/app/nats.js';
import { real } from '../../support/real.js';
import { homeForEach, type TemporaryHome } from '../../support/app/temporary-home.js';

const request = { entropy: 2, pop_size: 12, generations: 8, seed: 5 };
const document = { request, field: 'k', values: [5, 7, 9], seeds: 4 };

interface Swept {
  readonly report: SweepRecord;
  readonly recorded: number;
  readonly warnings: readonly string[];
}

async function sweep(
  given: TemporaryHome,
  islands: string,
  more: Partial<Parameters<typeof sweepHere>[2]> = {},
  body: unknown = document,
): Promise<Swept> {
  const warnings: string[] = [];
  const world = { ...given.world, env: { ...given.world.env, AGI_ISLAND_BACKENDS: islands } };
  const home = openHome(world);
  try {
    const report = await sweepHere(home, body, {
      directory: given.root,
      actor: 'operator',
      onWarning: (message) => void warnings.push(message),
      ...more,
    });
    return { report, recorded: (await runPage(home.db, { state: 'succeeded', limit: 100 })).items.length, warnings };
  } finally {
    home.close();
  }
}

/** What its runs gave. */
const hashesOf = ({ report }: Swept): string[] =>
  report.points.flatMap(({ runs }) => runs.map((run) => JSON.stringify({ ...run, id: '' })));

describe('a sweep', () => {
  const homes = homeForEach();

  it('records each run, with the same seeds for each value, and shows the influence of the field', async () => {
    const swept = await sweep(homes.get(), 'a=threads:2,b=threads');
    assert.equal(swept.recorded, 12);
    assert.equal(new Set(hashesOf(swept)).size, 12);
    assert.deepEqual(swept.report.seeds, [5, 6, 7, 8]);
    assert.deepEqual(
      swept.report.points.map(({ value, runs }) => [value, ...runs.map(({ seed }) => seed)]),
      [5, 7, 9].map((value) => [value, 5, 6, 7, 8]),
    );
  });

  it('shows a best effectiveness below 0, and no hypervolume where the runs have none', async () => {
    const ofSectors = async (horizon: number, sectors: readonly object[]): Promise<SweepRecord> => {
      const body = { request: { curve: 'linear', horizon, sectors, seed: 1 }, field: 'pop_size', values: [6, 8] };
      return (await sweep(homes.get(), 'a=threads', {}, body)).report;
    };
    const shrinking = Array.from({ length: 10 }, (_, i) => ({ name: `s${i}`, entropy: 1.0001, growth: -0.5 }));
    assert.ok(((await ofSectors(2, shrinking)).points[0]?.effectiveness?.max ?? 0) < 0);
    const vast = await ofSectors(200, [{ name: 'a', energy: 4.4e8, entropy: 1e12, growth: 10 }, { name: 'b' }]);
    assert.deepEqual([vast.points[0]?.hypervolume, vast.sensitivity[2]?.slope], [null, null]);
  });

  it('records nothing when it is stopped, or when a value is refused', async () => {
    const given = homes.get();
    await rejectsRefusal(sweep(given, 'a=threads', { stopReason: () => 'cancelled' }), 'interrupted');
    for (const wrong of [{ field: 'mut_rate', values: [0, 2] }, { field: 'entropy' }, { values: [0, 5] }])
      await rejectsRefusal(sweep(given, 'a=threads', {}, { ...document, ...wrong }), 'invalid');
    const swept = await sweep(given, 'a=threads', {}, { ...document, seeds: 1 });
    assert.deepEqual([swept.recorded, swept.report.state, swept.report.counts.succeeded], [3, 'completed', 3]);
  });
});

real('nats', 'a sweep on workers', () => {
  const few = { ...document, values: [5, 9], seeds: 2 };
  const homes = homeForEach();
  let nats: Nats;
  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(() => nats.remove());

  it('has the outcomes of threads', async () => {
    const workers = await Promise.all([startWorkerProcess(nats.url), startWorkerProcess(nats.url)]);
    const here = hashesOf(await sweep(homes.get(), 'a=threads,b=threads', {}, few));
    const there = await sweep(homes.get(), `a=${nats.url},b=${nats.url}`, {}, few);
    assert.deepEqual(hashesOf(there), here);
    await until(() => workers.some((worker) => worker.done() > 0), 'a job done by a worker');
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('counts nothing of a key removed meanwhile, and refutes an outcome that passes its checks and is not that of the request', async () => {
    const here = hashesOf(await sweep(homes.get(), 'a=threads', {}, few));
    const liar = await startBadWorker(nats.url, 'lies');
    const add = () => homes.get().with((home) => addWorkerKey(home, liar.key, 'rack', 'operator'));
    const onProgress = (): void => void cli(['worker-key', 'remove', liar.key], homes.get().world.env as Env, '/');
    await add();
    assert.deepEqual(hashesOf(await sweep(homes.get(), `a=${nats.url}`, { check_one_in: 1e9, onProgress }, few)), here);
    await add();
    const there = await sweep(homes.get(), `a=${nats.url}`, { check_one_in: 1 }, few);
    assert.deepEqual(hashesOf(there), here);
    await until(() => liar.done() > 0, 'a job done by the liar');
    assert.ok(there.warnings.includes(noticeText({ type: 'refuted', key: liar.key })));
    await liar.stop();
    const known = homes.get().with(listWorkerKeys);
    assert.deepEqual(
      known.items.map(({ key, name, state }) => [key, name, state]),
      [[liar.key, 'rack', 'refuted']],
    );
  });
});
