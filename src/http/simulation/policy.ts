/**
 * The checks of a request to the simulation's server before its handler runs, in order: Connection, preflight, rate, token, path,
 * method, framing, body. A body is read only from clients that may send one.
 */
import { blockOf } from '../core/address-block.js';
import { requireConnection, requireHead, requireKnownExpectation, requireRoute } from '../core/admit.js';
import { readBody } from '../core/body.js';
import { BodyTurns } from '../core/body-turns.js';
import { DecodeTurns } from '../core/decode-turns.js';
import type { Exchange } from '../core/exchange.js';
import { readHead } from '../core/head.js';
import type { Judge, PolicyOf } from '../core/policy.js';
import { Denied } from '../core/problem.js';
import type { Route } from '../core/routes.js';
import type { Settings } from '../core/settings.js';
import { bearerOf } from '../core/tokens.js';
import type { Cors } from './cors.js';
import { isDashboardPath } from './dashboard.js';
import { simulationMetricNames } from './metrics.js';
import { apiActor, requireTaken, type TokenGate } from './token.js';

interface SimulationRules {
  readonly cors: Cors;
  readonly gate: TokenGate;
  /** Called with the status of every response. */
  readonly onAnswered: (status: number) => void;
}

export const simulationPolicy =
  (rules: SimulationRules): PolicyOf =>
  (settings) => ({
    readHead: (request) => readHead(request, { settings, allowedHosts: 'any', chunked: true }),
    judge: judgeOf(rules, settings),
    clientOf,
    mayRead: () => true,
    metricNames: simulationMetricNames,
    onAnswered: rules.onAnswered,
  });

/** All clients have the same token. */
const clientOf = ({ address }: Exchange): string => blockOf(address);

function judgeOf(rules: SimulationRules, settings: Settings): Judge {
  const turns = new BodyTurns(settings);
  const decodeTurns = new DecodeTurns(settings);
  const read = async (exchange: Exchange): Promise<Buffer | null> => {
    await turns.take(exchange, clientOf(exchange));
    const body = await readBody(exchange, true, settings);
    await decodeTurns.take(exchange, body);
    return body;
  };
  return (exchange, context, find) => {
    const { request, head } = exchange;
    const { method } = context;
    const route = find(method, context.path);
    exchange.route = route.template;
    const preflight = method === 'OPTIONS' ? rules.cors.preflight(request.rawHeaders) : null;
    exchange.fields = preflight ?? rules.cors.fieldsOf(request.rawHeaders);
    requireConnection(request);
    if (preflight !== null) return null;
    try {
      admit(exchange, method, route, rules);
    } catch (error) {
      // A body was announced and is not read, so the start of the next request is unknown unless all of it is read.
      throw head.length !== 0 && error instanceof Denied ? new Denied({ ...error.denial, close: true }) : error;
    }
    if (!head.mutation) return { route, body: null };
    return read(exchange).then((body) => ({ route, body }));
  };
}

/** Throws the first denial. */
function admit(exchange: Exchange, method: string, route: Route, { gate }: SimulationRules): void {
  const { request, address, fields } = exchange;
  if (!(route.open && isDashboardPath(route.template))) {
    const bearer = bearerOf(request.rawHeaders) ?? '';
    const taken = route.open ? gate.takeOpen(address) : gate.take(address, bearer === '' ? [] : [bearer]);
    exchange.fields = [...(fields ?? []), ...taken.fields];
    requireTaken(taken);
  }
  if (!route.open) exchange.actor = apiActor;
  requireRoute(route, method);
  requireKnownExpectation(exchange);
  requireHead(exchange);
}
