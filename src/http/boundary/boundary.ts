/**
 * What every request passes, in order: head (Host first, then framing), body, origin, token, role, path, method, input, handler. koa
 * carries it; every failure is caught here, because koa's own way of answering one would drop the header fields.
 */
import { parse as parseQuery } from 'node:querystring';
import * as E from 'fp-ts/lib/Either.js';
import Koa, { type Context, type Next } from 'koa';
import { Fault } from '../../base/fault.js';
import { RefusalError } from '../../base/result.js';
import type { Actor } from '../actor.js';
import type { Endpoint, Input } from '../endpoint.js';
import { exchangeOf, type Exchange } from '../exchange.js';
import { type Denial, Denied, problem_type, problemOf } from '../problem.js';
import type { Reply } from '../reply.js';
import type { Settings } from '../settings.js';
import { securityHeaders } from '../wire/headers.js';
import { admit, anybody, readCredentials, type Tokens } from './admit.js';
import { readBody } from './body.js';
import { readInput, type Decoded } from './input.js';
import type { LoginThrottle } from './login-throttle.js';
import { makeRoutes } from './routes.js';
import { checkReply } from './reply-check.js';
import type { EventStreams } from './streams.js';

export interface Services {
  readonly endpoints: readonly Endpoint[];
  readonly tokens: Tokens;
  readonly throttle: LoginThrottle;
  readonly streams: EventStreams;
  readonly settings: Settings;
  /** Tests hold every answer against its endpoint's shapes. */
  readonly checkReplies: boolean;
  readonly onFault: (error: unknown, exchange: Exchange) => void;
}

/** The koa application; it answers requests that `keepExchange` knows. */
export function makeBoundary(services: Services): Koa {
  const bodies = new WeakMap<Exchange, Buffer>();
  const run = async (endpoint: Endpoint, context: Context): Promise<void> => {
    const exchange = exchangeOf(context.req);
    // What was admitted is what runs.
    if (find(context.method, context.path).endpoint !== endpoint) throw new Fault('the router took another endpoint');
    const reply = await handle(endpoint, context, bodies.get(exchange) ?? null);
    checkReply(endpoint, reply, services.checkReplies);
    await send(context, exchange, reply, services.streams);
  };
  const { router, find } = makeRoutes(services.endpoints, run);
  const gate = async (context: Context, next: Next): Promise<void> => {
    const exchange = exchangeOf(context.req);
    if (exchange.head.denial !== null) throw new Denied(exchange.head.denial);
    if (exchange.expect === 'unknown') throw new Denied(expectation);
    const route = find(context.method, context.path);
    exchange.route = route.endpoint?.path ?? '';
    const isPublicRead = route.open && !exchange.head.mutation;
    const credentials = isPublicRead ? anybody : readCredentials(exchange, services.tokens);
    exchange.actor = credentials.actor;
    if (exchange.head.mutation) {
      const keep = credentials.ownOrigin && (route.open || credentials.actor !== null);
      const body = await readBody(exchange, keep, services.settings.body_ms_max);
      if (body !== null) bodies.set(exchange, body);
    }
    admit(route, credentials, exchange, services.throttle);
    if (route.endpoint !== null) {
      // The router would match once more, for the parameters; a path without any is matched already.
      await (route.endpoint.path.includes('{') ? next() : run(route.endpoint, context));
      return;
    }
    context.set('Allow', route.allow.join(', '));
    context.status = 204;
  };
  const app = new Koa();
  app.use(guard(services.onFault)).use(gate).use(router.routes());
  // koa reports errors of finished answers too, such as a client that is gone.
  app.on('error', () => undefined);
  return app;
}

const expectation: Denial = { code: 'expectation_failed', detail: 'Expect knows 100-continue only', close: true };

const everyAnswer = Object.entries(securityHeaders);

/** Sets the fields of every answer, and turns whatever is thrown into a problem document. */
function guard(onFault: Services['onFault']) {
  return async (context: Context, next: Next): Promise<void> => {
    const exchange = exchangeOf(context.req);
    for (const [name, value] of everyAnswer) context.res.setHeader(name, value);
    context.res.setHeader('X-Request-Id', exchange.id);
    try {
      await next();
    } catch (error) {
      const { problem, fault } = problemOf(error);
      if (fault) onFault(error, exchange);
      if (context.headerSent) {
        // What was written goes out, and the end of the body never comes: nobody takes the answer for whole.
        context.respond = false;
        context.req.socket.destroySoon();
        return;
      }
      context.respond = true;
      context.set({ ...problem.headers, 'Content-Type': problem_type });
      context.status = problem.status;
      context.body = JSON.stringify(problem.document);
      if (error instanceof Denied && error.denial.close === true) context.set('Connection', 'close');
    }
    if (exchange.line.last && !context.headerSent) context.set('Connection', 'close');
  };
}

async function handle(endpoint: Endpoint, context: Context, body: Buffer | null): Promise<Reply> {
  const exchange = exchangeOf(context.req);
  const params = (context as Context & { readonly params?: Readonly<Record<string, string>> }).params ?? {};
  const input = readInput(endpoint, { params, query: parseQuery(context.querystring), headers: context.req.rawHeaders, body });
  const answer = await endpoint.handle(new HandlerInput(input, endpoint.auth === 'public' ? null : exchange.actor, exchange));
  if (E.isLeft(answer)) throw new RefusalError(answer.left);
  return answer.right;
}

/** The signal costs something, so that it is made only where it is asked for. */
class HandlerInput implements Input<unknown, unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  constructor(
    { params, query, headers, body }: Decoded,
    readonly actor: Actor | null,
    private readonly exchange: Exchange,
  ) {
    this.params = params;
    this.query = query;
    this.headers = headers;
    this.body = body;
  }

  get requestId(): string {
    return this.exchange.id;
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }
}

async function send(context: Context, exchange: Exchange, reply: Reply, streams: EventStreams): Promise<void> {
  if (reply.kind === 'events') return streams.send(context, exchange, reply);
  context.set(reply.headers ?? {});
  context.status = reply.status;
  if (reply.kind === 'empty') return;
  context.set('Content-Type', reply.kind === 'json' ? 'application/json; charset=utf-8' : reply.type);
  context.body = reply.kind === 'json' ? textOf(reply.body) : bodyOf(reply.body);
}

function textOf(body: unknown): string {
  const text: unknown = JSON.stringify(body);
  if (typeof text !== 'string') throw new Fault('a handler answered with a value that is no JSON');
  return text;
}

const bodyOf = (body: Uint8Array | string): Buffer | string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
