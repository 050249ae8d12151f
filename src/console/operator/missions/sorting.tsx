/** The order of the list: the heads of its columns, and a field for screens where the table has none. */
import { useId } from 'preact/hooks';
import { missionSorts, type MissionSort, type SortOrder } from '../../../codec/record.js';
import { hrefOf, type Filters } from '../session/route.js';
import { useWords } from '../text/words.js';

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

export function SortField({ filters, change }: FieldProps) {
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
