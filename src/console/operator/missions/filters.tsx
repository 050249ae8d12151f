/** What narrows the list: its place is the address, so that a filtered list can be kept and sent. */
import { useRef } from 'preact/hooks';
import { search_chars_max, actor_chars_max } from '../../../base/limits.js';
import { kinds } from '../../../codec/kinds.js';
import { type MissionSort, missionSorts, type MissionState, missionStates, type SortOrder } from '../../../codec/record.js';
import { dayBegins } from '../../kit/address.js';
import { FilterForm, Period, Select, TextFilter } from '../../kit/controls/inputs.js';
import { Counts } from '../../kit/controls/tables.js';
import { useKindWords } from '../kinds/table.js';
import { type Filters as MissionFilters, hrefOf, noFilters } from '../session/route.js';
import { replaceRoute, useRights, useSearchWish, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

/** The number of missions in each state, each linked to them. */
export function StateCounts({ filters }: { readonly filters: MissionFilters }) {
  const { t, f } = useWords();
  const { counts } = useSession().status;
  const { review } = useRights();
  const all = missionStates.reduce((sum, state) => sum + counts[state], 0);
  const item = (state: MissionState | null) => ({
    href: hrefOf({ page: 'missions', filters: { ...filters, needs: null, state, cursor: null } }),
    isCurrent: filters.needs === null && filters.state === state,
    text: (
      <>
        <strong>{f.number(state === null ? all : counts[state])}</strong> {state === null ? t.list.all : t.states[state]}
      </>
    ),
  });
  const mine = {
    href: hrefOf({ page: 'missions', filters: { ...filters, needs: 'me', state: null, order: 'asc', sort: null, cursor: null } }),
    isCurrent: filters.needs === 'me',
    text: t.list.needsMe,
  };
  return <Counts label={t.list.counts} items={[...[null, ...missionStates].map(item), ...(review ? [mine] : [])]} />;
}

export function FilterBar({ filters }: { readonly filters: MissionFilters }) {
  const { t } = useWords();
  const kindWords = useKindWords();
  const search = useRef<HTMLInputElement>(null);
  useSearchWish(search);
  const go = (changed: MissionFilters): void => replaceRoute({ page: 'missions', filters: changed });
  const change = (part: Partial<MissionFilters>): void => go({ ...filters, ...part, cursor: null });
  return (
    <FilterForm
      label={t.list.filters}
      isFiltered={isFiltered(filters) || filters.sort !== null || filters.order !== null}
      clearText={t.list.clear}
      clear={() => go(noFilters)}
    >
      <TextFilter
        isSearch
        field={search}
        label={t.list.search}
        hint={t.list.searchHint}
        value={filters.q}
        chars_max={search_chars_max}
        change={(q) => change({ q })}
      />
      <div>
        <Select
          label={t.list.kind}
          options={[['', t.list.all] as const, ...kinds.map((each) => [each, kindWords(each).name] as const)]}
          value={filters.kind ?? ''}
          choose={(kind) => change({ kind: kind || null })}
        />
      </div>
      <TextFilter
        label={t.list.actor}
        hint={t.list.actorHint}
        value={filters.actor}
        chars_max={actor_chars_max}
        change={(actor) => change({ actor })}
      />
      <Period value={filters} change={change} labels={[t.list.since, t.list.until]} />
      <SortField filters={filters} change={go} />
    </FilterForm>
  );
}

const usual = (sort: MissionSort): SortOrder => (sort === 'changed' ? 'desc' : 'asc');
const opposite: Readonly<Record<SortOrder, SortOrder>> = { asc: 'desc', desc: 'asc' };

/** Returns the filters with another order; the usual one is left out of the address. */
const sortedBy = (filters: MissionFilters, sort: MissionSort, order: SortOrder): MissionFilters => ({
  ...filters,
  sort: sort === 'changed' ? null : sort,
  order: order === usual(sort) ? null : order,
  cursor: null,
});

type HeadProps = { readonly filters: MissionFilters; readonly sort: MissionSort; readonly label: string };

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
        <span aria-hidden="true">{isMine ? (order === 'asc' ? ' ▲' : ' ▼') : ''}</span>
      </a>
    </th>
  );
}

type FieldProps = { readonly filters: MissionFilters; readonly change: (filters: MissionFilters) => void };

/** The order of the list, for screens where its table has no heads. */
function SortField({ filters, change }: FieldProps) {
  const { t } = useWords();
  const sort = filters.sort ?? 'changed';
  const choices = missionSorts.flatMap((each) => [usual(each), opposite[usual(each)]].map((order) => [each, order] as const));
  const pick = (value: string): void => {
    const found = choices.find((each) => each.join(' ') === value);
    if (found !== undefined) change(sortedBy(filters, ...found));
  };
  return (
    <div class="sort-field">
      <Select
        label={t.list.sort}
        options={choices.map(([each, order]) => [`${each} ${order}`, t.list.orders[each][order]] as const)}
        value={`${sort} ${filters.order ?? usual(sort)}`}
        choose={pick}
      />
    </div>
  );
}

/** Returns the members of the query. Days of the address are the reader's, moments of the query are in UTC; `until` is a whole day. */
export const queryOf = ({ since, until, ...rest }: MissionFilters): Readonly<Record<string, string | null>> => ({
  ...rest,
  since: dayBegins(since),
  until: dayBegins(until, 1),
});

/** What the list shows is only a part of all missions. */
export const isFiltered = ({ sort: _sort, order: _order, ...filters }: MissionFilters): boolean =>
  Object.entries(filters).some(([name, value]) => value !== noFilters[name as keyof typeof filters]);
