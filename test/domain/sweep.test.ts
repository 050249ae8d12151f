/** Sweeps: their values, their seeds, and the influence of the field that they vary. */
import assert from 'node:assert/strict';
import { isRefused, unwrap } from '../../src/base/result.js';
import { pointOf, readSweep, seedsFrom, sensitivityOf, type SweepRun } from '../../src/domain/sweep.js';

const valuesOf = (text: string): readonly number[] => unwrap(readSweep(text)).values;

describe('sweep', () => {
  it('takes the values from the first to the last, without the errors of repeated addition', () => {
    assert.deepEqual(valuesOf('k=5..8:1'), [5, 6, 7, 8]);
    assert.deepEqual(valuesOf('mut_rate=0..0.3:0.1'), [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(valuesOf('x0=-1..1:0.75'), [-1, -0.25, 0.5]);
    assert.deepEqual(valuesOf('pop-size=10..10:5'), [10]);
  });

  it('is refused without a range, a known field, a step above 0, an end after the start, or with too many values', () => {
    for (const text of [
      'k',
      'k=5',
      'k=5..6',
      'k=6..5:1',
      'k=5..6:0',
      'k=5..6:-1',
      'seed=1..2:1',
      'curve=a..b:1',
      'k=0..2000:1',
      'k=01..2:1',
    ])
      assert.ok(isRefused(readSweep(text)), text);
    assert.equal(valuesOf('k=1..2000:1').length, 2_000);
  });

  it('gives each value the same seeds', () => {
    assert.deepEqual(seedsFrom(7, 3), [7, 8, 9]);
    assert.deepEqual(seedsFrom(4_294_967_295, 2), [4_294_967_295, 0]);
  });

  it('measures slope and explained variance', () => {
    const run = (affected: number, hypervolume: number): SweepRun => ({
      id: '',
      seed: 0,
      outcome_hash: '',
      affected,
      effectiveness: 1,
      hypervolume,
    });
    const points = [pointOf(1, [], [run(2, 1), run(2, 3)]), pointOf(3, [], [run(6, 1), run(6, 3)])];
    assert.deepEqual(points[0]?.hypervolume, { mean: 2, min: 1, max: 3 });
    assert.deepEqual(sensitivityOf(points), [
      { measure: 'affected', slope: 2, explained: 1 },
      { measure: 'effectiveness', slope: 0, explained: null },
      { measure: 'hypervolume', slope: 0, explained: 0 },
    ]);
    assert.equal(sensitivityOf(points.slice(0, 1))[0]?.slope, null);
  });
});
