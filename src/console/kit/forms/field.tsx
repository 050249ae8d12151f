/** Fields that know their path in the mission file and show the faults there. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { useText } from '../text/context.js';
import { isWithin } from './faults.js';
import { entryName, labelOf, type Labels } from './labels.js';

export const FaultsContext = createContext<readonly FieldError[]>([]);
/** The words of the form, by which faults are named. */
export const LabelsContext = createContext<Labels>({});
/** The row that a field is part of, such as "Item 1"; null outside of rows. */
const RowContext = createContext<string | null>(null);

/** Returns the name of a path, as the form's words say it. */
export function useLabel(): (path: string) => string {
  const labels = useContext(LabelsContext);
  return (path) => labelOf(path, labels);
}

export interface FieldProps {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly hint?: string;
  /** What the page understood of the value. */
  readonly read?: string | undefined;
  readonly placeholder?: string;
  /** Lines of a text area; a single line without it. */
  readonly rows?: number | undefined;
  readonly numeric?: boolean;
  readonly mono?: boolean | undefined;
  readonly options?: readonly (readonly [value: string, label: string])[];
}

export function Field(props: FieldProps) {
  const { path, label, hint, read } = props;
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
      <div id={`${id}-fault`} class="field-error">
        {faults.map((fault) => (
          <p key={fault.path + fault.message}>
            {fault.path !== path && `${nameOf(fault.path)}: `}
            <span lang="en">{fault.message}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

function Control({
  id,
  bad,
  path,
  value,
  set,
  placeholder,
  rows,
  numeric,
  mono,
  options,
  hint,
  read,
}: FieldProps & { id: string; bad: boolean }) {
  const shared = {
    id,
    value,
    'data-path': path,
    'aria-invalid': bad,
    'aria-describedby': `${hint === undefined ? '' : `${id}-hint `}${read === undefined ? '' : `${id}-read `}${id}-fault`,
    class: mono === true ? 'mono-input' : '',
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

/** Faults of the list itself, as that it is empty or too long. */
function ListFaults({ path }: { readonly path: string }) {
  const faults = useContext(FaultsContext).filter((fault) => fault.path === path);
  return (
    <div class="field-error" lang="en">
      {faults.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}

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
  return (
    <fieldset class="rows">
      <legend>{title}</legend>
      <ListFaults path={path} />
      {rows.map((row, i) => (
        <div class="row" role="group" aria-label={entryName(what, i)} key={i}>
          <p class="row-title" aria-hidden="true">
            {entryName(what, i)}
          </p>
          <RowContext.Provider value={entryName(what, i)}>
            {children(row, (part) => set(rows.with(i, { ...row, ...part })), `${path}[${i}]`)}
          </RowContext.Provider>
          <button
            type="button"
            class="small quiet row-remove"
            aria-label={k.rows.removeNth(what, String(i + 1))}
            onClick={() => set(rows.toSpliced(i, 1))}
          >
            {k.rows.remove}
          </button>
        </div>
      ))}
      <button type="button" class="small" onClick={() => set([...rows, empty])}>
        + {k.rows.add}: {what}
      </button>
    </fieldset>
  );
}
