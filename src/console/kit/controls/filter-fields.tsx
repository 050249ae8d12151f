/** Fields that narrow a list: a text that takes effect once typing pauses, and the two days of a period. */
import type { RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { useTyped } from './use-typed.js';

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

interface Days {
  readonly since: string | null;
  readonly until: string | null;
}

interface PeriodProps {
  readonly value: Days;
  readonly change: (part: Partial<Days>) => void;
  readonly labels: readonly [since: string, until: string];
}

export function Period({ value: { since, until }, change, labels }: PeriodProps) {
  const id = useId();
  return (
    <>
      <div>
        <label for={`${id}-since`}>{labels[0]}</label>
        <input
          id={`${id}-since`}
          type="date"
          value={since ?? ''}
          onChange={(event) => change({ since: event.currentTarget.value || null })}
        />
      </div>
      <div>
        <label for={`${id}-until`}>{labels[1]}</label>
        <input
          id={`${id}-until`}
          type="date"
          value={until ?? ''}
          onChange={(event) => change({ until: event.currentTarget.value || null })}
        />
      </div>
    </>
  );
}
