/** The numbers of a JSON text: where each ends, whether it is in range, and which are negative zeros. */

export interface NumberOptions {
  /** Integers of 2^53 and more: `refuse` (the default, for JSON from outside) or `round` (foreign text that is only hashed). */
  readonly bigIntegers?: 'refuse' | 'round';
  /** Numbers that no double holds: `refuse` (the default), or `infinite`, for a codec that tells where one stands that is not finite. */
  readonly overflow?: 'refuse' | 'infinite';
}

const [minus, plus, point, zero, nine, lowerE] = [45, 43, 46, 48, 57, 101];
/** 2^53: an integer of fewer digits is never refused. */
const first_unsafe = '9007199254740992';
const safe_digits_max = first_unsafe.length - 1;
/** A number below 10^308 is finite. */
const finite_digits_max = 308;
/** A number of which the last digit counts more than this power of ten does not become zero. */
const nonzero_exponent_min = -300;
const exponent_max = 1e6;
const powers = Float64Array.from({ length: 2 * finite_digits_max + 1 }, (_, i) => Number(`1e${i - finite_digits_max}`));

const isDigit = (unit: number | undefined): boolean => unit !== undefined && unit >= zero && unit <= nine;

export class JsonNumbers {
  /** Why `end` returned -1. */
  reason = '';
  /** Whether the last number is a negative zero. */
  isNegativeZero = false;
  /** A number with no more digits before the point, the exponent added, is in range. */
  private readonly digits_max: number;
  /** A number that is below this by an estimate is in range. */
  private readonly estimate_max: number;

  constructor(
    private readonly text: string,
    private readonly units: Uint16Array,
    private readonly options: NumberOptions,
  ) {
    const isRounding = options.bigIntegers === 'round';
    this.digits_max = isRounding ? finite_digits_max : safe_digits_max;
    this.estimate_max = isRounding ? 1.7e308 : 9e15;
  }

  /** Returns where the number ends that begins at `at`, or -1 when it is none or out of range. */
  end(at: number): number {
    const { units } = this;
    const start = units[at] === minus ? at + 1 : at;
    this.isNegativeZero = false;
    let end = start;
    if (units[end] === zero) end++;
    else while (isDigit(units[end])) end++;
    const digits = end - start;
    if (digits === 0) return this.refuse('expected a value');
    const next = units[end] ?? 0;
    if (next === point || (next | 32) === lowerE) return this.realEnd(at, start, end);
    if (start > at && units[start] === zero) this.isNegativeZero = true;
    if (digits <= this.digits_max || (digits === first_unsafe.length && this.isSafe(start))) return end;
    return this.judge(at, end);
  }

  /** Returns whether the integer with as many digits as 2^53 is less. */
  private isSafe(start: number): boolean {
    for (let i = 0; i < first_unsafe.length; i++) {
      const difference = (this.units[start + i] ?? 0) - first_unsafe.charCodeAt(i);
      if (difference !== 0) return difference < 0;
    }
    return false;
  }

  /** Returns the end of a number with a fraction or an exponent. @param start its first digit @param wholeEnd after the digits before the point */
  private realEnd(at: number, start: number, wholeEnd: number): number {
    const { units } = this;
    let end = wholeEnd;
    // A point without digits after it does not belong to the number, and neither does an `e`.
    if (units[end] === point && isDigit(units[end + 1])) for (end += 2; isDigit(units[end]); end++);
    const mantissaEnd = end;
    let exponent = 0;
    if (((units[end] ?? 0) | 32) === lowerE) {
      const sign = units[end + 1];
      let i = sign === minus || sign === plus ? end + 2 : end + 1;
      if (isDigit(units[i])) {
        for (; units[i] === zero; i++);
        for (; exponent < exponent_max && isDigit(units[i]); i++) exponent = exponent * 10 + (units[i] ?? 0) - zero;
        while (isDigit(units[i])) i++;
        end = i;
        if (sign === minus) exponent = -exponent;
      }
    }
    if (start > at && this.isZero(start, mantissaEnd, exponent - (mantissaEnd - wholeEnd), end)) this.isNegativeZero = true;
    if (wholeEnd - start + exponent <= this.digits_max || this.isSmall(start, wholeEnd, mantissaEnd, exponent)) return end;
    return this.judge(at, end);
  }

  /** @param lastExponent the power of ten that the last digit counts, or one less */
  private isZero(start: number, mantissaEnd: number, lastExponent: number, end: number): boolean {
    let i = start;
    while (i < mantissaEnd && (this.units[i] === zero || this.units[i] === point)) i++;
    return i === mantissaEnd || (lastExponent < nonzero_exponent_min && Number(this.text.slice(start, end)) === 0);
  }

  /** Returns whether a number is in range by an estimate, which saves most numbers with an exponent a second conversion. */
  private isSmall(start: number, wholeEnd: number, mantissaEnd: number, exponent: number): boolean {
    let mantissa = 0;
    for (let i = start; i < mantissaEnd; i++) {
      if (i !== wholeEnd) mantissa = mantissa * 10 + (this.units[i] ?? 0) - zero;
    }
    const fractionDigits = Math.max(0, mantissaEnd - wholeEnd - 1);
    const place = exponent - fractionDigits + finite_digits_max;
    if (mantissa === 0 || place < 0 || place >= powers.length) return mantissa === 0;
    return mantissa * (powers[place] ?? Number.NaN) < this.estimate_max;
  }

  private judge(at: number, end: number): number {
    const value = Number(this.text.slice(at, end));
    const { bigIntegers = 'refuse', overflow = 'refuse' } = this.options;
    if (overflow === 'refuse' && !Number.isFinite(value)) return this.refuse('number out of range');
    if (bigIntegers === 'refuse' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return this.refuse('integer beyond 2^53 - 1; write it as a string');
    }
    return end;
  }

  private refuse(reason: string): number {
    this.reason = reason;
    return -1;
  }
}
