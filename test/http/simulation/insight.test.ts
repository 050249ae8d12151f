import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Home } from '../../../src/app/home/home.js';
import { recordRun, requestRun, requireRun } from '../../../src/app/simulation/runs/runs.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { insight_curves_max } from '../../../src/base/limits.js';
import { formatTime } from '../../../src/base/time.js';
import type { SimulationRequest } from '../../../src/codec/simulation.js';
import { decideCompleted, decideStart } from '../../../src/domain/simulation.js';
import { simulate } from '../../../src/engines/simulation/engine.js';
import { simulationEngine } from '../../../src/engines/simulation/outcome.js';
import { requestOf } from '../../support/app/simulation.js';
import { start_ms, temporaryHome } from '../../support/app/temporary-home.js';
import { givenSimulation, held, stopAfterEach } from './given-simulation.js';
import { problemIn } from '../plain-http.js';
import { resultsOf } from '../../../src/app/simulation/runs/stored.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { forecastRows } from '../../../src/codec/simulation-results.js';
import { csvText } from '../../../src/reports/csv.js';
import { membersOf } from '../../support/lists.js';

const nobody = 'f'.repeat(16);

describe('simulation API: insight', () => {
  stopAfterEach();

  it('has means, extremes and how many runs reach each year', async () => {
    const { ask, succeeded, run, until } = await givenSimulation();
    const linear = await succeeded({ horizon: 2, curve: 'linear' });
    const longer = await succeeded({ horizon: 4, curve: 'linear' });
    await until(await run({ seed: 13 }), 'failed');
    const expected = {
      forecast: [
        { year: 1, capability: 0.375, runs: 2, min: 0.25, max: 0.5 },
        { year: 2, capability: 0.75, runs: 2, min: 0.5, max: 1 },
        { year: 3, capability: 0.75, runs: 1, min: 0.75, max: 0.75 },
        { year: 4, capability: 1, runs: 1, min: 1, max: 1 },
      ],
    };
    const all: readonly unknown[] = [undefined, '', {}, { ids: null }, { ids: [] }, 'null'];
    for (const body of all) assert.deepEqual((await ask('POST', '/insight', { body })).body, expected, JSON.stringify(body));
    const named = [longer, nobody, linear, longer, 'no id at all'];
    assert.deepEqual((await ask('POST', '/insight', { body: { ids: named } })).body, expected);
    const { forecast } = (await ask('POST', '/insight', { body: { ids: [linear, nobody] } })).body;
    assert.deepEqual(membersOf(forecast, 'capability'), [0.5, 1]);
  });

  it('has the curves of single runs on request, in the order of the ids, else the newest first', async () => {
    const { ask, succeeded } = await givenSimulation();
    const first = await succeeded({ horizon: 2, curve: 'linear' });
    const second = await succeeded({ horizon: 4, curve: 'linear' });
    const curves = [
      { id: second, capability: [0.25, 0.5, 0.75, 1] },
      { id: first, capability: [0.5, 1] },
    ];
    assert.deepEqual((await ask('POST', '/insight', { body: { curves: true } })).body.curves, curves);
    const named = { ids: [first, nobody, second], curves: true };
    assert.deepEqual((await ask('POST', '/insight', { body: named })).body.curves, curves.toReversed());
    assert.equal('curves' in (await ask('POST', '/insight', { body: { curves: false } })).body, false);
  });

  it('responds with 404 without results: no runs, unknown ones, unfinished ones', async () => {
    const { ask, run } = await givenSimulation({ service: { simulate: held } });
    for (const body of [undefined, {}, { ids: [nobody] }, { ids: [await run()] }, { ids: [''] }]) {
      const answer = await ask('POST', '/insight', { body });
      assert.deepEqual([answer.status, problemIn(answer).code], [404, 'not_found'], JSON.stringify(body));
    }
  });

  it('responds with 422 to members that do not fit, and with 400 to malformed text', async () => {
    const { ask } = await givenSimulation();
    for (const [body, path] of [
      [{ ids: 'x' }, 'ids'],
      [{ ids: [3] }, 'ids[0]'],
      [{ ids: ['a', null] }, 'ids[1]'],
      [{ id: [] }, 'id'],
      [{ curves: 1 }, 'curves'],
      [[], ''],
      [{ ids: Array(10_001).fill('a') }, 'ids'],
    ] as const) {
      const answer = await ask('POST', '/insight', { body });
      assert.equal(answer.status, 422, JSON.stringify(body).slice(0, 50));
      assert.equal(problemIn(answer).errors[0].path, path);
    }
    assert.equal((await ask('POST', '/insight', { body: '{' })).status, 400);
  });

  it('lets others have their turn over many runs', async () => {
    const home = temporaryHome();
    await home.with((opened) => recorded(opened, 150, requestOf({ horizon: 200, pop_size: 2, generations: 1, num_sectors: 2 })));
    const { ask, stopAll } = await givenSimulation({ home });
    let turns = 0;
    const watch = setInterval(() => turns++, 1);
    const { body } = await ask('POST', '/insight', { body: { curves: true } });
    clearInterval(watch);
    assert.equal(body.curves.length, insight_curves_max);
    assert.equal(body.forecast.length, 200);
    assert.equal(body.forecast[199].runs, 150);
    assert.ok(turns > 7, `the loop turned ${turns} times`);
    await stopAll();
    home.remove();
  });
});

/** So many runs that succeeded with the same outcome. */
async function recorded(home: Home, count: number, request: SimulationRequest): Promise<void> {
  const text = canonicalJson(simulate(request, ['main'], { checkpoint: () => undefined }));
  const outcome = { outcome_hash: sha256Hex(text), outcome: JSON.parse(text) };
  for (let i = 0; i < count; i++) {
    const { id } = await requestRun(home, { request, runner: 'daemon', actor: 'test' });
    const lease_expires_at = formatTime(start_ms);
    await home.transact((tx) => {
      recordRun(tx, id, decideStart(requireRun(tx.db, id), { engine: simulationEngine, lease_expires_at }));
      return recordRun(tx, id, decideCompleted(requireRun(tx.db, id), { attempt: 1, ...outcome }));
    });
  }
}

const individuals = 4_000;
const hashed_bytes_max = 1_000_000;

/** An outcome with the same individual again and again. */
const large: RunSimulation = async ({ request, islands }) => {
  const outcome = simulate(request, islands, { checkpoint: () => undefined });
  const [one] = outcome.population;
  const text = canonicalJson({ ...outcome, population: Array.from({ length: individuals }, () => one) });
  return { type: 'answered', text, outcome_hash: sha256Hex(text) };
};

/** Counts the bytes that this thread hashes. */
function hashing(): { readonly bytes: () => number; readonly end: () => void } {
  const { hash, createHash } = crypto;
  let bytes = 0;
  const count = (data: string | NodeJS.ArrayBufferView): void =>
    void (bytes += typeof data === 'string' ? data.length : data.byteLength);
  Object.assign(crypto, {
    hash: (...[algorithm, data, ...rest]: Parameters<typeof hash>) => {
      count(data);
      return hash(algorithm, data, ...rest);
    },
    createHash: (...args: Parameters<typeof createHash>) => {
      const made = createHash(...args);
      const update = made.update.bind(made);
      return Object.assign(made, {
        update: (data: string | NodeJS.ArrayBufferView) => {
          count(data);
          return update(data);
        },
      });
    },
  });
  syncBuiltinESMExports();
  const end = (): void => {
    Object.assign(crypto, { hash, createHash });
    syncBuiltinESMExports();
  };
  return { bytes: () => bytes, end };
}

describe('simulation API: a large outcome', () => {
  stopAfterEach();

  it('is hashed by another thread, whatever part of it is requested', async () => {
    const { ask, succeeded, daemon } = await givenSimulation({ checkReplies: false, service: { simulate: large } });
    const id = await succeeded({ num_sectors: 100, pop_size: 2, generations: 1, entropy: 2 });
    const counted = hashing();
    const said: Record<string, string> = {};
    try {
      for (const path of [`/results/${id}.csv`, '/results', `/results/${id}?genome=1`, `/population/${id}`]) {
        const { status, text } = await ask('GET', path);
        assert.equal(status, 200, path);
        said[path] = text;
        assert.ok(counted.bytes() < hashed_bytes_max, `${path}: ${counted.bytes()} bytes were hashed`);
      }
      assert.equal((await ask('POST', '/insight')).status, 200);
      assert.ok(counted.bytes() < hashed_bytes_max, `${counted.bytes()} bytes were hashed`);
      assert.ok(counted.bytes() > 0);
    } finally {
      counted.end();
    }
    const run = requireRun(daemon.home.db, id);
    const expected = resultsOf(daemon.home.db, run);
    assert.equal(said[`/results/${id}.csv`], csvText(forecastRows(expected.forecast)));
    assert.deepEqual(JSON.parse(said[`/population/${id}`] ?? ''), expected.population);
    assert.deepEqual(JSON.parse(said['/results'] ?? ''), JSON.parse(JSON.stringify(expected)));
    const whole = said[`/results/${id}?genome=1`] ?? '';
    assert.ok(whole.length > 4 * hashed_bytes_max);
    assert.deepEqual(JSON.parse(whole), JSON.parse(JSON.stringify(resultsOf(daemon.home.db, run, { genome: true }))));
  });
});
