/** Islands: sizes, migration, and that they may be evolved apart, in any order. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { newEvolution, restore, snapshot } from '../../src/engines/evolution/evolution.js';
import { epoch_generations, evolveEpoch, islandSizes, migrate, newIslands } from '../../src/engines/simulation/islands.js';
import { modelOf, problemOf } from '../../src/engines/simulation/model.js';
import { pathOf, scenarioOf } from '../../src/engines/simulation/scenario.js';
import { requestOf, run } from '../support/simulation.js';

const request = requestOf({ pop_size: 31, generations: 10, entropy: 2, curve: 'linear' });
const modelNow = () => {
  const scenario = scenarioOf(request);
  return modelOf(
    scenario,
    scenario.sectors.map((sector) => pathOf(scenario, sector)),
  );
};

describe('islands', () => {
  it('share the population, and the first ones have one more', () => {
    assert.deepEqual(islandSizes(31, 3), [11, 10, 10]);
    assert.deepEqual(islandSizes(6, 1), [6]);
    assert.equal(run({ pop_size: 31 }, ['a', 'b', 'c']).population.length, 31);
  });

  it('are part of the outcome: other names in number give other populations', () => {
    const document = { pop_size: 30, generations: 12, entropy: 2 };
    const one = run(document, ['main']);
    const two = run(document, ['a', 'b']);
    assert.deepEqual(two.islands, ['a', 'b']);
    assert.notEqual(canonicalJson(one.population), canonicalJson(two.population));
    assert.equal(canonicalJson(two), canonicalJson(run(document, ['a', 'b'])));
  });

  it('evolve apart, backwards and from snapshots to the same bytes', () => {
    const model = modelNow();
    const [forward, backward] = [newIslands(model, request, 3), newIslands(model, request, 3)];
    const settings = { seed: request.seed, generations: epoch_generations };
    for (const epoch of [0, 1]) {
      if (epoch > 0) {
        migrate(forward);
        migrate(backward);
      }
      for (const [place, island] of forward.entries()) evolveEpoch(island, { ...settings, place, epoch }, () => undefined);
      for (const place of [2, 1, 0]) {
        // As another thread would: made again from what it was sent.
        const operators = { crossover_probability: request.xover_rate, mutation_probability: request.mut_rate };
        const elsewhere = newEvolution(problemOf(modelNow()), { population: backward[place]!.size, operators });
        if (epoch > 0) restore(elsewhere, snapshot(backward[place]!));
        evolveEpoch(elsewhere, { ...settings, place, epoch }, () => undefined);
        restore(backward[place]!, snapshot(elsewhere));
      }
      assert.deepEqual(backward.map(snapshot), forward.map(snapshot));
    }
  });

  it('send their two best to the next one, the last to the first', () => {
    const islands = newIslands(modelNow(), request, 3);
    for (const [place, island] of islands.entries())
      evolveEpoch(island, { seed: 1, place, epoch: 0, generations: 1 }, () => undefined);
    const before = islands.map(snapshot);
    migrate(islands);
    const rows = ({ variables }: (typeof before)[0]): string[] =>
      Array.from({ length: variables.length / 6 }, (_, i) => variables.subarray(i * 6, i * 6 + 6).join());
    for (const [i, island] of islands.entries()) {
      const own = new Set(rows(before[i]!));
      const arrived = rows(snapshot(island)).filter((row) => !own.has(row));
      const source = new Set(rows(before[(i + 2) % 3]!));
      assert.ok(arrived.length <= 2 && arrived.every((row) => source.has(row)), `island ${i}`);
    }
  });
});
