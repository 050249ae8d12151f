/**
 * The io-ts types from which all codecs are built. Unlike `t.strict` they refuse unknown members, and unlike `t.number` they carry
 * their bounds, so that code that switches on `_tag` can describe them. Decoding fills in defaults and never coerces.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { FieldError, Result } from '../base/refusal.js';
import { append, at, fault, isObject, notAmong, refusalOf, UnknownFault } from './faults.js';
import type { AnyField, Field, Fields, Members } from './field.js';

export const required = <A>(codec: t.Type<A, unknown>): Field<A, 'required'> => ({ codec, kind: 'required' });
export const optional = <A>(codec: t.Type<A, unknown>): Field<A, 'optional'> => ({ codec, kind: 'optional' });
/** A member that decodes to `fallback` when it is absent. */
export const withDefault = <A>(codec: t.Type<A, unknown>, fallback: A): Field<A, 'default'> => ({
  codec,
  kind: 'default',
  fallback,
});
/** The same member with its meaning, for the OpenAPI document. */
export const described = <F extends AnyField>(description: string, field: F): F => ({ ...field, description });

/**
 * A member that version `since` added to a shape that was hashed before. It decodes to `fallback` when it is absent. While it has that
 * value, it is left out of the hashed and exported form (`canonicalOf`), so that earlier hashes do not change.
 */
export const added = <A>(since: string, codec: t.Type<A, unknown>, fallback: A): Field<A, 'default'> => ({
  ...withDefault(codec, fallback),
  since,
});

type AllRequired<F extends Fields> = { readonly [K in keyof F]: Field<t.TypeOf<F[K]['codec']>, 'required'> };

/** The same members, none of them optional: a response fills in every default. */
export const allRequired = <F extends Fields>(fields: F): AllRequired<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, { codec }]) => [name, required(codec)])) as AllRequired<F>;

/** One required member of the same codec for each name. */
export const requiredFor = <K extends string, A>(
  names: readonly K[],
  codec: t.Type<A, unknown>,
): Readonly<Record<K, Field<A, 'required'>>> =>
  Object.fromEntries(names.map((name) => [name, required(codec)])) as Record<K, Field<A, 'required'>>;

/** A type that one predicate decides: the value is accepted unchanged, or refused with the message that `complaint` returns. */
export class CheckedType<A> extends t.Type<A, unknown, unknown> {
  constructor(
    name: string,
    is: (u: unknown) => u is A,
    readonly complaint: (u: unknown) => string,
    faultOf: typeof fault = fault,
  ) {
    super(
      name,
      is,
      (u, c) => (is(u) ? t.success(u) : t.failures([faultOf(u, c, complaint(u))])),
      (a) => a,
    );
  }
}

/** Whether each item passes the test: quicker than a context for each, which matters in a list of a million numbers. */
function isListOf<A>(items: readonly unknown[], is: t.Is<A>): items is readonly A[] {
  for (let i = 0; i < items.length; i++) if (!is(items[i])) return false; // not `every`, which skips holes
  return true;
}

type Rule<A> = (value: A) => readonly FieldError[];

/** A JSON object with these members, and no others unless they are left out or kept as they are. `rules` check the whole decoded object and return errors with paths relative to it. */
export class ObjectType<A, F extends Fields = Fields> extends t.Type<A, unknown, unknown> {
  readonly _tag = 'ObjectType' as const;
  private readonly entries: readonly (readonly [string, AnyField])[];
  constructor(
    name: string,
    readonly fields: F,
    readonly rules: Rule<A>,
    readonly unknownMembers: 'refused' | 'ignored' | 'kept' = 'refused',
    /** What is said of a member that is refused. */
    private readonly unknownText = 'unknown member',
  ) {
    super(
      name,
      (u): u is A => E.isRight(this.decode(u)),
      (u, c) => this.read(u, c),
      (a) => a,
    );
    this.entries = Object.entries(fields);
  }

  private read(u: unknown, c: t.Context): t.Validation<A> {
    if (!isObject(u)) return t.failure(u, c, 'must be an object');
    const errors: t.Errors = [];
    const out: Record<string, unknown> = this.unknownMembers === 'kept' ? { ...u } : {};
    for (const key of this.unknownMembers === 'refused' ? Object.keys(u) : []) {
      if (!Object.hasOwn(this.fields, key))
        errors.push(new UnknownFault(u[key], at(c, key, t.unknown, u[key]), this.unknownText));
    }
    for (const [key, field] of this.entries) {
      const value = Object.hasOwn(u, key) ? u[key] : undefined;
      if (value === undefined) {
        if (field.kind === 'required') errors.push(fault(u, at(c, key, field.codec, undefined), 'required'));
        if (field.kind === 'default') out[key] = field.fallback;
        continue;
      }
      if (field.codec instanceof CheckedType && field.codec.is(value)) {
        out[key] = value; // without a context, which costs more than the test
        continue;
      }
      const decoded = field.codec.validate(value, at(c, key, field.codec, value));
      if (E.isLeft(decoded)) append(errors, decoded.left);
      else out[key] = decoded.right;
    }
    if (errors.length > 0) return t.failures(errors);
    const broken = this.rules(out as A);
    if (broken.length === 0) return t.success(out as A);
    return t.failures(broken.map((e) => fault(u, at(c, e.path, t.unknown, u), e.message)));
  }
}

/** Decodes an object with exactly these members. @example object('Point', { x: required(t.number), label: optional(t.string) }) */
export const object = <F extends Fields>(
  name: string,
  fields: F,
  rules: Rule<Members<F>> = () => [],
  unknownText?: string,
): ObjectType<Members<F>, F> => new ObjectType<Members<F>, F>(name, fields, rules, 'refused', unknownText);

/** An object that may have other members too, which stay as they are. */
export const openObject = <F extends Fields>(name: string, fields: F): ObjectType<Members<F>, F> =>
  new ObjectType<Members<F>, F>(name, fields, () => [], 'kept');

/** One of several objects, distinguished by the value of `tag`. */
export class TaggedType<A> extends t.Type<A, unknown, unknown> {
  readonly _tag = 'TaggedType' as const;
  constructor(
    name: string,
    readonly tag: string,
    readonly variants: Readonly<Record<string, t.Mixed>>,
  ) {
    super(
      name,
      (u): u is A => E.isRight(this.decode(u)),
      (u, c) => {
        if (!isObject(u)) return t.failure(u, c, 'must be an object');
        const value = u[tag];
        const variant = typeof value === 'string' && Object.hasOwn(variants, value) ? variants[value] : undefined;
        if (variant !== undefined) return variant.validate(u, c);
        const message = `must be one of ${Object.keys(variants).join(', ')}`;
        return t.failures([notAmong(value, at(c, tag, t.string, value), message)]);
      },
      (a) => a,
    );
  }
}

export const tagged = <V extends Record<string, t.Mixed>>(
  name: string,
  tag: string,
  variants: V,
): TaggedType<t.TypeOf<V[keyof V]>> => new TaggedType<t.TypeOf<V[keyof V]>>(name, tag, variants);

export class ListType<A> extends t.Type<readonly A[], unknown, unknown> {
  readonly _tag = 'ListType' as const;
  constructor(
    readonly item: t.Type<A, unknown>,
    readonly min: number,
    readonly max: number,
  ) {
    super(
      `${item.name}[]`,
      (u): u is readonly A[] => E.isRight(this.decode(u)),
      (u, c) => {
        if (!Array.isArray(u)) return t.failure(u, c, 'must be an array');
        if (u.length < min || u.length > max) return t.failure(u, c, `must have ${range(min, max)} items, has ${u.length}`);
        if (item instanceof CheckedType && isListOf(u, item.is)) return t.success(u.slice());
        const errors: t.Errors = [];
        const out: A[] = [];
        for (let i = 0; i < u.length; i++) {
          const decoded = item.validate(u[i], at(c, `[${i}]`, item, u[i]));
          if (E.isLeft(decoded)) append(errors, decoded.left);
          else out.push(decoded.right);
        }
        return errors.length > 0 ? t.failures(errors) : t.success(out);
      },
      (a) => a,
    );
  }
}
/** Decodes a list of `min` to `max` items. @example list(choice('low', 'high'), 1, 20) */
export const list = <A>(item: t.Type<A, unknown>, min: number, max: number): ListType<A> => new ListType(item, min, max);

export class NumberType extends CheckedType<number> {
  readonly _tag = 'NumberType' as const;
  constructor(
    readonly min: number,
    readonly max: number,
    readonly integer: boolean,
  ) {
    const bounds = min === -Number.MAX_VALUE ? '' : ` from ${min} to ${max}`;
    const what = `must be ${integer ? 'an integer' : 'a number'}${bounds}`;
    const is = (u: unknown): u is number =>
      typeof u === 'number' && Number.isFinite(u) && (!integer || Number.isSafeInteger(u)) && u >= min && u <= max;
    // As people type it: 200,000 or 25 EUR.
    const isTyped = (u: unknown): boolean => typeof u === 'string' && /\d/.test(u) && Number.isNaN(Number(u));
    super(
      integer ? 'integer' : 'number',
      is,
      (u) => what + (isTyped(u) ? `, in digits ${integer ? '' : 'and a decimal point '}only` : ''),
    );
  }
}
export const integer = (min: number, max: number): NumberType => new NumberType(min, max, true);
export const number = (min: number, max: number): NumberType => new NumberType(min, max, false);

type TextRule = {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** What a text of the pattern is, for people: a complaint says it in place of the pattern. */
  readonly form?: string;
  readonly notBlank?: boolean;
  /** Refuses control characters (Unicode's category Cc), line feeds among them. */
  readonly isLine?: boolean;
};

export class TextType extends CheckedType<string> {
  readonly _tag = 'TextType' as const;
  constructor(readonly rule: TextRule) {
    const { min = 0, max = Number.MAX_SAFE_INTEGER, pattern, form, notBlank = false, isLine = false } = rule;
    const complaint = (u: unknown): string | null => {
      if (typeof u !== 'string') return 'must be a string';
      const length = u.length > max || min > 1 ? [...u].length : u.length; // code points, as in JSON Schema
      if (length < min || length > max) return `must have ${range(min, max)} characters, has ${length}`;
      if (notBlank && u.trim() === '') return 'must not be blank';
      if (isLine && /\p{Cc}/u.test(u)) return 'must not have control characters';
      if (pattern !== undefined && !pattern.test(u))
        return form === undefined ? `must match ${pattern.source}` : `must be ${form}`;
      return null;
    };
    const is = (u: unknown): u is string => complaint(u) === null;
    super('string', is, (u) => complaint(u) ?? 'must be a string');
  }
}
export const text = (rule: TextRule = {}): TextType => new TextType(rule);

export class ChoiceType<A extends string | number | boolean | null> extends CheckedType<A> {
  readonly _tag = 'ChoiceType' as const;
  constructor(readonly choices: readonly A[]) {
    const is = (u: unknown): u is A => choices.some((choice) => choice === u);
    const what = choices.length === 1 ? `must be ${JSON.stringify(choices[0])}` : `must be one of ${choices.join(', ')}`;
    super('choice', is, () => what, notAmong);
  }
}
export const choice = <const A extends readonly (string | number | boolean | null)[]>(...choices: A): ChoiceType<A[number]> =>
  new ChoiceType<A[number]>(choices);

const hasWords = (codec: unknown): codec is ChoiceType<string> =>
  codec instanceof ChoiceType && codec.choices.some((choice) => typeof choice === 'string');

export const flag: ChoiceType<boolean> = new ChoiceType<boolean>([true, false]);

/**
 * Either of two shapes. An object is of the first one if it has the member that tells; where no member does, the first is tried, and when
 * neither matches, the errors are those of the second, or of the first where that is for texts and the value is one. Words that stand for a
 * value are named beside it.
 */
export class EitherType<A, B> extends t.Type<A | B, unknown, unknown> {
  readonly _tag = 'EitherType' as const;
  constructor(
    readonly first: t.Type<A, unknown>,
    readonly second: t.Type<B, unknown>,
    readonly teller: string | null = null,
  ) {
    super(
      `${first.name} or ${second.name}`,
      (u): u is A | B => first.is(u) || second.is(u),
      (u, c) => {
        if (teller !== null && isObject(u)) return (Object.hasOwn(u, teller) ? first : second).validate(u, c);
        // Asked by `is`, which makes no error that nobody would read.
        if (first instanceof CheckedType && first.is(u)) return t.success(u);
        if (typeof u === 'string' && second instanceof CheckedType && !second.is(u) && hasWords(first))
          return t.failure(u, c, `${first.complaint(u)}, or ${second.complaint(u).replace(/^must be /, '')}`);
        if (first instanceof CheckedType) return second.validate(u, c);
        const decoded = first.validate(u, c);
        const other = E.isRight(decoded) ? decoded : second.validate(u, c);
        return E.isLeft(other) && typeof u === first.name ? decoded : other;
      },
      (a) => a,
    );
  }
}
export const either = <A, B>(first: t.Type<A, unknown>, second: t.Type<B, unknown>): EitherType<A, B> =>
  new EitherType(first, second);
/** The first of two objects where a member is given that only it has, else the second. */
export const eitherBy = <A, B>(member: string, first: t.Type<A, unknown>, second: t.Type<B, unknown>): EitherType<A, B> =>
  new EitherType(first, second, member);
export const nullable = <A>(codec: t.Type<A, unknown>): EitherType<null, A> => either(choice(null), codec);

/** A JSON object whose members all have one shape (keys are free). */
export class MapType<A> extends t.Type<Readonly<Record<string, A>>, unknown, unknown> {
  readonly _tag = 'MapType' as const;
  constructor(readonly item: t.Type<A, unknown>) {
    super(
      `Record<string, ${item.name}>`,
      (u): u is Readonly<Record<string, A>> => E.isRight(this.decode(u)),
      (u, c) => {
        if (!isObject(u)) return t.failure(u, c, 'must be an object');
        // Any JSON object is valid: its members need no check.
        if (item.name === 'unknown') return t.success(u as Record<string, A>);
        const errors: t.Errors = [];
        const out: (readonly [string, A])[] = [];
        for (const [key, value] of Object.entries(u)) {
          const decoded = item.validate(value, at(c, key, item, value));
          if (E.isLeft(decoded)) append(errors, decoded.left);
          else out.push([key, decoded.right]);
        }
        return errors.length > 0 ? t.failures(errors) : t.success(Object.fromEntries(out));
      },
      (a) => a,
    );
  }
}
export const mapOf = <A>(item: t.Type<A, unknown>): MapType<A> => new MapType(item);

/**
 * Decodes a value, or returns a refusal with the path and message of every error; input values are never repeated.
 * @example const point = unwrap(decode(pointCodec, JSON.parse(text)));
 */
export function decode<A>(codec: t.Decoder<unknown, A>, value: unknown): Result<A> {
  const decoded = codec.decode(value);
  if (E.isRight(decoded)) return decoded;
  return E.left(refusalOf(decoded.left));
}

const range = (min: number, max: number): string => (max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `${min} to ${max}`);

/** A codec that decodes the values of another codec further; its JSON Schema is the other's. */
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

/** A decimal integer within bounds, in its one shortest form; decoded to a number. */
export class IntegerTextType extends t.Type<number, string, unknown> {
  readonly _tag = 'IntegerTextType' as const;
  constructor(
    readonly min: number,
    readonly max: number,
  ) {
    const inBounds = (value: number): boolean => Number.isSafeInteger(value) && value >= min && value <= max;
    super(
      'integer',
      (u): u is number => typeof u === 'number' && inBounds(u),
      (u, c) => {
        const value = typeof u === 'string' && /^(?:0|-?[1-9][0-9]{0,15})$/.test(u) ? Number(u) : Number.NaN;
        return inBounds(value) ? t.success(value) : t.failure(u, c, `must be an integer from ${min} to ${max}`);
      },
      String,
    );
  }
}

export const integerText = (min: number, max: number): IntegerTextType => new IntegerTextType(min, max);
