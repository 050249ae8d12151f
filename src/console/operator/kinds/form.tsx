/** The form of a kind, drawn part by part from what its codec, its words and its layout say. */
import { useMemo } from 'preact/hooks';
import type { Fields } from '../../../codec/field.js';
import type { Kind } from '../../../codec/kinds.js';
import { ListType, NumberType } from '../../../codec/kit.js';
import { Members, Rows } from '../../kit/forms/fields.js';
import type { AnyWords } from '../../kit/forms/labels.js';
import { jsonOf, numbersOf } from '../../kit/forms/values.js';
import type { Cells } from '../../kit/grid/cells.js';
import { TableField } from '../../kit/grid/grid.js';
import { useWords } from '../text/words.js';
import { kindViews, useKindWords } from './table.js';
import { type Draft, type FormPart, innerFields, type TableEditor, textsOf, workFields } from './shared/draft.js';

type Texts = Readonly<Record<string, string>>;

interface PartWords extends AnyWords {
  /** The noun for one entry of a list. */
  readonly one?: string;
  readonly members?: Readonly<Record<string, AnyWords>>;
}

type FormProps = { readonly kind: Kind; readonly draft: Draft; readonly set: (part: Draft) => void };

export const WorkForm = (props: FormProps) => (
  <>
    {kindViews[props.kind].form.parts.map((part, i) => (
      <Part key={i} part={part} {...props} />
    ))}
  </>
);

function Part({ part, ...form }: FormProps & { readonly part: FormPart }) {
  const { kind, draft, set } = form;
  const { tables = {} } = kindViews[kind].form;
  const words = useKindWords()(kind).fields as unknown as Readonly<Record<string, PartWords>>;
  const fields: Fields = workFields(kind);
  const more = useMore(kind);
  const own = { fields, within: 'work.', words, texts: draft as Texts, set: (changed: object) => set(changed as Texts) };
  if (typeof part === 'object' && 'group' in part) return <Group {...form} {...part} words={words[part.group]} own={own} />;
  if (typeof part !== 'string') return <Members names={part} {...own} more={more(fields)} />;
  const [field, named, table] = [fields[part], words[part], tables[part]];
  if (field === undefined || named === undefined) return null;
  if (table !== undefined) return <Table {...form} name={part} words={named} table={table} />;
  return Array.isArray(draft[part]) ? (
    <List {...form} name={part} words={named} fields={innerFields(field) ?? {}} />
  ) : (
    <Members isStacked names={[part]} {...own} more={more(fields)} />
  );
}

/** Returns what fields have beside: how they are typed, and of a list of numbers what the page read of it, so that a wrong separator is seen. */
function useMore(kind: Kind) {
  const { t } = useWords();
  const { lines = {}, editors = {}, isCode = false } = kindViews[kind].form;
  const read = (name: string, field: Fields[string] | undefined, text: string): string | undefined => {
    const isJson = isCode && name in editors && text.trim() !== '';
    if (isJson) return Array.isArray(editors[name]?.read(text, jsonOf(text))) ? undefined : t.create.notList;
    const isNumbers = field?.codec instanceof ListType && field.codec.item instanceof NumberType;
    const values = isNumbers ? numbersOf(text) : [];
    const wrong = values.find((value) => typeof value === 'string');
    if (wrong !== undefined) return t.create.notNumber(wrong);
    return values.length === 0 ? undefined : t.create.numbersRead(values.length, String(values[0]), String(values.at(-1)));
  };
  return (fields: Fields) => (name: string, text: string) => ({
    rows: lines[name],
    mono: isCode && name in lines,
    read: read(name, fields[name], text),
  });
}

interface GroupProps extends FormProps {
  readonly group: string;
  readonly beside: readonly string[];
  readonly words: PartWords | undefined;
  readonly own: Omit<Parameters<typeof Members>[0], 'names'>;
}

/** An object below its title, and other members with it. */
function Group({ draft, set, group, beside, words, own }: GroupProps) {
  const { k } = useWords();
  const field = own.fields[group];
  const texts = draft[group] as Texts;
  if (field === undefined || words === undefined) return null;
  return (
    <fieldset class="rows">
      <legend>
        {words.label} ({k.rows.optional})
      </legend>
      <p class="help">{words.hint}</p>
      <Members isStacked names={beside} {...own} />
      <Members
        names={Object.keys(texts)}
        fields={innerFields(field) ?? {}}
        within={`work.${group}.`}
        words={words.members ?? {}}
        texts={texts}
        set={(part) => set({ [group]: { ...texts, ...(part as Texts) } })}
      />
    </fieldset>
  );
}

type NamedProps = FormProps & { readonly name: string; readonly words: PartWords };

function Table({ draft, set, name, words, table }: NamedProps & { readonly table: TableEditor }) {
  const { language } = useWords();
  const rows = draft[name] as Cells;
  const columns = useMemo(() => table.columns(language), [table, language]);
  const cellOf = useMemo(() => table.cellOf(rows), [table, rows]);
  return (
    <>
      <TableField
        title={words.label}
        path={`work.${name}`}
        columns={columns}
        rows={rows}
        set={(cells) => set({ [name]: cells })}
        cellOf={cellOf}
        rowNames={table.rowNames?.(draft, language)}
      />
      <p class="help">{words.hint}</p>
    </>
  );
}

/** Rows of a list of things, whose long texts are below the other members. A new one has the next id. */
function List({ kind, draft, set, name, words, fields }: NamedProps & { readonly fields: Fields }) {
  const { lines = {} } = kindViews[kind].form;
  const more = useMore(kind)(fields);
  const rows = draft[name] as readonly Texts[];
  const noun = words.one ?? '';
  const names = Object.keys(fields);
  return (
    <Rows
      path={`work.${name}`}
      title={words.label}
      what={noun}
      rows={rows}
      set={(changed) => set({ [name]: changed })}
      empty={{ ...textsOf(fields), id: `${name.slice(0, 1)}${rows.length + 1}` }}
    >
      {(texts, change, path) => {
        const own = { fields, within: `${path}.`, words: words.members ?? {}, texts, set: change, more };
        return (
          <>
            <Members names={names.filter((each) => !(each in lines))} {...own} />
            <Members isStacked names={names.filter((each) => each in lines)} {...own} />
          </>
        );
      }}
    </Rows>
  );
}
