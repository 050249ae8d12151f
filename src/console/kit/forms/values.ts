/** Reads what is typed into a field as a value of the request. Text of another form stays text, so that the codec names it. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { FieldError } from '../../../base/refusal.js';
import type { Fields } from '../../../codec/field.js';
import { decode, EitherType, flag, ListType, NumberType, TextType } from '../../../codec/kit.js';

/** The words of a text, separated by blanks, commas or semicolons. */
export const words = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');

/** Returns the number if the text is one, undefined if it is blank, else the text unchanged. */
export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(trimmed) && Number.isFinite(value) ? value : trimmed;
}

/** The text, or nothing for a blank. */
export const textOf = (text: string): string | undefined => (text.trim() === '' ? undefined : text);
/** Returns a text or a number as it is typed, and nothing for any other value. */
export const typedText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
/** A list of ids, or nothing for a blank. */
const idsOf = (text: string): readonly string[] | undefined => (text.trim() === '' ? undefined : words(text));

/**
 * The words of a list of numbers. A comma between two digits may be a decimal sign as well as a separator: it separates nothing, and the
 * word that holds it is not a number.
 */
const numberWords = (text: string): string[] => text.split(/(?:[\s;]|(?<!\d),|,(?!\d))+/).filter((word) => word !== '');

/** A list of numbers, as it is sent. */
export const numbersOf = (text: string): readonly (number | string)[] => numberWords(text).map((word) => numberOf(word) ?? word);

/** Returns the JSON value, undefined for a blank, else the text unchanged. */
export function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What the texts of a form make of the members of a request. The codec says how each text is read. */
type Field = Fields[string];

/** Returns the codec of a member's values, without the null that says that there is none. */
export const valueCodec = ({ codec }: Pick<Field, 'codec'>): Field['codec'] =>
  codec instanceof EitherType && codec.first.is(null) ? codec.second : codec;

/** Tells whether the member is a number. */
export const isNumeric = (field: Pick<Field, 'codec'>): boolean => valueCodec(field) instanceof NumberType;

/** Returns the value that `text` is for a member; undefined leaves the member out, so that the default holds. */
function memberValue({ kind, ...field }: Field, text: string): unknown {
  const codec = valueCodec(field);
  if (codec instanceof NumberType || codec instanceof EitherType) return numberOf(text);
  if (codec instanceof ListType) return listValue(codec, kind === 'required', text);
  if (codec === flag) return { true: true, false: false }[text.trim().toLowerCase()] ?? textOf(text);
  return kind === 'required' ? text : textOf(text);
}

function listValue({ item }: ListType<unknown>, isRequired: boolean, text: string): unknown {
  if (item instanceof NumberType) return isRequired || text.trim() !== '' ? numbersOf(text) : undefined;
  return item instanceof TextType ? idsOf(text) : jsonOf(text);
}

/** Returns the values of all `texts`, each by the field of its name. */
export function memberValues<N extends string>(
  fields: Readonly<Record<NoInfer<N>, Field>>,
  texts: Readonly<Record<N, string>>,
): Readonly<Record<N, unknown>> {
  const names = Object.keys(texts) as N[];
  return Object.fromEntries(names.map((name) => [name, memberValue(fields[name], texts[name])])) as Readonly<Record<N, unknown>>;
}

/** Returns what the server takes where the field is left blank, as it would be typed; undefined where that is nothing. */
export function defaultText({ kind, fallback }: Field): string | undefined {
  if (kind !== 'default' || fallback === null || fallback === '') return undefined;
  if (Array.isArray(fallback)) return fallback.length === 0 ? undefined : fallback.join(' ');
  return typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
}

/** Tells whether the member may be left out without a default taking its place. */
export const isOptional = ({ kind, fallback }: Field): boolean =>
  kind === 'optional' ||
  (kind === 'default' && (fallback === '' || fallback === null || (Array.isArray(fallback) && fallback.length === 0)));

export interface FormCheck<A> {
  /** Faults as the agent would name them, in its words. */
  readonly faults: readonly FieldError[];
  /** The request with every default; null if there are faults. */
  readonly value: A | null;
}

/** Checks a request as the agent does. */
export function checked<A>(codec: t.Type<A, unknown>, request: unknown): FormCheck<A> {
  const decoded = decode(codec, request);
  if (E.isRight(decoded)) return { faults: [], value: decoded.right };
  const { errors, detail } = decoded.left;
  return { faults: errors ?? [{ path: '', message: detail }], value: null };
}
