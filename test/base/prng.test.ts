import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Prng, prng } from '../../src/base/prng.js';

const draw = (random: Prng, count: number): number[] => Array.from({ length: count }, () => random.uint32());
const seeds = fc.integer({ min: 0, max: 4_294_967_295 });

const mask = 0xffff_ffffn;
type State = [bigint, bigint, bigint, bigint];

/** xoshiro128** 1.1 again, on big integers, after the published C code. */
function xoshiro(s: State): () => number {
  const rotl = (x: bigint, k: bigint): bigint => ((x << k) | (x >> (32n - k))) & mask;
  return () => {
    const result = (rotl((s[1] * 5n) & mask, 7n) * 9n) & mask;
    const t = (s[1] << 9n) & mask;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11n);
    return Number(result);
  };
}

function splitmix(from: bigint): () => bigint {
  let state = from;
  return () => {
    state = (state + 0x9e37_79b9n) & mask;
    let z = ((state ^ (state >> 16n)) * 0x85eb_ca6bn) & mask;
    z = ((z ^ (z >> 13n)) * 0xc2b2_ae35n) & mask;
    return z ^ (z >> 16n);
  };
}

function oracle(seed: number, labels: readonly number[]): () => number {
  let mixed = splitmix(BigInt(seed))();
  for (const label of labels) mixed = splitmix(mixed ^ ((BigInt.asUintN(32, BigInt(label)) * 0x9e37_79b1n) & mask))();
  const fill = splitmix(mixed);
  return xoshiro([fill(), fill(), fill(), fill()]);
}

describe('prng', () => {
  it('keeps its golden values', () => {
    assert.deepEqual(draw(prng(0), 4), [4187458251, 2444602982, 3872279642, 1301277917]);
    assert.deepEqual(draw(prng(42), 4), [1874330980, 2143255774, 4055375598, 4093523872]);
    assert.deepEqual(draw(prng(4_294_967_295), 4), [2389465496, 1575593595, 1274286549, 253980949]);
    assert.deepEqual(draw(prng(42, 1), 4), [1145456098, 2026222093, 1514253041, 912929467]);
    assert.deepEqual(draw(prng(42, 1, 2), 4), [717467574, 2171632754, 384094420, 172512893]);
  });

  it('is xoshiro128** seeded by SplitMix32', () => {
    // What the authors' C code gives from the state 1, 2, 3, 4.
    const published = [11_520, 0, 5_927_040, 70_819_200, 2_031_721_883, 1_637_235_492, 1_287_239_034, 3_734_860_849];
    const counted = xoshiro([1n, 2n, 3n, 4n]);
    assert.deepEqual(
      published.map(() => counted()),
      published,
    );
    fc.assert(
      fc.property(seeds, fc.array(fc.integer(), { maxLength: 3 }), (seed, labels) => {
        const expected = oracle(seed, labels);
        assert.deepEqual(
          draw(prng(seed, ...labels), 20),
          Array.from({ length: 20 }, () => expected()),
        );
      }),
    );
  });

  it('gives every label path a stream of its own, whatever was drawn before', () => {
    const paths: readonly (readonly number[])[] = [[], [0], [1], [2], [0, 0], [0, 1], [1, 0], [1, 1], [0, 0, 0], [-1], [65_536]];
    const streams = paths.map((labels) => draw(prng(7, ...labels), 4).join(' '));
    assert.equal(new Set(streams).size, paths.length);
    const first = prng(7, 1);
    draw(prng(7, 2), 1000);
    assert.deepEqual(draw(first, 4).join(' '), streams[2]);
    const many = new Set(Array.from({ length: 20_000 }, (_, label) => draw(prng(7, label), 2).join(' ')));
    assert.equal(many.size, 20_000);
  });

  it('takes the bits of unit() from two words', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [high, low] = draw(prng(seed), 2);
        assert.equal(prng(seed).unit(), (Math.floor(high! / 32) * 2 ** 26 + Math.floor(low! / 64)) / 2 ** 53);
      }),
    );
  });
});

describe('prng: below(n)', () => {
  it('stays in 0 … n − 1', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 4_294_967_296 }), (seed, n) => {
        const random = prng(seed);
        for (let i = 0; i < 20; i++) {
          const x = random.below(n);
          assert.ok(Number.isInteger(x) && x >= 0 && x < n);
        }
      }),
    );
  });

  it('reaches both ends at every edge of its methods', () => {
    assert.equal(prng(1).below(1), 0);
    const full = prng(1);
    assert.deepEqual(
      Array.from({ length: 5 }, () => full.below(4_294_967_296)),
      draw(prng(1), 5),
    );
    for (const n of [2, 3, 7, 256]) {
      const random = prng(n);
      const seen = new Set(Array.from({ length: n * 40 }, () => random.below(n)));
      assert.equal(seen.size, n);
    }
  });

  it('is unbiased where a plain remainder would not be', () => {
    // With n = 3·2^30 a remainder alone would give the lowest third twice the share of the others.
    for (const n of [3 * 2 ** 30, 2_097_151, 2_097_153, 6]) {
      const random = prng(11);
      const thirds = [0, 0, 0];
      for (let i = 0; i < 60_000; i++) thirds[Math.floor((random.below(n) / n) * 3)]! += 1;
      for (const count of thirds) assert.ok(Math.abs(count - 20_000) < 600, `${n}: ${thirds.join(' ')}`);
    }
  });
});
