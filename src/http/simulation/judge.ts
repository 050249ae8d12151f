/**
 * What a request to the simulation passes before its handler runs, in order: preflight, rate, token, path, method, framing, body. A
 * body is read only of those who may send one.
 */
import { expectation, type Judge } from '../core/boundary.js';
import { readBody } from '../core/body.js';
import type { Route } from '../core/routes.js';
import type { Exchange } from '../core/exchange.js';
import { Denied } from '../core/problem.js';
import type { Settings } from '../core/settings.js';
import type { Cors } from './cors.js';
import { isDashboardPath } from './dashboard.js';
import type { RateLimiter } from './rate-limit.js';
import { requireBearer } from './token.js';

export interface Guards {
  readonly cors: Cors;
  readonly limiter: RateLimiter;
  readonly tokenMatches: (given: string) => boolean;
}

export const simulationJudge =
  (guards: Guards) =>
  (settings: Settings): Judge =>
  (exchange, context, find) => {
    const { request, head } = exchange;
    const { method } = context;
    const route = find(method, context.path);
    exchange.route = route.template;
    const preflight = method === 'OPTIONS' ? guards.cors.preflight(request.rawHeaders) : null;
    exchange.fields = preflight ?? guards.cors.fieldsOf(request.rawHeaders);
    if (preflight !== null) return null;
    try {
      admit(exchange, method, route, guards);
    } catch (error) {
      // A body was announced and is not read: nobody can tell where the next request begins without reading all of it.
      throw head.length !== 0 && error instanceof Denied ? new Denied({ ...error.denial, close: true }) : error;
    }
    if (!head.mutation) return { route, body: null };
    return readBody(exchange, true, settings).then((body) => ({ route, body }));
  };

/** Throws the first denial. */
function admit(exchange: Exchange, method: string, route: Route, { limiter, tokenMatches }: Guards): void {
  const { request, head, expect, address, fields } = exchange;
  if (!(route.open && isDashboardPath(route.template))) {
    const { fields: rate, denial } = limiter.take(address);
    if (denial !== null) throw new Denied(denial);
    exchange.fields = [...(fields ?? []), ...rate];
  }
  if (!route.open) exchange.actor = requireBearer(request.rawHeaders, tokenMatches);
  if (route.allow.length === 0) throw new Denied({ code: 'not_found', detail: 'there is nothing at this path' });
  if (route.endpoint === null && method !== 'OPTIONS') {
    const detail = 'this path does not know the method; Allow names those that it knows';
    throw new Denied({ code: 'method_not_allowed', detail, headers: { Allow: route.allow.join(', ') } });
  }
  if (expect === 'unknown') throw new Denied(expectation);
  if (head.denial !== null) throw new Denied(head.denial);
}
