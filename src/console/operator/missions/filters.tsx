/** What narrows the list: its place is the address, so that a filtered list can be kept and sent. */
import { useId, useRef, useState } from 'preact/hooks';
import { search_chars_max } from '../../../base/limits.js';
import { actor_chars_max } from '../../../base/listing-limits.js';
import { kinds, type Kind } from '../../../codec/kinds.js';
import { missionStates, missionSorts, type MissionSort, type SortOrder } from '../../../codec/record.js';
import { hrefOf, noFilters, type Filters } from '../session/route.js';
import { useSearchWish, useSession, replaceRoute } from '../session/session.js';
import { useKindWords } from '../kinds/table.js';
import { Period, TextFilter } from '../../kit/controls/inputs.js';
import { useWords } from '../text/words.js';
import { dayBegins } from '../../kit/address.js';

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

/** The order of the list: the heads of its columns, and a field for screens where the table has none. */
const usual = (sort: MissionSort): SortOrder => (sort === 'changed' ? 'desc' : 'asc');
const opposite: Readonly<Record<SortOrder, SortOrder>> = { asc: 'desc', desc: 'asc' };

/** Returns the filters with another order; the usual one is left out of the address. */
function sortedBy(filters: Filters, sort: MissionSort, order: SortOrder): Filters {
  return {
    ...filters,
    sort: sort === 'changed' ? null : sort,
    order: order === usual(sort) ? null : order,
    cursor: null,
  };
}

interface HeadProps {
  readonly filters: Filters;
  readonly sort: MissionSort;
  readonly label: string;
}

/** The head of a column: a link that sorts by it, and the other way round when it does already. */
export function SortHead({ filters, sort, label }: HeadProps) {
  const { t } = useWords();
  const now = filters.sort ?? 'changed';
  const order = filters.order ?? usual(now);
  const isMine = now === sort;
  const next = isMine ? opposite[order] : usual(sort);
  return (
    <th
      scope="col"
      role="columnheader"
      {...(isMine ? { 'aria-sort': order === 'asc' ? ('ascending' as const) : ('descending' as const) } : {})}
    >
      <a class="sort" href={hrefOf({ page: 'missions', filters: sortedBy(filters, sort, next) })} title={t.list.sortBy[next]}>
        {label}
        <span class="sort-mark" aria-hidden="true">
          {isMine ? (order === 'asc' ? '▲' : '▼') : ''}
        </span>
      </a>
    </th>
  );
}

interface FieldProps {
  readonly filters: Filters;
  readonly change: (filters: Filters) => void;
}

function SortField({ filters, change }: FieldProps) {
  const { t } = useWords();
  const id = useId();
  const sort = filters.sort ?? 'changed';
  const choices = missionSorts.flatMap((each) => [usual(each), opposite[usual(each)]].map((order) => [each, order] as const));
  const pick = (value: string): void => {
    const found = choices.find(([each, order]) => `${each} ${order}` === value);
    if (found !== undefined) change(sortedBy(filters, ...found));
  };
  return (
    <div class="sort-field">
      <label for={id}>{t.list.sort}</label>
      <select id={id} value={`${sort} ${filters.order ?? usual(sort)}`} onChange={(event) => pick(event.currentTarget.value)}>
        {choices.map(([each, order]) => (
          <option key={`${each} ${order}`} value={`${each} ${order}`}>
            {t.list.orders[each][order]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Returns the members of the query. Days of the address are the reader's, moments of the query are in UTC; `until` is a whole day. */
export const queryOf = ({ since, until, ...rest }: Filters): Readonly<Record<string, string | null>> => ({
  ...rest,
  since: dayBegins(since),
  until: dayBegins(until, 1),
});

/** What the list shows is only a part of all missions. */
export const isFiltered = ({ sort: _sort, order: _order, ...filters }: Filters): boolean =>
  Object.entries(filters).some(([name, value]) => value !== noFilters[name as keyof typeof filters]);
