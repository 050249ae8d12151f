/**
 * x ↦ x^y for one y, with the same bits on every machine. The operators take two roots for each gene they cross; tables filled once
 * by base/math's `pow` make one root cost a table walk and a polynomial instead of a logarithm and an exponential.
 */
import { pow } from '../../base/math.js';

export type Power = (x: number) => number;

const cell = new Float64Array(1);
const words = new Uint32Array(cell.buffer);
/** Which of the two words holds sign and exponent: 1 on little-endian machines. */
const high = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

const exponent_bias = 1023;
/** Tables hold 2^(e·y) for |e| up to this; `pow` answers outside. The operators' arguments lie in 2^-33 … 2^33. */
const exponent_max = 64;
/** Parts of [1, 2), each with the power of its middle. */
const parts = 256;
const whole_max = 1024;

/**
 * The power function of `y`: by squaring for whole y (1 … 1024), from tables for 0 < y < 1 (relative error below 2^-50 for x in
 * 2^-64 … 2^64), else base/math's `pow`. Defined for x ≥ 0.
 */
export function powerOf(y: number): Power {
  if (y >= 1 && y <= whole_max && Math.floor(y) === y) return (x) => wholePower(x, y);
  return y > 0 && y < 1 ? fractionalPower(y) : (x) => pow(x, y);
}

/** x^k for whole k ≥ 1 by repeated squaring, least significant bit first. */
function wholePower(x: number, k: number): number {
  let value = 1;
  let square = x;
  for (let rest = k; ; square *= square) {
    if ((rest & 1) === 1) value *= square;
    rest >>>= 1;
    if (rest === 0) return value;
  }
}

/**
 * x = 2^e·m with 1 ≤ m < 2, c the middle of m's part and f = m/c − 1: x^y = 2^(e·y) · c^y · (1 + f)^y, the last by the binomial
 * series. |f| ≤ 2^-9 and the coefficients stay below 1/k, so that the sixth term is less than 2^-56 of the whole.
 */
function fractionalPower(y: number): Power {
  const scale = Float64Array.from({ length: 2 * exponent_max + 1 }, (_, i) => pow(2, (i - exponent_max) * y));
  const middles = Float64Array.from({ length: parts }, (_, i) => 1 + (i + 0.5) / parts);
  const inverse = middles.map((c) => 1 / c);
  const power = middles.map((c) => pow(c, y));
  const [c2, c3, c4, c5] = [(y - 1) / 2, (y - 2) / 3, (y - 3) / 4, (y - 4) / 5];
  return (x) => {
    cell[0] = x;
    const top = words[high] as number;
    const e = (top >>> 20) - exponent_bias;
    if (e < -exponent_max || e > exponent_max) return pow(x, y);
    words[high] = (top & 0xfffff) | 0x3ff00000;
    const part = (top >>> 12) & 0xff;
    const f = (cell[0] as number) * (inverse[part] as number) - 1;
    const series = y * f * (1 + c2 * f * (1 + c3 * f * (1 + c4 * f * (1 + c5 * f))));
    const c = power[part] as number;
    return (scale[e + exponent_max] as number) * (c + c * series);
  };
}
