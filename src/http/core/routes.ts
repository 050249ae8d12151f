/** The router, made by a loop over the endpoints, and what it knows of a path before a request may reach it. */
import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { Fault } from '../../base/fault.js';
import type { Endpoint } from './endpoint.js';

export interface Route {
  /** The endpoint that would answer; null for an unknown path or method. HEAD is answered by GET. */
  readonly endpoint: Endpoint | null;
  /** Methods that the path knows, as Allow lists them; empty for an unknown path. */
  readonly allow: readonly string[];
  /** Whether nobody has to say who asks. */
  readonly open: boolean;
  /** The template of the path, whatever its method; empty for an unknown path. */
  readonly template: string;
}

export interface Routes {
  readonly router: Router;
  readonly find: (method: string, path: string) => Route;
}

const template = /^(?:\/|(?:\/(?:[A-Za-z0-9._-]+|\{[a-z_]+\}(?:\.[a-z]+)?))+)$/;

/** Calls `run` for the endpoint that a request reaches. Two endpoints of one method and path, or a malformed path, are a fault. */
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
  const plain = new Set(endpoints.map(({ path }) => path).filter((path) => !path.includes('{')));
  const known = new Map<string, Route>();
  return {
    router,
    find: (method, path) => {
      const name = `${method} ${path}`;
      const route = known.get(name) ?? find(router, byName, method, path);
      // As many as there are paths without parameters, each with the methods that the parser knows.
      if (plain.has(path)) known.set(name, route);
      return route;
    },
  };
}

function find(router: Router, byName: ReadonlyMap<string, Endpoint>, method: string, path: string): Route {
  const matched = router.match(path, method);
  // As the router chooses: the fewest parameters, and of equals the first.
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
