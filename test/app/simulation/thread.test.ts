/** Simulations on their thread, their verification, and the command's whole way. */
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/hash.js';
import type { Results } from '../../../src/codec/api-simulation.js';
import { openHome } from '../../../src/app/home/open.js';
import { executeRun, verifyRun } from '../../../src/app/simulation/runs/execute.js';
import { ledgerPaths, newestEntries } from '../../../src/app/simulation/ledger/ledger.js';
import { requestRun, requireRun } from '../../../src/app/simulation/runs/runs.js';
import { makeMissingHome, settledRequest, simulateHere } from '../../../src/app/simulation/runs/simulate.js';
import { simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { listRuns } from '../../../src/rows/simulations.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { requestOf, run } from '../../support/app/simulation.js';

const homes = homeForEach();
const actor = 'operator';
const long = { pop_size: 500, generations: 10_000, num_sectors: 20 };

describe('a simulation on its thread', () => {
  it('gives the bytes of this thread, and reports every year and generation in order', async () => {
    const document = { entropy: 2, horizon: 4, generations: 30, pop_size: 20 };
    const heard: number[] = [];
    const years: (readonly number[])[] = [];
    const answer = await simulateOnThread(
      { request: requestOf(document), islands: ['a', 'b'] },
      { onYears: (affected) => void years.push(affected), onGeneration: (n) => void heard.push(n) },
    );
    const text = canonicalJson(run(document, ['a', 'b']));
    assert.deepEqual(answer, { type: 'answered', text, outcome_hash: sha256Hex(text) });
    assert.deepEqual(years, [[6, 6, 6, 6]]);
    assert.deepEqual(
      heard,
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
  });

  it('needs nobody to listen', async () => {
    const answer = await simulateOnThread({ request: requestOf({}), islands: ['main'] });
    assert.equal(answer.type, 'answered');
  });

  it('stops within a generation on request, and a watch that throws ends it', async () => {
    const task = { request: requestOf(long), islands: ['main'] };
    let heard = 0;
    const answer = await simulateOnThread(task, { onGeneration: (n) => void (heard = n), mustStop: () => heard > 0 });
    assert.deepEqual(answer, { type: 'stopped' });
    assert.ok(heard > 0 && heard < long.generations);
    const bad = simulateOnThread(task, {
      mustStop: () => {
        throw new Error('the journal is gone');
      },
    });
    await assert.rejects(bad, /^Error: the journal is gone$/);
  });

  it('is verified by computing it again; another outcome is refuted', () =>
    homes.get().with(async (home) => {
      const { id } = await requestRun(home, { request: requestOf({ entropy: 2 }), runner: 'command', actor });
      await assert.rejects(verifyRun(home, id), /wrong_state: run [0-9a-f]{16} is queued; it has no results/);
      await executeRun(home, id, { actor });
      const verdict = await verifyRun(home, id);
      assert.deepEqual([verdict.valid, verdict.reason], [true, null]);
      assert.equal(verdict.recomputed_hash, requireRun(home.db, id).outcome_hash);
      // A run whose recorded outcome is of another seed than the request says.
      const forged = await requestRun(home, { request: requestOf({ entropy: 2 }, 1), runner: 'command', actor });
      const text = canonicalJson(run({ entropy: 2 }, ['main'], 2));
      const simulate = async () => ({ type: 'answered', text, outcome_hash: sha256Hex(text) }) as const;
      await executeRun(home, forged.id, { actor, simulate });
      const no = await verifyRun(home, forged.id);
      assert.deepEqual([no.valid, no.reason], [false, 'the recorded request and seed give another outcome']);
    }));

  it('is not refuted when it is from another engine, and cannot be computed', () =>
    homes.get().with(async (home) => {
      const { id } = await requestRun(home, { request: requestOf({}), runner: 'command', actor });
      const text = canonicalJson({ ...run({}), engine: { name: 'simulation', version: '0.9.0' } });
      const simulate = async () => ({ type: 'answered', text, outcome_hash: sha256Hex(text) }) as const;
      await executeRun(home, id, { actor, simulate });
      await assert.rejects(verifyRun(home, id), /engine_unavailable: run [0-9a-f]{16} was made by simulation 0\.9\.0/);
    }));
});

describe('simulate', () => {
  it('makes the home that is missing, and no other', () => {
    const { world, directory } = homes.get();
    assert.equal(makeMissingHome(world), null);
    rmSync(directory, { recursive: true });
    assert.equal(makeMissingHome(world), directory);
    assert.ok(existsSync(`${directory}/identity.key`));
  });

  it('ends in the journal and in the ledger', () =>
    homes.get().with(async (home) => {
      const { root: directory } = homes.get();
      const results = await simulateHere(home, requestOf({ seed: 3 }), { directory, genome: false, actor });
      const [entry] = newestEntries(ledgerPaths(directory).runs, 5);
      assert.deepEqual(
        [entry?.id, entry?.seed, entry?.result_hash, entry?.journal, entry?.forecast],
        [results.id, 3, results.outcome_hash, results.journal, results.forecast],
      );
      assert.equal(canonicalJson(entry?.request), canonicalJson(results.request));
    }));

  it('reports that it was stopped, and adds no line to the ledger', () =>
    homes.get().with(async (home) => {
      const { root: directory } = homes.get();
      const stopping = { directory, genome: false, actor, whyStop: () => 'cancelled' as const };
      await rejectsRefusal(simulateHere(home, requestOf(long), stopping), 'interrupted');
      assert.deepEqual(newestEntries(ledgerPaths(directory).runs, 5), []);
    }));

  it('has the islands that AGI_ISLAND_BACKENDS names; a wrong one is refused before anything is recorded', async () => {
    const { root: directory, world } = homes.get();
    const simulateWith = async (text: string): Promise<Results> => {
      const home = openHome({ ...world, env: { ...world.env, AGI_ISLAND_BACKENDS: text } });
      try {
        return await simulateHere(home, requestOf({}), { directory, genome: false, actor });
      } finally {
        home.close();
      }
    };
    assert.deepEqual((await simulateWith('b=threads:2,a=threads:2')).islands, ['a', 'b']);
    const wrong = await rejectsRefusal(simulateWith('a=gpu'), 'invalid');
    assert.equal(wrong.errors?.[0]?.path, 'AGI_ISLAND_BACKENDS');
    homes.get().with((home) => assert.equal(listRuns(home.db, { limit: 5 }).length, 1));
  });

  it('draws a seed where none is given', () => {
    const [first, second] = [settledRequest({}), settledRequest({})];
    assert.notEqual(first.seed, second.seed);
    assert.equal(settledRequest({ seed: 0 }).seed, 0);
  });
});
