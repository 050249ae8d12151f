/** The router, made by a loop over the endpoints, and what it knows of a path before a request reaches it. */
import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { Fault } from '../../base/fault.js';
import type { Endpoint } from './endpoint.js';

export interface Route {
  /** The endpoint that would respond; null for an unknown path or method. GET responds to HEAD. */
  readonly endpoint: Endpoint | null;
  /** Methods of the path, as Allow lists them; empty for an unknown path. */
  readonly allow: readonly string[];
  /** Whether no token is needed. */
  readonly open: boolean;
  /** The template of the path, whatever its method; empty for an unknown path. */
  readonly template: string;
}

export interface Routes {
  readonly router: Router;
  readonly find: (method: string, path: string) => Route;
}

const template = /^(?:\/|(?:\/(?:[A-Za-z0-9._-]+|\{[a-z_]+\}(?:\.[a-z]+)?))+)$/;

/**
 * Calls `run` for the endpoint that a request reaches. Two endpoints with the same method and path, or a malformed path, are a
 * fault.
 */
export function makeRoutes(
  endpoints: readonly Endpoint[],
  run: (endpoint: Endpoint, context: RouterContext) => Promise<void> | void,
): Routes {
  const router = new Router({ strict: true, sensitive: true, exclusive: 'specificity' });
  const byName = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;
    if (byName.has(name) || !template.test(endpoint.path)) throw new Fault(`the endpoint ${name} cannot be routed`);
    byName.set(name, endpoint);
    const path = endpoint.path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
    router.register(path, [endpoint.method], (context) => run(endpoint, context), { name });
  }
  // One entry for each set of endpoints whose paths match the same request, and each method that the parser knows.
  const known = new Map<string, Route>();
  return {
    router,
    find: (method, path) => {
      const matched = router.match(path, method);
      const key = matched.path.reduce((names, { name }) => `${names} ${name}`, method);
      const route = known.get(key) ?? routeOf(matched, byName, method);
      known.set(key, route);
      return route;
    },
  };
}

function routeOf(matched: ReturnType<Router['match']>, byName: ReadonlyMap<string, Endpoint>, method: string): Route {
  // The same choice as the router's: the fewest parameters, and the first among equals.
  const endpointsOf = (layers: typeof matched.path): Endpoint[] =>
    layers.toSorted((a, b) => a.paramNames.length - b.paramNames.length).flatMap(({ name }) => byName.get(name ?? '') ?? []);
  const here = endpointsOf(matched.path);
  const [endpoint = null] = endpointsOf(matched.pathAndMethod);
  const open = method === 'OPTIONS' ? here.some(({ auth }) => auth === 'public') : endpoint?.auth === 'public';
  return { endpoint, allow: allowed(here), open, template: here[0]?.path ?? '' };
}

function allowed(endpoints: readonly Endpoint[]): readonly string[] {
  if (endpoints.length === 0) return [];
  const methods = new Set<string>(endpoints.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].toSorted();
}
