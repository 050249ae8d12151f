/** The part of the address after `#`: where the reader is. It names runs and never contains the token. */
import { isRunId, type RunState, runStates } from '../../../codec/simulation.js';
import { withQuery } from '../../kit/address.js';

export type Route =
  /** `from`: a run whose request the form begins with. */
  | { readonly page: 'new'; readonly from?: string }
  | { readonly page: 'runs'; readonly state: RunState | null; readonly cursor: string | null }
  | { readonly page: 'run'; readonly id: string }
  | { readonly page: 'compare'; readonly ids: readonly string[] }
  | { readonly page: 'insight'; readonly ids: readonly string[] }
  | { readonly page: 'unknown'; readonly path: string };

export const allRuns: Route = { page: 'runs', state: null, cursor: null };

const idsOf = (text: string | null): string[] => [...new Set((text ?? '').split(',').filter(isRunId))];

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const words = new URLSearchParams(query);
  const run = /^run\/([^/]*)$/.exec(path)?.[1];
  if (run !== undefined && isRunId(run)) return { page: 'run', id: run };
  switch (path) {
    case '':
    case 'new': {
      const from = words.get('from') ?? '';
      return isRunId(from) ? { page: 'new', from } : { page: 'new' };
    }
    case 'runs':
      return { page: 'runs', state: runStates.find((each) => each === words.get('state')) ?? null, cursor: words.get('cursor') };
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
      return withQuery('#/runs', { state: route.state, cursor: route.cursor });
    case 'run':
      return `#/run/${route.id}`;
    case 'compare':
    case 'insight':
      return route.ids.length === 0 ? `#/${route.page}` : `#/${route.page}?ids=${route.ids.join(',')}`;
    case 'unknown':
      return `#/${route.path}`;
  }
}
