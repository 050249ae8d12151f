/** A codec that decodes the values of another codec further; its JSON Schema is the other's. */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Result } from '../base/result.js';
import { at, fault } from './faults.js';

export class RefinedType<A, B> extends t.Type<B, unknown, unknown> {
  readonly _tag = 'RefinedType' as const;
  constructor(
    readonly base: t.Type<A, unknown>,
    readonly refine: (value: A) => Result<B>,
  ) {
    super(
      base.name,
      (u): u is B => E.isRight(this.decode(u)),
      (u, c) => {
        const decoded = base.validate(u, c);
        if (E.isLeft(decoded)) return decoded;
        const refined = refine(decoded.right);
        if (E.isRight(refined)) return t.success(refined.right);
        const { detail, errors = [{ path: '', message: detail }] } = refined.left;
        return t.failures(errors.map(({ path, message }) => fault(u, at(c, path, t.unknown, u), message)));
      },
      (b) => b,
    );
  }
}

export const refined = <A, B>(base: t.Type<A, unknown>, refine: (value: A) => Result<B>): RefinedType<A, B> =>
  new RefinedType(base, refine);
