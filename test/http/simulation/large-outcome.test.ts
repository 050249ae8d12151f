/** Requests for parts of an outcome of more than 10 MB: the thread that serves requests does not hash it, whether it is kept or not. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/hash.js';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import { resultsOf } from '../../../src/app/simulation/runs/stored.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { forecastRows } from '../../../src/codec/simulation-results.js';
import { csvText } from '../../../src/reports/csv.js';
import { simulate } from '../../../src/engines/simulation/engine.js';
import { givenSimulation, stopAfterEach } from './given-simulation.js';

const individuals = 10_000;
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
    assert.ok(whole.length > 10_000_000);
    assert.deepEqual(JSON.parse(whole), JSON.parse(JSON.stringify(resultsOf(daemon.home.db, run, { genome: true }))));
  });
});
