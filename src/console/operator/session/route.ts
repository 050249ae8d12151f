/** The part of the address after `#`: where the operator is. It never contains the token. */
import { type Kind, kinds } from '../../../codec/kinds.js';
import { missionSorts, missionStates, sortOrders } from '../../../codec/record.js';
import { withQuery } from '../../kit/address.js';

export type Filters = Readonly<ReturnType<typeof filtersOf>>;

export type JournalFilters = Readonly<ReturnType<typeof journalFiltersOf>>;

export type Route =
  | { readonly page: 'missions'; readonly filters: Filters }
  | { readonly page: 'mission'; readonly id: string }
  /** `from`: the mission whose request is changed. */
  | { readonly page: 'create'; readonly kind: Kind | null; readonly from?: string }
  | { readonly page: 'journal'; readonly before: number | null; readonly filters: JournalFilters }
  | { readonly page: 'payments'; readonly cursor: string | null }
  | { readonly page: 'approvers' }
  | { readonly page: 'doctor' }
  | { readonly page: 'tools' }
  | { readonly page: 'tool'; readonly id: string }
  | { readonly page: 'unknown'; readonly path: string };

/** The id of a mission, or its beginning of at least 4 characters. */
const missionId = /^(?=.{4,36}$)[0-9a-f]{1,8}(?:-[0-9a-f]{0,4}){0,3}(?:-[0-9a-f]{0,12})?$/;

const oneOf = <A extends string>(all: readonly A[], value: string | null): A | null => all.find((each) => each === value) ?? null;

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const words = new URLSearchParams(query);
  const [page = '', ...rest] = path.split('/').map(decoded);
  const [id = ''] = rest;
  if (rest.length > 1) return { page: 'unknown', path };
  if (page === 'missions' && missionId.test(id.toLowerCase())) return { page: 'mission', id: id.toLowerCase() };
  if (page === 'tools' && id !== '') return { page: 'tool', id };
  if (id !== '') return { page: 'unknown', path };
  switch (page) {
    case '':
    case 'missions':
      return { page: 'missions', filters: filtersOf(words) };
    case 'new':
      return { page: 'create', kind: oneOf(kinds, words.get('kind')), ...fromOf(words.get('from')) };
    case 'journal':
      return { page: 'journal', before: positive(words.get('before')), filters: journalFiltersOf(words) };
    case 'payments':
      return { page, cursor: words.get('cursor') };
    case 'approvers':
    case 'doctor':
    case 'tools':
      return { page };
    default:
      return { page: 'unknown', path };
  }
}

const fromOf = (text: string | null): { readonly from?: string } => (text !== null && missionId.test(text) ? { from: text } : {});

/** A day that no calendar has, as 2026-13-45, is none. */
const dayOf = (text: string | null): string | null => (new Date(text ?? '').toJSON()?.slice(0, 10) === text ? text : null);

/** Returns what narrows the list of missions and the journal alike. */
const narrowedOf = (words: URLSearchParams) => ({
  /** Who acted or decided; empty for everybody. */
  actor: words.get('actor') ?? '',
  /** The first and the last day of a period, as the reader's calendar has them: YYYY-MM-DD. */
  since: dayOf(words.get('since')),
  until: dayOf(words.get('until')),
});

const filtersOf = (words: URLSearchParams) => ({
  /** Only what the signed-in person can decide. */
  needs: oneOf(['me'], words.get('needs')),
  state: oneOf(missionStates, words.get('state')),
  kind: oneOf(kinds, words.get('kind')),
  q: words.get('q') ?? '',
  ...narrowedOf(words),
  /** Null for the last change; the order is the usual one of the sort when it is null. */
  sort: oneOf(missionSorts, words.get('sort')),
  order: oneOf(sortOrders, words.get('order')),
  /** Cursor of the page of the list; null for the first. */
  cursor: words.get('cursor'),
});

const journalFiltersOf = (words: URLSearchParams) => ({
  /** The id of a mission, or its beginning. */
  mission: words.get('mission') ?? '',
  /** A type of entry, or a group of types. */
  type: words.get('type') ?? '',
  ...narrowedOf(words),
});

export const noFilters = filtersOf(new URLSearchParams());
export const noJournalFilters = journalFiltersOf(new URLSearchParams());

const positive = (text: string | null): number | null => (text !== null && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : null);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a route; `parseRoute` reads it back. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'missions':
      return withQuery('#/missions', { ...route.filters });
    case 'mission':
      return `#/missions/${route.id}`;
    case 'create':
      return withQuery('#/new', { kind: route.kind, from: route.from ?? null });
    case 'journal':
      return withQuery('#/journal', { ...route.filters, before: route.before });
    case 'payments':
      return withQuery('#/payments', { cursor: route.cursor });
    case 'tool':
      return `#/tools/${encodeURIComponent(route.id)}`;
    case 'unknown':
      return `#/${route.path}`;
    case 'approvers':
    case 'doctor':
    case 'tools':
      return `#/${route.page}`;
  }
}
