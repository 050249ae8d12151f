/** What narrows the list: its place is the address, so that a filtered list can be kept and sent. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { kinds } from '../../../codec/kinds.js';
import { missionStates } from '../../../codec/record.js';
import { hrefOf, noFilters, type Filters } from '../session/route.js';
import { useSession } from '../session/session.js';
import { replaceRoute } from '../session/use-route.js';
import { useKindWords } from '../kinds/use-kind-words.js';
import { useWords } from '../text/words.js';

const typing_delay_ms = 250;

/** The number of missions in each state, each linked to them. */
export function Counts({ filters }: { readonly filters: Filters }) {
  const { t, f } = useWords();
  const { status } = useSession();
  const total = missionStates.reduce((sum, state) => sum + (status.counts[state] ?? 0), 0);
  return (
    <nav aria-label={t.list.counts}>
      <ul class="counts">
        <li>
          <a
            href={hrefOf({ page: 'missions', filters: { ...filters, state: null, cursor: null } })}
            aria-current={filters.state === null ? 'true' : undefined}
          >
            <strong>{f.number(total)}</strong> {t.list.all}
          </a>
        </li>
        {missionStates.map((state) => (
          <li key={state} class={`tone-${state}`}>
            <a
              href={hrefOf({ page: 'missions', filters: { ...filters, state, cursor: null } })}
              aria-current={filters.state === state ? 'true' : undefined}
            >
              <strong>{f.number(status.counts[state] ?? 0)}</strong> {t.states[state]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function FilterBar({ filters }: { readonly filters: Filters }) {
  const { t } = useWords();
  const kindWords = useKindWords();
  const id = useId();
  const change = (part: Partial<Filters>): void =>
    replaceRoute({ page: 'missions', filters: { ...filters, ...part, cursor: null } });
  const [typed, setTyped] = useTyped(filters.q, (q) => change({ q }));
  const { state, kind, q } = filters;
  return (
    <form class="filters" role="search" aria-label={t.list.filters} onSubmit={(event) => event.preventDefault()}>
      <div class="grow">
        <label for={`${id}-q`}>{t.list.search}</label>
        <input
          id={`${id}-q`}
          type="search"
          value={typed}
          placeholder={t.list.searchHint}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <div>
        <label for={`${id}-kind`}>{t.list.kind}</label>
        <select
          id={`${id}-kind`}
          value={kind ?? ''}
          onChange={(event) => change({ kind: kinds.find((each) => each === event.currentTarget.value) ?? null })}
        >
          <option value="">{t.list.all}</option>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {kindWords(each).name}
            </option>
          ))}
        </select>
      </div>
      {(state !== null || kind !== null || q !== '') && (
        <button type="button" onClick={() => (setTyped(''), replaceRoute({ page: 'missions', filters: noFilters }))}>
          {t.list.clear}
        </button>
      )}
    </form>
  );
}

/** The text in the box; it reaches the address once typing pauses. */
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
