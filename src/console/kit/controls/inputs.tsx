/** Fields that narrow a list: a text that takes effect once typing pauses, and the two days of a period. */
import type { RefObject } from 'preact';
import { useId, useEffect, useRef, useState } from 'preact/hooks';

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

/** Fields whose text takes effect once typing pauses. */
const typing_delay_ms = 250;

/**
 * @param q the text that is in effect
 * @param arrive called with the text of the field after a pause
 */
function useTyped(q: string, arrive: (q: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const newest = useRef(arrive);
  newest.current = arrive;
  const waits = (): boolean => timer.current !== null;
  const forget = (): void => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  };
  useEffect(() => {
    if (!waits()) setTyped(q);
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
