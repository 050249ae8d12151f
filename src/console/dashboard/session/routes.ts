/** The part of the address after `#`: where the reader is. It names runs and never contains the token. */
import { isRunId, type RunState, runStates } from '../../../codec/simulation.js';
import { withQuery } from '../../kit/address.js';

export type Route =
  /** `from`: a run whose request the form begins with. */
  | { readonly page: 'new'; readonly from?: string }
  /** `sweep`: only the runs of this sweep; `search`: only runs with this text in their name, or whose id begins with it. */
  | {
      readonly page: 'runs';
      readonly state: RunState | null;
      readonly cursor: string | null;
      readonly sweep: string | null;
      readonly search: string | null;
    }
  | { readonly page: 'sweep' | 'run'; readonly id: string }
  | { readonly page: 'compare' | 'insight'; readonly ids: readonly string[] }
  | { readonly page: 'unknown'; readonly path: string };

export type RunsRoute = Route & { readonly page: 'runs' };

export const allRuns: RunsRoute = { page: 'runs', state: null, cursor: null, sweep: null, search: null };

const idsOf = (text: string | null): string[] => [...new Set((text ?? '').split(',').filter(isRunId))];

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const words = new URLSearchParams(query);
  const [page, id = '', ...rest] = path.split('/');
  if ((page === 'run' || page === 'sweep') && isRunId(id) && rest.length === 0) return { page, id };
  switch (path) {
    case '':
    case 'new': {
      const from = words.get('from') ?? '';
      return isRunId(from) ? { page: 'new', from } : { page: 'new' };
    }
    case 'runs': {
      const [of, search] = [words.get('sweep') ?? '', words.get('search') ?? ''];
      return {
        page: 'runs',
        state: runStates.find((each) => each === words.get('state')) ?? null,
        cursor: words.get('cursor'),
        sweep: isRunId(of) ? of : null,
        search: search === '' ? null : search,
      };
    }
    case 'compare':
    case 'insight':
      return { page: path, ids: idsOf(words.get('ids')) };
    default:
      return { page: 'unknown', path };
  }
}

/** The address of a route; `parseRoute` reads it back. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'new':
      return withQuery('#/', { from: route.from ?? null });
    case 'runs':
      return withQuery('#/runs', { state: route.state, sweep: route.sweep, search: route.search, cursor: route.cursor });
    case 'sweep':
    case 'run':
      return `#/${route.page}/${route.id}`;
    case 'compare':
    case 'insight':
      return route.ids.length === 0 ? `#/${route.page}` : `#/${route.page}?ids=${route.ids.join(',')}`;
    case 'unknown':
      return `#/${route.path}`;
  }
}
