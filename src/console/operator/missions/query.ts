/** The filters of the list as the agent takes them: in its query, and as flags of the command. */
import { dayBegins } from '../../kit/address/days.js';
import { noFilters, type Filters } from '../session/route.js';

/** Returns the members of the query. Days of the address are the reader's, moments of the query are in UTC; `until` is a whole day. */
export const queryOf = ({ since, until, ...rest }: Filters): Readonly<Record<string, string | null>> => ({
  ...rest,
  since: dayBegins(since),
  until: dayBegins(until, 1),
});

/** What the list shows is only a part of all missions. */
export const isFiltered = ({ sort: _sort, order: _order, ...filters }: Filters): boolean =>
  Object.entries(filters).some(([name, value]) => value !== noFilters[name as keyof typeof filters]);
