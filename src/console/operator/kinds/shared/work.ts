/** The work of each kind as its form edits it: which members there are, and which words they need. */
import type { Fields } from '../../../../codec/field.js';
import type { Kind } from '../../../../codec/kinds.js';
import { ListType, ObjectType } from '../../../../codec/kit.js';
import { workCodec } from '../../../../kinds/request.js';
import type { Work } from '../../../../kinds/works.js';
import type { MemberWords } from '../../../kit/forms/labels.js';
import { valueCodec } from '../../../kit/forms/values.js';

export type WorkOf<K extends Kind> = Extract<Work, { readonly kind: K }>;
/** Members that the form has no fields for: the kind, and what only files give. */
const unasked = ['kind', 'machines', 'blocks', 'file'] as const;
type Unasked = (typeof unasked)[number];
/** The members of a kind's work that its form has. */
type MemberOf<K extends Kind> = Exclude<keyof WorkOf<K>, Unasked> & string;
type ValueOf<K extends Kind, M extends MemberOf<K>> = NonNullable<WorkOf<K>[M]>;

/** A list of things that have an id is edited row by row, each member of a row as a text. */
type Listed = readonly { readonly id: string }[];

/** The members that are typed as a text of their own, whatever their codec. */
type TextMembers = { readonly schedule: 'calendar'; readonly forecast: 'regressors' };
type TextOf<K extends Kind> = K extends keyof TextMembers ? TextMembers[K] : never;

type Titled = { readonly label: string; readonly hint?: string };

/** The words of a member of a row, which may be a list of things itself. */
type RowMemberWords<V> = [V] extends [readonly (infer T extends object)[]]
  ? { readonly label: string; readonly one: string; readonly members: { readonly [M in keyof T & string]-?: MemberWords } }
  : MemberWords<V>;

interface RowsWords<R> extends Titled {
  /** The noun for one row. */
  readonly one: string;
  readonly members: { readonly [M in Exclude<keyof R & string, Unasked>]-?: RowMemberWords<NonNullable<R[M]>> };
}

interface GroupWords<V> extends Titled {
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
  readonly fields: { readonly [M in MemberOf<K>]-?: M extends TextOf<K> ? MemberWords : WordsOf<ValueOf<K, M>> };
  /** What else its form and its result say. */
  readonly form?: object;
  readonly result: object;
}

type Field = Fields[string];

/** The members of what a member is, or of what it lists. */
type InnerOf<V> = (V extends readonly (infer T)[] ? keyof T : keyof V) & string;

const asked = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => unasked.every((each) => each !== name)));

/** Returns the codec's members of a kind's work that the form has. */
export function workFields<K extends Kind>(kind: K): Readonly<Record<MemberOf<K>, Field>> {
  const codec = workCodec.variants[kind];
  if (!(codec instanceof ObjectType)) throw new Error(`the work of kind ${kind} is not an object`);
  return asked(codec.fields as Fields);
}

export const isList = (field: Field): boolean => valueCodec(field) instanceof ListType;

/** Returns the codec's members of a member that is an object, or of what it lists; null for any other. */
export function innerFields(field: Field): Fields | null {
  const codec = valueCodec(field);
  const inner: unknown = codec instanceof ListType ? codec.item : codec;
  return inner instanceof ObjectType ? asked(inner.fields as Fields) : null;
}

/** Returns those of a member of a kind. */
export const fieldsOf = <K extends Kind, M extends MemberOf<K>>(
  kind: K,
  member: M,
): Readonly<Record<InnerOf<ValueOf<K, M>>, Field>> =>
  innerFields(workFields(kind)[member]) as Readonly<Record<InnerOf<ValueOf<K, M>>, Field>>;

/** Returns the members that are plain fields of the form, in the codec's order: all but those that have an editor of their own. */
export const plainMembers = <K extends Kind>(kind: K, ...special: readonly MemberOf<K>[]): readonly string[] =>
  Object.keys(workFields(kind)).filter((name) => special.every((each) => each !== name));

/** Settings of the search, which not every engine uses. */
export const searchMembers = ['effort', 'seed', 'population', 'generations'] as const;
export type SearchMember = (typeof searchMembers)[number];
