/** Fields that know their path in the mission file and show the faults there. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { hiddenIn } from '../../../base/shown.js';
import type { FieldError } from '../../../base/refusal.js';
import type { Fields } from '../../../codec/field.js';
import { ChoiceType, flag, NumberType } from '../../../codec/kit.js';
import { Button } from '../controls/inputs.js';
import { useText } from '../text/context.js';
import { type AnyWords, entryName, fieldFor, isWithin, labelOf, type Labels } from './labels.js';
import { defaultText, isOptional, valueCodec } from './values.js';

export const FaultsContext = createContext<readonly FieldError[]>([]);
/** The words of the form, by which faults are named. */
export const LabelsContext = createContext<Labels>({});
/** The row that a field is part of, such as "Item 1"; null outside of rows. */
const RowContext = createContext<string | null>(null);

/** Returns the name of a path, as the form's words say it. */
function useLabel(): (path: string) => string {
  const labels = useContext(LabelsContext);
  return (path) => labelOf(path, labels);
}

interface FieldProps {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly hint?: string | undefined;
  /** What the page understood of the value. */
  readonly read?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Lines of a text area; a single line without it. */
  readonly rows?: number | undefined;
  readonly numeric?: boolean;
  readonly mono?: boolean | undefined;
  readonly options?: readonly (readonly [value: string, label: string])[] | undefined;
}

export function Field(props: FieldProps) {
  const { path, label, hint, read, value } = props;
  const { k } = useText();
  const hidden = hiddenIn(value);
  const faults = useContext(FaultsContext).filter((fault) => isWithin(fault.path, path));
  const id = useId();
  const row = useContext(RowContext);
  const nameOf = useLabel();
  return (
    <div class={`field ${faults.length > 0 ? 'field-bad' : ''}`}>
      <label for={id}>
        {row !== null && <span class="sr-only">{row}, </span>}
        {label}
      </label>
      <Control {...props} id={id} bad={faults.length > 0} />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="help">
          {hint}
        </p>
      )}
      {read !== undefined && (
        <p id={`${id}-read`} class="help read">
          {read}
        </p>
      )}
      {hidden.length > 0 && (
        <p class="help" role="status">
          {k.hidden(hidden.join(', '))}
        </p>
      )}
      <div id={`${id}-fault`} class="field-error">
        {faults.map((fault) => (
          <p key={fault.path + fault.message}>
            {fault.path !== path && nameOf(fault.path) + k.colon}
            <span lang="en">{fault.message}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

function Control({ id, bad, ...props }: FieldProps & { readonly id: string; readonly bad: boolean }) {
  const { path, value, set, placeholder, rows, numeric, mono, options, hint, read } = props;
  const shared = {
    id,
    value,
    'data-path': path,
    'aria-invalid': bad,
    'aria-describedby': `${hint === undefined ? '' : `${id}-hint `}${read === undefined ? '' : `${id}-read `}${id}-fault`,
    class: mono === true ? 'mono' : '',
  };
  if (options !== undefined)
    return (
      <select {...shared} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    );
  if (rows !== undefined)
    return <textarea {...shared} rows={rows} placeholder={placeholder} onInput={(event) => set(event.currentTarget.value)} />;
  return (
    <input
      {...shared}
      type="text"
      inputMode={numeric === true ? 'decimal' : 'text'}
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
}

/** Faults of a list or a table itself, as that it is empty or too long. */
export const WholeFaults = ({ messages }: { readonly messages: readonly string[] }) => (
  <div class="field-error" lang="en">
    {messages.map((message) => (
      <p key={message}>{message}</p>
    ))}
  </div>
);

interface RowsProps<T> {
  readonly path: string;
  readonly title: string;
  readonly what: string;
  readonly rows: readonly T[];
  readonly set: (rows: readonly T[]) => void;
  readonly empty: T;
  readonly children: (row: T, change: (part: Partial<T>) => void, path: string) => ComponentChildren;
}

/** A list of like parts, each with a button that removes it. */
export function Rows<T extends object>({ path, title, what, rows, set, empty, children }: RowsProps<T>) {
  const { k } = useText();
  const faults = useContext(FaultsContext).filter((fault) => fault.path === path);
  return (
    <fieldset class="rows">
      <legend>{title}</legend>
      <WholeFaults messages={faults.map(({ message }) => message)} />
      {rows.map((row, i) => (
        <div class="row" role="group" aria-label={entryName(what, i)} key={i}>
          <p class="row-title fine" aria-hidden="true">
            {entryName(what, i)}
          </p>
          <RowContext.Provider value={entryName(what, i)}>
            {children(row, (part) => set(rows.with(i, { ...row, ...part })), `${path}[${i}]`)}
          </RowContext.Provider>
          <Button
            class="small quiet"
            aria-label={k.rows.removeNth(what, String(i + 1))}
            onClick={() => set(rows.toSpliced(i, 1))}
            text={k.rows.remove}
          />
        </div>
      ))}
      <Button class="small" onClick={() => set([...rows, empty])} text={<>+ {k.rows.add + k.colon + what}</>} />
    </fieldset>
  );
}

interface MemberProps extends Partial<Pick<FieldProps, 'rows' | 'mono' | 'read' | 'placeholder'>> {
  readonly field: Fields[string];
  readonly path: string;
  readonly words: AnyWords;
  readonly value: string;
  readonly set: (value: string) => void;
  /** A choice that leaves the member out. */
  readonly blank?: string | undefined;
}

/** A member of a request as a field: the kind of input, its choices and what a blank means follow from the codec. */
export function Member({ field, path, words, value, set, blank = words.blank, ...more }: MemberProps) {
  const { k } = useText();
  const { label, hint, options = {} } = words;
  const placeholder = more.placeholder ?? defaultText(field);
  const codec = valueCodec(field);
  // A flag that is left out is false.
  const choices = codec === flag ? ['true'] : codec instanceof ChoiceType ? codec.choices.map(String) : undefined;
  const none = codec === flag ? options['false'] : blank;
  const first = none === undefined ? [] : [['', none] as const];
  return (
    <Field
      {...more}
      path={path}
      label={isOptional(field) ? `${label} (${k.rows.optional})` : label}
      value={value}
      set={set}
      numeric={codec instanceof NumberType}
      hint={hint}
      placeholder={placeholder}
      options={choices && [...first, ...choices.map((each) => [each, options[each] ?? each] as const)]}
    />
  );
}

interface MembersProps<N extends string> {
  readonly names: readonly N[];
  readonly fields: Readonly<Record<N, Fields[string]>>;
  /** The path of what the members belong to, with a point at its end; empty for the request itself. */
  readonly within: string;
  readonly words: Readonly<Record<N, AnyWords>>;
  readonly texts: Readonly<Record<N, string>>;
  readonly set: (part: { readonly [M in N]?: string }) => void;
  /** What a field has beside: what the page read of its text, another placeholder, a choice that leaves it out, or several lines. */
  readonly more?: (name: N, text: string) => Pick<MemberProps, 'read' | 'placeholder' | 'blank' | 'rows' | 'mono'>;
  /** Each field takes the whole width. */
  readonly isStacked?: boolean;
}

/** Members beside each other, as wide as there is room. */
export function Members<N extends string>({ names, isStacked = false, ...props }: MembersProps<N>) {
  const { fields, within, words, texts, set, more } = props;
  const all = names.map((name) => (
    <Member
      key={name}
      field={fields[name]}
      path={`${within}${name}`}
      words={words[name]}
      value={texts[name]}
      set={(text) => set({ [name]: text } as { readonly [M in N]?: string })}
      {...more?.(name, texts[name])}
    />
  ));
  return isStacked ? <>{all}</> : <div class="cells">{all}</div>;
}

/** All faults in one place, each leading to its field. */
function focusField(path: string): void {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-path]')];
  const name = fieldFor(
    path,
    fields.map((field) => field.dataset['path'] ?? ''),
  );
  const field = fields.find((each) => each.dataset['path'] === name);
  field?.closest('details')?.setAttribute('open', '');
  // A table takes the focus to the cell of the path.
  if (field?.dispatchEvent(new CustomEvent('reach', { detail: path, cancelable: true })) === true) field.focus();
}

/** @param round counts the attempts: after each the summary takes the focus */
export function Summary({ faults, round }: { readonly faults: readonly FieldError[]; readonly round: number }) {
  const { k } = useText();
  const nameOf = useLabel();
  const box = useRef<HTMLDivElement>(null);
  const some = faults.length > 0;
  useEffect(() => {
    if (round > 0 && some) box.current?.focus();
  }, [round, some]);
  if (!some) return null;
  return (
    <div class="problem" role="alert" ref={box} tabIndex={-1}>
      <p class="problem-title">
        {k.page.notSent}. {k.problem.errors(faults.length)}
      </p>
      <ul>
        {faults.map(({ path, message }) => (
          <li key={path + message}>
            <Button class="link" onClick={() => focusField(path)} text={nameOf(path) || k.wholeForm} />
            {k.colon}
            <span lang="en">{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
