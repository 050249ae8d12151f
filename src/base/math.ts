/**
 * exp, log, pow, sin and cos with the same bits on every machine. ECMA-262 leaves Math.exp and its kin to the implementation;
 * these use IEEE 754 + − × ÷ and the bits of a double only, so they may decide what a stored result says.
 *
 * Algorithms and coefficients after fdlibm 5.3 (e_exp.c, e_log.c, e_rem_pio2.c, k_sin.c, k_cos.c; Copyright (C) 1993 by Sun
 * Microsystems, Inc., developed at SunSoft; permission to use, copy, modify and distribute is freely granted provided that this
 * notice is preserved). Errors stay below 1 ulp for exp, log, sin and cos; `pow` is exp(y·log x) by definition of the project,
 * so its relative error grows as |y·log x|·2^-53.
 */
const cell = new Float64Array(1);
const words = new Uint32Array(cell.buffer);
/** Which of the two words holds sign and exponent: 1 on little-endian machines. */
const high = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** 1/ln 2, rounded; spelled as a quotient of the double's integer so that no library constant is trusted. */
const log2_e = 6_497_320_848_556_798 / 4_503_599_627_370_496;
const ln2_high = 6.9314718036912381649e-1;
const ln2_low = 1.90821492927058770002e-10;
const two54 = 18_014_398_509_481_984;
const two_minus1000 = 9.3326361850321887899e-302;

function highWord(x: number): number {
  cell[0] = x;
  return words[high] ?? 0;
}

/** `x` with `k` added to its exponent field; the caller knows that the sum is the exponent of a normal number. */
function shifted(x: number, k: number): number {
  cell[0] = x;
  words[high] = (words[high] ?? 0) + (k << 20);
  return cell[0];
}

/** e^x (fdlibm e_exp.c): x = k·ln 2 + r, and a rational approximation of e^r on |r| ≤ ln 2 / 2. */
export function exp(x: number): number {
  if (!(x <= 709.782712893383973096)) return x > 0 ? Infinity : x;
  if (x < -745.13321910194110842) return 0;
  const size = x < 0 ? -x : x;
  if (size < 3.725290298461914e-9) return 1 + x;
  let k = 0;
  let upper = x;
  let lower = 0;
  if (size > 0.34657359027997264) {
    if (size < 1.0397207708399179) k = x < 0 ? -1 : 1;
    else k = Math.trunc(log2_e * x + (x < 0 ? -0.5 : 0.5));
    upper = x - k * ln2_high;
    lower = k * ln2_low;
  }
  const r = upper - lower;
  const t = r * r;
  const c =
    r -
    t *
      (1.66666666666666019037e-1 +
        t *
          (-2.77777777770155933842e-3 +
            t * (6.61375632143793436117e-5 + t * (-1.6533902205465251539e-6 + t * 4.13813679705723846039e-8))));
  if (k === 0) return 1 - ((r * c) / (c - 2) - r);
  const y = 1 - (lower - (r * c) / (2 - c) - upper);
  return k >= -1021 ? shifted(y, k) : shifted(y, k + 1000) * two_minus1000;
}

/** Natural logarithm (fdlibm e_log.c): x = 2^k·(1 + f) with √½ < 1 + f < √2; log(1 + f) from s = f/(2 + f). log(0) = −∞, NaN below. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return x;
  const subnormal = x < 2.2250738585072014e-308;
  cell[0] = subnormal ? x * two54 : x;
  const bits = words[high] ?? 0;
  const fraction = bits & 0xfffff;
  const carry = (fraction + 0x95f64) & 0x100000;
  words[high] = fraction | (carry ^ 0x3ff00000);
  const f = cell[0] - 1;
  const k = (bits >>> 20) - 1023 + (carry >>> 20) - (subnormal ? 54 : 0);
  return logOfParts(f, k, fraction);
}

/** k·ln 2 + log(1 + f); `fraction` is the upper half of the fraction bits of 1 + f before its scaling. */
function logOfParts(f: number, k: number, fraction: number): number {
  if ((0xfffff & (2 + fraction)) < 3) {
    if (f === 0) return k === 0 ? 0 : k * ln2_high + k * ln2_low;
    const r = f * f * (0.5 - (1 / 3) * f);
    return k === 0 ? f - r : k * ln2_high - (r - k * ln2_low - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const odd =
    z * (6.66666666666673513e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  const r = odd + even;
  if (((fraction - 0x6147a) | (0x6b851 - fraction)) > 0) {
    const half = 0.5 * f * f;
    return k === 0 ? f - (half - s * (half + r)) : k * ln2_high - (half - (s * (half + r) + k * ln2_low) - f);
  }
  return k === 0 ? f - s * (f - r) : k * ln2_high - (s * (f - r) - k * ln2_low - f);
}

/**
 * x^y = exp(y·log x) for x > 0, with the special cases of ECMA-262 (Number::exponentiate); y = 1 gives x, y = 2 gives x·x and
 * y = −1 gives 1/x without rounding twice. For x < 0, y must be an integer (NaN otherwise).
 */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (x !== x || y !== y) return Number.NaN;
  if (y === 1) return x;
  if (y === 2) return x * x;
  if (y === -1) return 1 / x;
  const size = x < 0 ? -x : x;
  if (y === Infinity || y === -Infinity) {
    if (size === 1) return Number.NaN;
    return size > 1 === y > 0 ? Infinity : 0;
  }
  const whole = Math.floor(y) === y;
  const odd = whole && y % 2 !== 0;
  const negative = odd && (x < 0 || Object.is(x, -0));
  if (size === 0) return negative ? (y > 0 ? -0 : -Infinity) : y > 0 ? 0 : Infinity;
  if (x < 0 && !whole && x !== -Infinity) return Number.NaN;
  const value = size === 1 ? 1 : exp(y * log(size));
  return negative ? -value : value;
}

/** Sine of x radians, for |x| below 2^20·π/2; NaN beyond. */
export function sin(x: number): number {
  if (x > -7.450580596923828e-9 && x < 7.450580596923828e-9) return x;
  const { quadrant, rest, tail } = reduced(x);
  const value = quadrant & 1 ? cosKernel(rest, tail) : sinKernel(rest, tail);
  return quadrant & 2 ? -value : value;
}

/** Cosine of x radians, for |x| below 2^20·π/2; NaN beyond. */
export function cos(x: number): number {
  const { quadrant, rest, tail } = reduced(x);
  const value = quadrant & 1 ? sinKernel(rest, tail) : cosKernel(rest, tail);
  return (quadrant + 1) & 2 ? -value : value;
}

/** sin(x + tail) on |x| ≤ π/4 (fdlibm k_sin.c). */
function sinKernel(x: number, tail: number): number {
  const z = x * x;
  const v = z * x;
  const r =
    8.33333333332248946124e-3 +
    z *
      (-1.98412698298579493134e-4 +
        z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  const first = -1.66666666666666324348e-1;
  return tail === 0 ? x + v * (first + z * r) : x - (z * (0.5 * tail - v * r) - tail - v * first);
}

/** cos(x + tail) on |x| ≤ π/4 (k_cos.c, in the form of FreeBSD's revision, which saves the table of cut-offs). */
function cosKernel(x: number, tail: number): number {
  const z = x * x;
  const w = z * z;
  const r =
    z * (4.16666666666666019037e-2 + z * (-1.38888888888741095749e-3 + z * 2.48015872894767294178e-5)) +
    w * w * (-2.75573143513906633035e-7 + z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11));
  const half = 0.5 * z;
  const one = 1 - half;
  return one + (1 - one - half + (z * r - x * tail));
}

/**
 * x − n·π/2, as an unevaluated sum rest + tail of at most π/4 (a little more at the border), and n modulo 4. Below π/4 nothing is done; up
 * to 2^20·π/2, Cody and Waite's subtraction of π/2 in three parts of 33 bits, each taken only when the one before cancelled too much
 * (e_rem_pio2.c). The engines have angles up to 2π; beyond 2^20·π/2 there is no value.
 */
function reduced(x: number) {
  const size = x < 0 ? -x : x;
  if (size <= 0.7853981633974483) return { quadrant: 0, rest: x, tail: 0 };
  if (!(size < 1_647_099)) return { quadrant: 0, rest: Number.NaN, tail: 0 };
  const found = codyWaite(size);
  return x < 0 ? { quadrant: -found.quadrant & 3, rest: -found.rest, tail: -found.tail } : found;
}

const exponent = (x: number): number => (highWord(x) >>> 20) & 0x7ff;

function codyWaite(x: number) {
  const n = Math.floor(x * 6.36619772367581382433e-1 + 0.5);
  let r = x - n * 1.57079632673412561417;
  let w = n * 6.07710050650619224932e-11;
  let rest = r - w;
  const top = exponent(x);
  if (top - exponent(rest) > 16) {
    const t = r;
    w = n * 6.0771005063039659766e-11;
    r = t - w;
    w = n * 2.02226624879595063154e-21 - (t - r - w);
    rest = r - w;
    if (top - exponent(rest) > 49) {
      const u = r;
      w = n * 2.0222662487111664558e-21;
      r = u - w;
      w = n * 8.47842766036889956997e-32 - (u - r - w);
      rest = r - w;
    }
  }
  return { quadrant: n & 3, rest, tail: r - rest - w };
}
