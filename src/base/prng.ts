/**
 * xoshiro128** 1.1 (Blackman and Vigna, 2018) over 32-bit words, seeded by SplitMix32; splittable by label, so that every
 * island, restart and epoch has a stream of its own and results do not depend on the number of threads.
 */
export interface Prng {
  /** Uniform in 0 … 2^32 − 1. */
  uint32(): number;
  /** Uniform in 0 … n − 1 without bias (Lemire 2019, multiply and reject); 1 ≤ n ≤ 2^32. */
  below(n: number): number;
  /** Uniform in [0, 1) with 53 random bits. */
  unit(): number;
}

const rotl = (x: number, k: number): number => (x << k) | (x >>> (32 - k));

function splitmix32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
}

/** A stream for `seed` (0 … 2^32 − 1) and any number of integer labels. */
export function prng(seed: number, ...labels: readonly number[]): Prng {
  let mixed = splitmix32(seed)();
  for (const label of labels) mixed = splitmix32((mixed ^ Math.imul(label >>> 0, 0x9e3779b1)) >>> 0)();
  const fill = splitmix32(mixed);
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  if ((a | b | c | d) === 0) a = 1;

  const uint32 = (): number => {
    const result = Math.imul(rotl(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotl(d, 11);
    return result;
  };
  const unit = (): number => ((uint32() >>> 5) * 67_108_864 + (uint32() >>> 6)) / 9_007_199_254_740_992;
  const below = (n: number): number => {
    const threshold = (4_294_967_296 - n) % n;
    for (;;) {
      const x = uint32();
      // x·n as high and low words: both partial products stay below 2^53 for n ≤ 2^21; larger n take the division.
      if (n <= 2_097_152) {
        const product = x * n;
        const low = product % 4_294_967_296;
        if (low >= threshold) return (product - low) / 4_294_967_296;
      } else if (x >= threshold) {
        return x % n;
      }
    }
  };
  return { uint32, below, unit };
}
