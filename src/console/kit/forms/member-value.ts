/** What the texts of a form make of the members of a request. The codec says how each text is read. */
import { defaultOf } from '../../../codec/defaults.js';
import type { Fields } from '../../../codec/field.js';
import { EitherType, ListType, NumberType, TextType } from '../../../codec/kit.js';
import { idsOf, jsonOf, numberOf, numbersOf, textOf } from './values.js';

type Field = Fields[string];

/** Returns the codec of a member's values, without the null that says that there is none. */
export const valueCodec = ({ codec }: Pick<Field, 'codec'>): Field['codec'] =>
  codec instanceof EitherType && codec.first.is(null) ? codec.second : codec;

/** Returns the value that `text` is for a member; undefined leaves the member out, so that the default holds. */
function memberValue({ kind, ...field }: Field, text: string): unknown {
  const codec = valueCodec(field);
  if (codec instanceof NumberType || codec instanceof EitherType) return numberOf(text);
  if (codec instanceof ListType) return listValue(codec, kind === 'required', text);
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
export function defaultText(field: Field): string | undefined {
  const fallback = defaultOf(field);
  if (field.kind !== 'default' || fallback === null || fallback === '') return undefined;
  if (Array.isArray(fallback)) return fallback.length === 0 ? undefined : fallback.join(' ');
  return typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
}

/** Tells whether the member may be left out without a default taking its place. */
export const isOptional = ({ kind, fallback }: Field): boolean =>
  kind === 'optional' ||
  (kind === 'default' && (fallback === '' || fallback === null || (Array.isArray(fallback) && fallback.length === 0)));
