/**
 * The path of every request: the server's policy judges it, then its input is decoded and its handler runs. koa carries it. Every
 * failure is caught here, because koa's own error response would drop the header fields.
 */
import { parse as parseQuery } from 'node:querystring';
import Koa, { type Context } from 'koa';
import { Fault } from '../../base/fault.js';
import type { Endpoint, Parts } from './endpoint.js';
import { exchangeOf, type Exchange } from './exchange.js';
import { Denied, every_place_taken, problem_type, problemOf } from './problem.js';
import { json_type, type EmptyReply, type EventsReply, type Reply } from './reply.js';
import { giveAnswer } from './answer.js';
import { after, type Later } from './later.js';
import type { Judge } from './policy.js';
import { makeRoutes } from './routes.js';
import { checkReply } from './reply-check.js';
import type { LargeSender } from './send-large.js';
import type { EventStreams } from './streams.js';

export interface Services {
  readonly endpoints: readonly Endpoint[];
  readonly judge: Judge;
  readonly streams: EventStreams;
  readonly large: LargeSender;
  /** Whom limits that one client may not exceed are counted for. */
  readonly clientOf: (exchange: Exchange) => string;
  /** Checks every response against its endpoint's shapes; used by tests. */
  readonly checkReplies: boolean;
  readonly onFault: (error: unknown, exchange: Exchange) => void;
}

/** koa without its own responses and without the listener that it adds to each response: every response is written here. */
class Application extends Koa {
  handleRequest(context: Context, steps: (context: Context) => Promise<void>): Promise<void> {
    // Every refusal and fault already has a response; an error that arrives here is a fault of that response itself.
    return steps(context).catch(() => void context.req.socket.destroy());
  }
}

const noParams: Parts['params'] = {};
const noQuery: Parts['query'] = {};

/** Makes the koa application. Every request must have been passed to `keepExchange` before. */
export function makeBoundary(services: Services): Koa {
  const { endpoints, judge, checkReplies, onFault } = services;
  const run = (endpoint: Endpoint, context: Context, params: Parts['params']): Later<void> => {
    const exchange = exchangeOf(context.req);
    return after(endpoint.answer(partsOf(context, params, exchange), exchange), (reply) => {
      checkReply(endpoint, reply, checkReplies);
      return send(exchange, reply, services);
    });
  };
  const { router, find } = makeRoutes(endpoints, (endpoint, context) => {
    // The endpoint that was admitted is the one that runs.
    if (find(context.method, context.path).endpoint !== endpoint) throw new Fault('the router took another endpoint');
    return run(endpoint, context, context.params);
  });
  const gate = (context: Context, next: () => Promise<void>): Later<void> => {
    const exchange = exchangeOf(context.req);
    return after(judge(exchange, context, find), (judged) => {
      if (judged === null) return giveAnswer(exchange, 204, {}, null);
      const { route, body } = judged;
      if (exchange.line.isReserved && route.endpoint?.reserved !== true) throw new Denied(every_place_taken);
      exchange.body = body;
      if (route.endpoint === null) return giveAnswer(exchange, 204, { Allow: route.allow.join(', ') }, null);
      // The router would match again to find the parameters; a path without parameters is matched already.
      const later = route.endpoint.path.includes('{') ? next() : run(route.endpoint, context, noParams);
      exchange.onParsed?.();
      return later;
    });
  };
  const app = new Application();
  app.use(guard(onFault)).use(gate).use(router.routes());
  return app;
}

/** Turns any thrown value into a problem document. Responses are written here and by the streams, never by koa. */
function guard(onFault: Services['onFault']) {
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    const exchange = exchangeOf(context.req);
    try {
      await next();
    } catch (error) {
      const { problem, fault } = problemOf(error);
      if (fault) onFault(error, exchange);
      // What was written is sent, and the end of the body never comes, so no client takes the response for complete.
      if (context.headerSent) return context.req.socket.destroySoon();
      const close = error instanceof Denied && error.denial.close === true;
      const fields = { ...problem.headers, 'Content-Type': problem_type };
      giveAnswer(exchange, problem.status, fields, JSON.stringify(problem.document), close);
    } finally {
      exchange.onParsed?.();
      exchange.onDecoded?.();
    }
  };
}

function partsOf(context: Context, params: Parts['params'], { body }: Exchange): Parts {
  const query = context.querystring === '' ? noQuery : parseQuery(context.querystring);
  return { params, query, headers: context.req.rawHeaders, body };
}

function send(exchange: Exchange, reply: Reply, { streams, large, clientOf }: Services): Later<void> {
  if (reply.kind === 'events') return streams.send(exchange, reply);
  const { status, headers = {} } = reply;
  if (reply.kind === 'empty') return giveAnswer(exchange, status, headers, null);
  const type = reply.kind === 'bytes' ? reply.type : json_type;
  const fields = { ...headers, 'Content-Type': type };
  const body = bodyOf(reply);
  if (exchange.request.method === 'HEAD' || !large.isLarge(body)) return giveAnswer(exchange, status, fields, body);
  return large.send(exchange, { status, fields, body, client: clientOf(exchange) });
}

function bodyOf(reply: Exclude<Reply, EmptyReply | EventsReply>): string | Uint8Array {
  switch (reply.kind) {
    case 'json':
      return textOf(reply.body);
    case 'text':
      return reply.body.text;
    case 'bytes':
      return reply.body;
  }
}

function textOf(body: unknown): string {
  const text: unknown = JSON.stringify(body);
  if (typeof text !== 'string') throw new Fault('a handler responded with a value that is not JSON');
  return text;
}
