/**
 * x ↦ x^(η + 1) and its inverse for the operators' index η = 20, on a list of numbers at a time and with the same bits on every machine. The
 * crossover takes two roots for each gene. Tables filled once by base/math's `pow` reduce a root to table lookups and a polynomial, instead of a
 * logarithm and an exponential.
 */
import { pow } from '../../base/math.js';

const power = 21;
const y = 1 / power;

const cell = new Float64Array(1);
const words = new Uint32Array(cell.buffer);
/** The index of the word with sign and exponent: 1 on little-endian machines. */
const high = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

const exponent_bias = 1023;
/** The operators' roots have arguments in 2^-33 … 2^33. */
const exponent_max = 64;
const parts = 256;

interface Tables {
  /** 2^(e·y) for e from −exponent_max to exponent_max. */
  readonly scale: Float64Array;
  /** 2^-e, for the same e. */
  readonly unscale: Float64Array;
  /** 1/c and c^y for the middle c of each part of [1, 2). */
  readonly inverse: Float64Array;
  readonly root: Float64Array;
}

function makeTables(): Tables {
  const middles = Float64Array.from({ length: parts }, (_, i) => 1 + (i + 0.5) / parts);
  const scale = Float64Array.from({ length: 2 * exponent_max + 1 }, (_, i) => pow(2, (i - exponent_max) * y));
  return { scale, unscale: powersOfTwo(scale.length), inverse: middles.map((c) => 1 / c), root: middles.map((c) => pow(c, y)) };
}

/** Returns 2^64, 2^63, … without rounding. */
function powersOfTwo(length: number): Float64Array {
  const powers = new Float64Array(length);
  let x = 18_446_744_073_709_551_616;
  for (let i = 0; i < length; i++, x /= 2) powers[i] = x;
  return powers;
}

let made: Tables | null = null;

/** Replaces the first `count` numbers of `list` by their powers: by repeated squaring, least significant bit first. */
export function raise(list: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    let square = list[i] as number;
    let value = square;
    for (let rest = power >>> 1; rest > 0; rest >>>= 1) {
      square *= square;
      if ((rest & 1) === 1) value *= square;
    }
    list[i] = value;
  }
}

/**
 * Replaces the first `count` numbers of `list`, from 2^-64 to 2^64, by their roots. With x = 2^e·m, 1 ≤ m < 2, c the middle of m's part and
 * f = m/c − 1: x^y = 2^(e·y) · c^y · (1 + f)^y, the last by the binomial series. |f| ≤ 2^-9 and the coefficients stay below 1/k, so that the sixth
 * term is less than 2^-56 of the whole. The error is less than 4 units in the last place.
 */
export function takeRoots(list: Float64Array, count: number): void {
  const { scale, unscale, inverse, root } = (made ??= makeTables());
  const c2 = (y - 1) / 2;
  const c3 = (y - 2) / 3;
  const c4 = (y - 3) / 4;
  const c5 = (y - 4) / 5;
  for (let i = 0; i < count; i++) {
    cell[0] = list[i] as number;
    const top = words[high] as number;
    const e = (top >>> 20) - exponent_bias + exponent_max;
    const part = (top >>> 12) & 0xff;
    const f = (list[i] as number) * (unscale[e] as number) * (inverse[part] as number) - 1;
    const series = y * f * (1 + c2 * f * (1 + c3 * f * (1 + c4 * f * (1 + c5 * f))));
    const c = root[part] as number;
    list[i] = (scale[e] as number) * (c + c * series);
  }
}
