/** What narrows the list: its place is the address, so that a filtered list can be kept and sent. */
import { useId, useRef, useState } from 'preact/hooks';
import { search_chars_max } from '../../../base/limits.js';
import { actor_chars_max } from '../../../base/listing-limits.js';
import { kinds, type Kind } from '../../../codec/kinds.js';
import { missionStates } from '../../../codec/record.js';
import { hrefOf, noFilters, type Filters } from '../session/route.js';
import { useSearchWish, useSession } from '../session/session.js';
import { replaceRoute } from '../session/use-route.js';
import { useKindWords } from '../kinds/use-kind-words.js';
import { Period, TextFilter } from '../../kit/controls/filter-fields.js';
import { useWords } from '../text/words.js';
import { isFiltered } from './query.js';
import { SortField } from './sorting.js';

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
  const [round, setRound] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  useSearchWish(search);
  const go = (changed: Filters): void => replaceRoute({ page: 'missions', filters: changed });
  const change = (part: Partial<Filters>): void => go({ ...filters, ...part, cursor: null });
  const clear = (): void => {
    setRound((n) => n + 1);
    go(noFilters);
  };
  return (
    // Other fields take the place of the cleared ones, with whatever was still being typed there.
    <form key={round} class="filters" role="search" aria-label={t.list.filters} onSubmit={(event) => event.preventDefault()}>
      <TextFilter
        isSearch
        field={search}
        label={t.list.search}
        hint={t.list.searchHint}
        value={filters.q}
        chars_max={search_chars_max}
        change={(q) => change({ q })}
      />
      <KindField kind={filters.kind} change={change} />
      <TextFilter
        label={t.list.actor}
        hint={t.list.actorHint}
        value={filters.actor}
        chars_max={actor_chars_max}
        change={(actor) => change({ actor })}
      />
      <Period value={filters} change={change} labels={[t.list.since, t.list.until]} />
      <SortField filters={filters} change={go} />
      {(isFiltered(filters) || filters.sort !== null || filters.order !== null) && (
        <button type="button" onClick={clear}>
          {t.list.clear}
        </button>
      )}
    </form>
  );
}

interface KindProps {
  readonly kind: Kind | null;
  readonly change: (part: Partial<Filters>) => void;
}

function KindField({ kind, change }: KindProps) {
  const { t } = useWords();
  const kindWords = useKindWords();
  const id = useId();
  return (
    <div>
      <label for={id}>{t.list.kind}</label>
      <select
        id={id}
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
  );
}
