/** The form of a kind as data, what it holds while it is typed, and the ways between that and the work of a mission. */
import type { Fields } from '../../../../codec/field.js';
import type { Kind } from '../../../../codec/kinds.js';
import { memberValues, valueCodec } from '../../../kit/forms/values.js';
import type { Cells, GridColumn, Place } from '../../../kit/grid/cells.js';
import type { Language } from '../../../kit/text/words.js';
import { ListType, ObjectType } from '../../../../codec/kit.js';
import { workCodec } from '../../../../kinds/request.js';
import type { Work } from '../../../../kinds/works.js';
import type { MemberWords } from '../../../kit/forms/labels.js';

export type WorkOf<K extends Kind> = Extract<Work, { readonly kind: K }>;
/** Members that the form has no fields for: the kind, and what only files give. */
const unasked = ['kind', 'machines', 'blocks', 'file'] as const;
type OmittedMember = (typeof unasked)[number];
/** The members of a kind's work that its form has. */
type MemberOf<K extends Kind> = Exclude<keyof WorkOf<K>, OmittedMember> & string;
type ValueOf<K extends Kind, M extends MemberOf<K>> = NonNullable<WorkOf<K>[M]>;

/** A list of things that have an id is edited row by row, each member of a row as a text. */
type RowList = readonly { readonly id: string }[];

/** The members that are typed as a text of their own, whatever their codec. */
type TextMembers = { readonly schedule: 'calendar'; readonly forecast: 'regressors' };
type TextOf<K extends Kind> = K extends keyof TextMembers ? TextMembers[K] : never;

type FieldWords = { readonly label: string; readonly hint?: string };

/** The words of a member of a row, which may be a list of things itself. */
type RowMemberWords<V> = [V] extends [readonly (infer T extends object)[]]
  ? { readonly label: string; readonly one: string; readonly members: { readonly [M in keyof T & string]-?: MemberWords } }
  : MemberWords<V>;

interface RowsWords<R> extends FieldWords {
  /** The noun for one row. */
  readonly one: string;
  readonly members: { readonly [M in Exclude<keyof R & string, OmittedMember>]-?: RowMemberWords<NonNullable<R[M]>> };
}

interface GroupWords<V> extends FieldWords {
  readonly members: { readonly [M in keyof V & string]-?: MemberWords<NonNullable<V[M]>> };
}

type WordsOf<V> = [V] extends [RowList]
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

export type Members = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** What is typed for a member: a text, a text for each member of an object, rows of them for a list of things, or the cells of a table. */
export type DraftValue = string | Texts | readonly Texts[] | Cells;
export type Draft = Readonly<Record<string, DraftValue>>;

/** How a member is typed that is not typed as its codec says. */
interface Editor {
  /** @param byCodec what the codec makes of the text */
  readonly read: (text: string, byCodec: unknown) => unknown;
  readonly write?: (value: unknown) => string;
}

/** A member that is edited as a table. */
export interface TableEditor {
  readonly columns: (language: Language) => readonly GridColumn[];
  readonly read: (cells: Cells) => unknown;
  readonly write: (work: Members) => Cells;
  /** Returns the cell of a path of the mission file; null for the table as a whole. */
  readonly cellOf: (cells: Cells) => (path: string) => Place | null;
  /** What rows are called in place of their numbers, if anything. */
  readonly rowNames?: (
    draft: Draft,
    language: Language,
  ) => { readonly label: string; readonly of: (row: number) => string } | undefined;
}

/** A member by itself, members beside each other, or an object below its title with other members. */
export type FormPart = string | readonly string[] | { readonly group: string; readonly beside: readonly string[] };

interface Layout {
  readonly parts: readonly FormPart[];
  /** What a new form holds that is not blank. */
  readonly first?: Draft;
  readonly editors?: Readonly<Record<string, Editor>>;
  readonly tables?: Readonly<Record<string, TableEditor>>;
  /** The height in lines of each text field that has several. */
  readonly lines?: Readonly<Record<string, number>>;
  /** Texts of several lines are code. */
  readonly isCode?: boolean;
  /** Completes the members of the work. */
  readonly finish?: (values: Members, draft: Draft) => Members;
}

export type KindForm = Readonly<ReturnType<typeof formFor>>;

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

/** Returns the texts of an object; of nothing they are blank. */
export const textsOf = (fields: Fields, of: Members | null = null): Texts =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, memberText(of?.[name])]));

export function formFor(kind: Kind, layout: Layout) {
  const { first = {}, editors = {}, tables = {}, finish = (values) => values } = layout;
  const fields: Fields = workFields(kind);
  const typedOf = ([name, field]: readonly [string, Fields[string]], work: Members): DraftValue => {
    const [of, value] = [name in editors ? null : innerFields(field), work[name]];
    if (tables[name] !== undefined) return tables[name].write(work);
    if (of === null) return (editors[name]?.write ?? memberText)(value);
    return isList(field)
      ? ((value ?? []) as readonly Members[]).map((each) => textsOf(of, each))
      : textsOf(of, (value ?? null) as Members | null);
  };
  const valueOf = (name: string, typed: DraftValue): unknown => {
    if (tables[name] !== undefined) return tables[name].read(typed as Cells);
    const field = fields[name];
    if (field === undefined) return undefined;
    if (typeof typed === 'string') {
      const value = memberValues({ [name]: field }, { [name]: typed })[name];
      return editors[name]?.read(typed, value) ?? value;
    }
    const of = innerFields(field) ?? {};
    if (Array.isArray(typed)) return (typed as readonly Texts[]).map((row) => memberValues(of, row));
    return Object.values(typed as Texts).every((text) => text.trim() === '') ? undefined : memberValues(of, typed as Texts);
  };
  /** Returns the draft of a mission file's work. */
  const fromWork = (work: Members): Draft =>
    Object.fromEntries(Object.entries(fields).map((entry) => [entry[0], typedOf(entry, work)]));
  return {
    ...layout,
    empty: { ...fromWork({}), ...first },
    fromWork,
    /** Returns the members of the work that a draft makes. */
    valuesOf: (draft: Draft): Members =>
      finish(Object.fromEntries(Object.entries(draft).map(([name, typed]) => [name, valueOf(name, typed)])), draft),
  };
}
