/** The work of each kind as its form edits it: which members there are, what a draft of them holds, and which words they need. */
import type { Fields } from '../../../../codec/field.js';
import { ListType, ObjectType } from '../../../../codec/kit.js';
import type { Kind } from '../../../../codec/kinds.js';
import { workCodec } from '../../../../kinds/request.js';
import type { Work } from '../../../../kinds/works.js';
import { memberValues, valueCodec } from '../../../kit/forms/member-value.js';
import type { MemberWords } from '../../../kit/forms/words.js';

export type WorkOf<K extends Kind> = Extract<Work, { readonly kind: K }>;
/** The members of a kind's work but for `kind` itself. */
type MemberOf<K extends Kind> = Exclude<keyof WorkOf<K>, 'kind'> & string;
type ValueOf<K extends Kind, M extends MemberOf<K>> = NonNullable<WorkOf<K>[M]>;

/** A list of things that have an id is edited row by row, each member of a row as a text. */
type Listed = readonly { readonly id: string }[];
export type RowOf<R> = { readonly [M in keyof R]-?: string };

/** A member that is an object has a text for each of its own members. */
type DraftMember<V> = V extends Listed
  ? readonly RowOf<V[number]>[]
  : V extends readonly unknown[]
    ? string
    : V extends object
      ? RowOf<V>
      : string;

/** What a form holds: rows for lists of things, texts for the members of an object, one text for every other member. */
export type DraftOf<K extends Kind> = { readonly [M in MemberOf<K>]-?: DraftMember<ValueOf<K, M>> };

/** What a draft makes of each member; undefined leaves it out. */
export type ValuesOf<K extends Kind> = { readonly [M in MemberOf<K>]-?: unknown };

interface RowsWords<R> {
  readonly label: string;
  /** The noun for one row. */
  readonly one: string;
  readonly members: { readonly [M in keyof R & string]-?: MemberWords<NonNullable<R[M]>> };
}

interface GroupWords<V> {
  readonly label: string;
  readonly members: { readonly [M in keyof V & string]-?: MemberWords<NonNullable<V[M]>> };
}

type WordsOf<V> = [V] extends [Listed]
  ? RowsWords<V[number]>
  : [V] extends [readonly unknown[]]
    ? MemberWords<V>
    : [V] extends [object]
      ? GroupWords<V>
      : MemberWords<V>;

/** The words that a kind has at least: a member that its form has no words for does not compile. */
export interface KindWords<K extends Kind> {
  readonly name: string;
  /** One sentence beside the name, where a kind is chosen. */
  readonly about: string;
  readonly fields: { readonly [M in MemberOf<K>]-?: WordsOf<ValueOf<K, M>> };
  /** What else its form and its result say. */
  readonly form?: object;
  readonly result: object;
}

type Field = Fields[string];

/** The member of a list's rows, by name. */
type RowMember<K extends Kind, M extends MemberOf<K>> =
  ValueOf<K, M> extends Listed ? keyof ValueOf<K, M>[number] & string : never;

/** Returns the codec's members of a kind's work. */
export function workFields<K extends Kind>(kind: K): Readonly<Record<MemberOf<K>, Field>> {
  const codec = workCodec.variants[kind];
  if (!(codec instanceof ObjectType)) throw new Error(`the work of kind ${kind} is not an object`);
  return codec.fields as Readonly<Record<MemberOf<K>, Field>>;
}

/** Returns the codec's members of a row of a list. */
export function rowFields<K extends Kind, M extends MemberOf<K>>(kind: K, member: M): Readonly<Record<RowMember<K, M>, Field>> {
  const { codec } = workFields(kind)[member];
  if (!(codec instanceof ListType) || !(codec.item instanceof ObjectType))
    throw new Error(`${kind}.${member} is not a list of objects`);
  return codec.item.fields as Readonly<Record<RowMember<K, M>, Field>>;
}

/** Returns the codec's members of a member that is an object. */
export function groupFields<K extends Kind, M extends MemberOf<K>>(
  kind: K,
  member: M,
): Readonly<Record<keyof ValueOf<K, M> & string, Field>> {
  const codec = valueCodec(workFields(kind)[member]);
  if (!(codec instanceof ObjectType)) throw new Error(`${kind}.${member} is not an object`);
  return codec.fields as Readonly<Record<keyof ValueOf<K, M> & string, Field>>;
}

/** Returns what the texts of an object make; undefined leaves the whole object out. */
export function groupValue<K extends Kind, M extends MemberOf<K>>(
  kind: K,
  member: M,
  texts: Readonly<Record<keyof ValueOf<K, M> & string, string>>,
): unknown {
  const isBlank = Object.values<string>(texts).every((text) => text.trim() === '');
  return isBlank ? undefined : memberValues(groupFields(kind, member), texts);
}

/** Returns the members that are plain fields of the form, in the codec's order: all but those that have an editor of their own. */
export const plainMembers = <K extends Kind, S extends MemberOf<K>>(
  kind: K,
  ...special: readonly S[]
): Exclude<MemberOf<K>, S>[] =>
  Object.keys(workFields(kind)).filter(
    (name): name is Exclude<MemberOf<K>, S> => name !== 'kind' && special.every((each) => each !== name),
  );

/** Returns what each row of a list makes of its members. */
export const rowValues = <K extends Kind, M extends MemberOf<K>>(
  kind: K,
  member: M,
  rows: readonly Readonly<Record<RowMember<K, M>, string>>[],
): readonly Readonly<Record<RowMember<K, M>, unknown>>[] => rows.map((row) => memberValues(rowFields(kind, member), row));
