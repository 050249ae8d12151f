/** The work of each kind as its form edits it: which members there are, what a draft of them holds, and which words they need. */
import type { ComponentChildren } from 'preact';
import type { MissionRecord } from '../../../../codec/api-missions.js';
import type { Fields } from '../../../../codec/field.js';
import type { Kind } from '../../../../codec/kinds.js';
import { ListType, ObjectType } from '../../../../codec/kit.js';
import type { InputsOf } from '../../../../kinds/inputs.js';
import { workCodec } from '../../../../kinds/request.js';
import type { Example, Work } from '../../../../kinds/works.js';
import type { MemberWords } from '../../../kit/forms/labels.js';
import { memberValues, valueCodec } from '../../../kit/forms/values.js';
import type { Cells } from '../../../kit/grid/cells.js';

export type WorkOf<K extends Kind> = Extract<Work, { readonly kind: K }>;
/** Members that only files give: the form has no fields for them. */
const fromFiles = ['machines', 'blocks', 'file'] as const;
type FromFiles = (typeof fromFiles)[number];
/** The members of a kind's work that its form has, all but `kind` itself. */
type MemberOf<K extends Kind> = Exclude<keyof WorkOf<K>, 'kind' | FromFiles> & string;
type ValueOf<K extends Kind, M extends MemberOf<K>> = NonNullable<WorkOf<K>[M]>;

/** A list of things that have an id is edited row by row, each member of a row as a text. */
type Listed = readonly { readonly id: string }[];
export type RowOf<R> = { readonly [M in Exclude<keyof R, FromFiles>]-?: string };

/** A member that is an object has a text for each of its own members. */
type DraftMember<V> = V extends Listed
  ? readonly RowOf<V[number]>[]
  : V extends readonly unknown[]
    ? string
    : V extends object
      ? RowOf<V>
      : string;

/** The members that are edited as a table. */
interface TableMembers {
  readonly allocation: 'items';
  readonly schedule: 'jobs';
  readonly forecast: 'observations';
}
type TableOf<K extends Kind> = K extends keyof TableMembers ? TableMembers[K] : never;

/** The members that are typed as a text of their own, whatever their codec. */
interface TextMembers {
  readonly schedule: 'calendar';
  readonly forecast: 'regressors';
}
type TextOf<K extends Kind> = K extends keyof TextMembers ? TextMembers[K] : never;

/** What a form holds: cells for a table, rows for other lists of things, texts for the members of an object, one text for every other member. */
export type DraftOf<K extends Kind> = {
  readonly [M in MemberOf<K>]-?: M extends TableOf<K> ? Cells : M extends TextOf<K> ? string : DraftMember<ValueOf<K, M>>;
};

/** What a draft makes of each member; undefined leaves it out. */
export type ValuesOf<K extends Kind> = { readonly [M in MemberOf<K>]-?: unknown };

/** The words of a member of a row, which may be a list of things itself. */
type RowMemberWords<V> = [V] extends [readonly (infer T extends object)[]]
  ? { readonly label: string; readonly one: string; readonly members: { readonly [M in keyof T & string]-?: MemberWords } }
  : MemberWords<V>;

interface RowsWords<R> {
  readonly label: string;
  /** The noun for one row. */
  readonly one: string;
  readonly members: { readonly [M in Exclude<keyof R & string, FromFiles>]-?: RowMemberWords<NonNullable<R[M]>> };
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
  readonly fields: { readonly [M in MemberOf<K>]-?: M extends TextOf<K> ? MemberWords : WordsOf<ValueOf<K, M>> };
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

/** Returns the members that are plain fields of the form, in the codec's order: all but those that have an editor of their own. */
export const plainMembers = <K extends Kind, S extends MemberOf<K>>(
  kind: K,
  ...special: readonly S[]
): Exclude<MemberOf<K>, S>[] =>
  Object.keys(workFields(kind)).filter((name): name is Exclude<MemberOf<K>, S> =>
    ['kind', ...fromFiles, ...special].every((each) => each !== name),
  );

export interface FormProps<K extends Kind> {
  readonly draft: DraftOf<K>;
  readonly set: (part: Partial<DraftOf<K>>) => void;
}

interface KindDraft<K extends Kind> {
  /** What the form holds at first. */
  readonly empty: DraftOf<K>;
  /** Returns the members of the work that a draft makes. */
  readonly valuesOf: (draft: DraftOf<K>) => ValuesOf<K>;
  /** Returns the draft of a mission file's work. */
  readonly fromWork: (work: Members) => DraftOf<K>;
}

/** What the console has for a kind of mission: its form, and how its input and result are shown. */
export interface KindView<K extends Kind> extends KindDraft<K> {
  readonly example: Example<K>;
  /** The settings of the search that the kind's engine uses. */
  readonly search: readonly SearchMember[];
  readonly Form: (props: FormProps<K>) => ComponentChildren;
  /** Returns the result as people read it; null where it has another shape than this version knows. */
  readonly result: (record: MissionRecord) => ComponentChildren;
  readonly inputs: InputsOf;
  /** Draws the inputs of a kind that shows them in another way than as tables. */
  readonly input?: (record: MissionRecord) => ComponentChildren;
  /** Draws what is recorded of the execution beside the result, also without one. */
  readonly runs?: (record: MissionRecord) => ComponentChildren;
}

/** Settings of the search, which not every engine uses. */
export const searchMembers = ['effort', 'seed', 'population', 'generations'] as const;
export type SearchMember = (typeof searchMembers)[number];

type Members = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** How a member is typed that is not typed as its codec says. */
interface Editor {
  /** @param byCodec what the codec makes of the text */
  readonly read: (text: string, byCodec: unknown) => unknown;
  readonly write?: (value: unknown) => string;
}

type Editors = Readonly<Record<string, Editor>>;

/** How the cells of a table become a member, and back. */
interface TableEditor {
  readonly read: (cells: Cells) => unknown;
  readonly write: (work: Members) => Cells;
}

type TableEditors = Readonly<Record<string, TableEditor>>;

/**
 * Returns the empty draft of a kind's work, and the ways between drafts and works.
 * @param empty an empty draft, whose lists hold an empty row
 * @param editors members that are not typed as their codecs say, by their name
 * @param tables members that are edited as tables, by their name
 */
export const draftFor = <K extends Kind>(
  kind: K,
  empty: DraftOf<K>,
  { editors = {}, tables = {} }: { readonly editors?: Editors; readonly tables?: TableEditors } = {},
): KindDraft<K> => ({
  empty,
  valuesOf: (draft) => valuesOf(kind, draft, editors, tables),
  fromWork: (work) => filled(empty, work, editors, tables),
});

/** Returns what a draft makes of each member; an object whose texts are all blank is left out. */
function valuesOf<K extends Kind>(kind: K, draft: DraftOf<K>, editors: Editors, tables: TableEditors): ValuesOf<K> {
  const made = (fields: Readonly<Record<string, Field>>, texts: Texts): Members => {
    const values = Object.entries(memberValues(fields, texts));
    return Object.fromEntries(values.map(([name, value]) => [name, editors[name]?.read(texts[name] ?? '', value) ?? value]));
  };
  const valueOf = (name: MemberOf<K>, typed: string | Texts | readonly Texts[] | Cells): unknown => {
    const table = tables[name];
    if (table !== undefined) return table.read(typed as Cells);
    if (typeof typed === 'string') return made(workFields(kind), { [name]: typed })[name];
    if (Array.isArray(typed)) return (typed as readonly Texts[]).map((row) => made(rowFields(kind, name), row));
    const texts = typed as Texts;
    return Object.values(texts).every((text) => text.trim() === '') ? undefined : made(groupFields(kind, name), texts);
  };
  const entries = Object.entries<string | Texts | readonly Texts[] | Cells>(draft);
  return Object.fromEntries(entries.map(([name, typed]) => [name, valueOf(name as MemberOf<K>, typed)])) as ValuesOf<K>;
}

/** Returns a member as it would be typed. */
function memberText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  const list = value as readonly unknown[];
  if (list.every((each) => typeof each === 'number')) return list.join(' ');
  if (list.every((each) => typeof each === 'string')) return list.join(', ');
  return `[\n${list.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]`;
}

/** Returns the draft that makes `work`. */
function filled<K extends Kind>(empty: DraftOf<K>, work: Members, editors: Editors, tables: TableEditors): DraftOf<K> {
  const typed = (name: string, value: unknown): string => (editors[name]?.write ?? memberText)(value);
  const texts = (names: object, of: Members): Members =>
    Object.fromEntries(Object.keys(names).map((name) => [name, typed(name, of[name])]));
  const member = (name: string, blank: unknown): unknown => {
    const value = work[name];
    const table = tables[name];
    if (table !== undefined) return table.write(work);
    if (typeof blank !== 'object' || blank === null) return typed(name, value);
    if (!Array.isArray(blank)) return texts(blank, (value ?? {}) as Members);
    return ((value ?? []) as readonly Members[]).map((each) => texts((blank as readonly object[])[0] ?? {}, each));
  };
  return Object.fromEntries(Object.entries(empty).map(([name, blank]) => [name, member(name, blank)])) as DraftOf<K>;
}
