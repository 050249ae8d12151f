/** Buttons, choices, and fields that narrow a list. */
import type { ComponentChildren, ComponentProps, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useNewest } from '../load.js';
import { useText } from '../text/context.js';
import { languageNames, languages } from '../text/words.js';

type ButtonProps = Omit<ComponentProps<'button'>, 'children'> & { readonly text: ComponentChildren };

export const Button = ({ text, ...rest }: ButtonProps) => (
  <button type="button" {...rest}>
    {text}
  </button>
);

type LinkProps = { readonly href: string; readonly text: ComponentChildren; readonly class?: string };

/** A link that looks like a button. */
export const ButtonLink = ({ href, text, class: tone = '' }: LinkProps) => (
  <a class={`button ${tone}`.trimEnd()} href={href}>
    {text}
  </a>
);

type FormProps = { readonly submit: () => void; readonly class?: string; readonly children: ComponentChildren };

/** A form that the page sends itself, and whose faults it shows itself. */
export function Form({ submit, class: name, children }: FormProps) {
  const send = (event: Event): void => {
    event.preventDefault();
    submit();
  };
  return (
    <form class={name} onSubmit={send} noValidate>
      {children}
    </form>
  );
}

type CheckProps = { readonly text: string; readonly checked: boolean; readonly set: (checked: boolean) => void };

export const Check = ({ text, checked, set }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => set(event.currentTarget.checked)} /> {text}
  </label>
);

interface NoteProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly value: string;
  readonly set: (value: string) => void;
  /** Blank for none. */
  readonly fault: string;
  readonly onKeyDown?: (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => void;
}

/** The reason that somebody gives for what they do. */
export const NoteField = ({ id, label, hint, rows, value, set, fault, onKeyDown }: NoteProps) => (
  <>
    <label for={id}>{label}</label>
    <textarea
      id={id}
      rows={rows}
      value={value}
      onInput={(event) => set(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      aria-describedby={`${id}-help ${id}-error`}
      aria-invalid={fault !== ''}
    />
    <p id={`${id}-help`} class="help">
      {hint}
    </p>
    <p id={`${id}-error`} class="field-error" role="alert">
      {fault}
    </p>
  </>
);

export type Option<V> = readonly [value: V, name: string];

interface ChoiceProps<V> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly choose: (value: V) => void;
}

/** One of a few values, as buttons beside each other. */
export const Segmented = <V extends string>({ label, options, value, choose }: ChoiceProps<V>) => (
  <div class="segmented" role="group" aria-label={label}>
    {options.map(([each, name]) => (
      <Button key={each} aria-pressed={each === value} onClick={() => choose(each)} text={name} />
    ))}
  </div>
);

/** One of several values, as a menu. */
export function Select<V extends string>({ label, options, value, choose }: ChoiceProps<V>) {
  const id = useId();
  const pick = (text: string): void => {
    const found = options.find(([each]) => each === text);
    if (found !== undefined) choose(found[0]);
  };
  return (
    <>
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => pick(event.currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

interface FiltersProps {
  readonly label: string;
  /** Whether there is something to clear. */
  readonly isFiltered: boolean;
  readonly clearText: string;
  readonly clear: () => void;
  readonly children: ComponentChildren;
}

/** The fields that narrow a list. Other fields take the place of cleared ones, with whatever was still being typed there. */
export function FilterForm({ label, isFiltered, clearText, clear, children }: FiltersProps) {
  const [round, setRound] = useState(0);
  return (
    <form key={round} class="filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
      {isFiltered && <Button onClick={() => (setRound((n) => n + 1), clear())} text={clearText} />}
    </form>
  );
}

interface TextProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly chars_max: number;
  readonly change: (text: string) => void;
  /** Returns what is left of a text that was typed. */
  readonly clean?: (text: string) => string;
  /** The page's main search, to which a key goes. */
  readonly isSearch?: boolean;
  readonly field?: RefObject<HTMLInputElement | null>;
}

/** A text that takes effect once typing pauses. */
export function TextFilter({ label, hint, value, chars_max, change, clean, isSearch = false, field }: TextProps) {
  const id = useId();
  const [typed, setTyped] = useTyped(value, change);
  return (
    <div class={isSearch ? 'grow' : ''}>
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(isSearch ? ({ type: 'search', 'data-search': '' } as const) : ({ type: 'text' } as const))}
        value={typed}
        placeholder={hint}
        maxLength={chars_max}
        autocomplete="off"
        {...(field === undefined ? {} : { ref: field })}
        onInput={({ currentTarget }) => setTyped(clean === undefined ? currentTarget.value : clean(currentTarget.value))}
      />
    </div>
  );
}

const typing_delay_ms = 250;

/**
 * @param q the text that is in effect
 * @param arrive called with the text of the field after a pause
 */
function useTyped(q: string, arrive: (q: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const newest = useNewest(arrive);
  const forget = (): void => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  };
  useEffect(() => {
    if (timer.current === null) setTyped(q);
  }, [q]);
  useEffect(() => forget, []);
  const type = (text: string): void => {
    forget();
    setTyped(text);
    timer.current = setTimeout(() => {
      timer.current = null;
      newest.current(text);
    }, typing_delay_ms);
  };
  return [typed, type];
}

type Days = { readonly since: string | null; readonly until: string | null };

interface PeriodProps {
  readonly value: Days;
  readonly change: (part: Partial<Days>) => void;
  readonly labels: readonly [since: string, until: string];
}

/** The two days of a period. */
export function Period({ value, change, labels }: PeriodProps) {
  const id = useId();
  const ends = [
    ['since', labels[0]],
    ['until', labels[1]],
  ] as const;
  return (
    <>
      {ends.map(([end, label]) => (
        <div key={end}>
          <label for={`${id}-${end}`}>{label}</label>
          <input
            id={`${id}-${end}`}
            type="date"
            value={value[end] ?? ''}
            onChange={(event) => change({ [end]: event.currentTarget.value || null })}
          />
        </div>
      ))}
    </>
  );
}

/** The choice between the languages of the console. */
export function LanguageSwitch() {
  const { k, language, choose } = useText();
  return (
    <div class="segmented" role="group" aria-label={k.language}>
      {languages.map((each) => (
        <button type="button" key={each} lang={each} aria-pressed={each === language} onClick={() => choose(each)}>
          <span aria-hidden="true">{each.toUpperCase()}</span>
          <span class="sr-only">{languageNames[each]}</span>
        </button>
      ))}
    </div>
  );
}
