/** The router, made by a loop over the endpoints, and what it knows of a path before a request reaches it. */
import Router from '@koa/router';
import { Fault } from '../../base/refusal.js';
import type { Context, RequestState, Route } from './context.js';
import type { Endpoint } from './endpoint.js';
import { Denied } from './problem.js';

export type Routes = Readonly<ReturnType<typeof makeRoutes>>;

const template = /^(?:\/|(?:\/(?:[A-Za-z0-9._-]+|\{[a-z_]+\}(?:\.[a-z]+)?))+)$/;

/** Two endpoints with the same method and path, or a malformed path, are a fault. */
export function makeRoutes(endpoints: readonly Endpoint[], respond: (endpoint: Endpoint, context: Context) => Promise<void>) {
  const router = new Router<RequestState>({ strict: true, sensitive: true, exclusive: 'specificity' });
  const byName = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;
    if (byName.has(name) || !template.test(endpoint.path)) throw new Fault(`the endpoint ${name} cannot be routed`);
    byName.set(name, endpoint);
    const path = endpoint.path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
    router.register(path, [endpoint.method], (context) => respond(endpoint, context), { name });
  }
  const find = ({ method, path }: Context): Route => {
    const matched = router.match(path, method);
    // The same choice as the router's: the fewest parameters, and the first among equals.
    const layers = matched.path.toSorted((a, b) => a.paramNames.length - b.paramNames.length);
    const here = layers.flatMap(({ name }) => byName.get(name ?? '') ?? []);
    const endpoint = here.find((route) => route.method === (method === 'HEAD' ? 'GET' : method));
    const access = endpoint ?? null;
    const open = method === 'OPTIONS' ? here.some((one) => one.auth === 'public') : access?.auth === 'public';
    return { access, methods: here.map((route) => route.method), open, template: endpoint?.path ?? here[0]?.path ?? '' };
  };
  return { router, find };
}

/**
 * Returns whether an endpoint responds; OPTIONS has its response then.
 * @throws Denied 404 for an unknown path, 405 for a method that the path does not support
 */
export function requireRoute(context: Context, { access, methods }: Route): boolean {
  if (access !== null) return true;
  if (methods.length === 0) throw new Denied({ code: 'not_found', detail: 'there is nothing at this path' });
  const Allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].toSorted().join(', ');
  const { method } = context;
  if (method !== 'OPTIONS')
    throw new Denied({ code: 'method_not_allowed', detail: `${method} is not allowed here; use ${Allow}`, headers: { Allow } });
  context.status = 204;
  context.set({ Allow });
  return false;
}
