/** Codecs for values that arrive as texts: parameters, query members and header fields. */
import * as t from 'io-ts';

/** A decimal integer within bounds, in its one shortest form; decoded to a number. */
export class IntegerTextType extends t.Type<number, string, unknown> {
  readonly _tag = 'IntegerTextType' as const;
  constructor(
    readonly min: number,
    readonly max: number,
  ) {
    const complaint = `must be an integer from ${min} to ${max}`;
    const inBounds = (value: number): boolean => value >= min && value <= max;
    super(
      'integer',
      (u): u is number => typeof u === 'number' && Number.isSafeInteger(u) && inBounds(u),
      (u, c) => {
        const value = typeof u === 'string' && /^(?:0|-?[1-9][0-9]{0,15})$/.test(u) ? Number(u) : Number.NaN;
        return Number.isSafeInteger(value) && inBounds(value) ? t.success(value) : t.failure(u, c, complaint);
      },
      String,
    );
  }
}

export const integerText = (min: number, max: number): IntegerTextType => new IntegerTextType(min, max);
