/** The form of a kind as data, what it holds while it is typed, and the ways between that and the work of a mission. */
import type { Fields } from '../../../../codec/field.js';
import type { Kind } from '../../../../codec/kinds.js';
import { memberValues } from '../../../kit/forms/values.js';
import type { Cells, GridColumn, Place } from '../../../kit/grid/cells.js';
import type { Language } from '../../../kit/text/words.js';
import { innerFields, isList, workFields } from './work.js';

export type Members = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** What is typed for a member: a text, a text for each member of an object, rows of them for a list of things, or the cells of a table. */
export type Typed = string | Texts | readonly Texts[] | Cells;
export type Draft = Readonly<Record<string, Typed>>;

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

export interface KindForm extends Layout {
  readonly empty: Draft;
  /** Returns the members of the work that a draft makes. */
  readonly valuesOf: (draft: Draft) => Members;
  /** Returns the draft of a mission file's work. */
  readonly fromWork: (work: Members) => Draft;
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

/** Returns the texts of an object; of nothing they are blank. */
export const textsOf = (fields: Fields, of: Members | null = null): Texts =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, memberText(of?.[name])]));

export function formFor(kind: Kind, layout: Layout): KindForm {
  const { first = {}, editors = {}, tables = {}, finish = (values) => values } = layout;
  const fields: Fields = workFields(kind);
  const typedOf = ([name, field]: readonly [string, Fields[string]], work: Members): Typed => {
    const [of, value] = [name in editors ? null : innerFields(field), work[name]];
    if (tables[name] !== undefined) return tables[name].write(work);
    if (of === null) return (editors[name]?.write ?? memberText)(value);
    return isList(field)
      ? ((value ?? []) as readonly Members[]).map((each) => textsOf(of, each))
      : textsOf(of, (value ?? null) as Members | null);
  };
  const valueOf = (name: string, typed: Typed): unknown => {
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
  const fromWork = (work: Members): Draft =>
    Object.fromEntries(Object.entries(fields).map((entry) => [entry[0], typedOf(entry, work)]));
  return {
    ...layout,
    empty: { ...fromWork({}), ...first },
    fromWork,
    valuesOf: (draft) =>
      finish(Object.fromEntries(Object.entries(draft).map(([name, typed]) => [name, valueOf(name, typed)])), draft),
  };
}
